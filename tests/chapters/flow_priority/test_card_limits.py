"""Card 4 where priority is no remedy: a slow port, too many packets, a port that one user fills.

Its advice is carried out packet by packet, as in `test_card`.
"""

import random
from functools import partial

import pytest

from tests.chapters.flow_priority.test_card import Port, ask_at, flow_bytes, measure
from tests.core.asked import ask_card
from tunables.core.card import plain_text
from tunables.core.registry import find_card

CARD = find_card("flow_priority")
ask = partial(ask_card, "flow_priority")


def steps_in(state):
    return " ".join(CARD.steps_in(state))


def test_where_the_port_is_slow_a_faster_one_helps_and_priority_does_not():
    """The card once blamed the server, its disks or the client for the time at the port."""
    port = Port(1.0, 5, 112, 9000, 100.0, 1, queue_share=8.0)  # room for all, so nothing is lost
    without_ms = measure(port, 0, large=False)[0]
    card = ask_at(port, 20, without_ms=without_ms, queue_ms=0)
    assert card["state"] == "idle-port"
    assert card["port_ms"] > card["own_ms"] > 0.8 * without_ms
    assert measure(port, 124, large=False)[0] > 0.9 * without_ms
    assert measure(port._replace(gbps=10.0), 0, large=False)[0] < 0.2 * without_ms
    assert "Plan for a faster port" in steps_in("idle-port")
    assert "server" not in steps_in("idle-port")


@pytest.mark.parametrize("state", ["idle", "idle-port"])
def test_where_nothing_is_gained_the_card_says_how_much_of_the_time_is_at_the_port(state):
    [step] = [each for each in CARD.steps_in(state) if "{port_ms}" in each]
    assert "{other_ms}" in step
    assert "not at this port" not in steps_in(state)
    slow = {"port_gbps": 1, "flow_bytes": 1e6, "users": 5, "pause_ms": 1000}
    for other_ms, expected in ((1, "idle-port"), (8, "idle-port"), (8.5, "idle"), (50, "idle")):
        card = ask(**slow, other_ms=other_ms, without_ms=other_ms + 8.5)
        assert card["state"] == expected
        assert card["port_ms"] + card["other_ms"] == pytest.approx(card["target_ms"])
        assert card["own_ms"] == pytest.approx(8)


def test_a_crowded_port_whose_packets_all_go_ahead_is_called_so():
    """The card once said "if all packets went ahead" of packets that did."""
    for packets, state in ((14, "heavy"), (15, "heavy-ahead"), (20, "heavy-ahead")):
        card = ask(users=80, max_packets=packets)
        assert card["state"] == state
        assert (card["load_percent"] > 50) == (state == "heavy-ahead")
        fewer = ask(users=int(card["most_users"]), max_packets=packets)
        assert fewer["state"] == ("short" if packets == 14 else "covered")
    assert "go ahead already" in steps_in("heavy-ahead")
    assert "went ahead" not in steps_in("heavy-ahead") + ask(users=80)["verdict"]


def test_where_a_single_user_fills_half_of_the_port_nobody_is_told_to_move_all_users():
    port = Port(1.0, 1, 1118, 9000, 10.5, 2, 0.9)
    card = ask_at(port, 1000)
    assert (card["state"], card["most_users"]) == ("heavy-alone", 0)
    assert 8e-6 * flow_bytes(port) > 0.5 * (port.pause_ms + card["target_ms"])
    assert "{most_users}" not in steps_in("heavy-alone")
    assert "a faster port" in steps_in("heavy-alone")
    faster = ask_at(port._replace(gbps=10.0), 1000)
    assert faster["most_users"] >= 1
    assert measure(port._replace(gbps=10.0), 1118)[1] > 0.5 * 10e9 / 8
    rest = " ".join(map(plain_text, (CARD.failure, CARD.knee)))
    assert "{most_users} users" not in rest  # "1 users", "0 users"
    assert "{packets} packets" not in rest


def test_no_advised_setting_is_above_what_the_field_takes():
    chance, states = random.Random(1000), set()
    for _ in range(1000):
        card = ask(
            flow_bytes=round(10 ** chance.uniform(2, 8)),
            mtu_bytes=chance.choice((1500, 9000)),
            max_packets=chance.randint(0, 1000),
            without_ms=10_000,
            pause_ms=100_000,
        )
        CARD.model.settings(max_packets=card["advised_packets"])  # refuses what the field does
        assert card["advised_packets"] <= card["most_packets"] == 1000
        if card["packets"] <= 1000:
            assert card["advised_packets"] >= card["packets"]
        states.add((card["state"], card["packets"] > 1000))
    assert states >= {("short", False), ("covered", False), ("too-long", True)}
    assert ("short", True) not in states


def test_a_transaction_too_long_for_any_setting_gets_the_remedy_of_a_larger_mtu():
    long = {"flow_bytes": 2_000_000, "without_ms": 100, "pause_ms": 1000}
    card = ask(**long, mtu_bytes=1500)
    assert card["state"] == "too-long"
    assert card["advised_packets"] == 20  # as it is
    assert "Check the MTU on the whole path" in steps_in("too-long")
    assert "manual" in steps_in("too-long")
    larger = ask(**long, mtu_bytes=9000)
    assert larger["state"] == "short"
    followed = ask(**long, mtu_bytes=9000, max_packets=int(larger["advised_packets"]))
    assert followed["state"] == "covered"
