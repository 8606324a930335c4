"""Card 4 followed at a simulated port: its promise holds, and its alerts fire when they should.

Ports from 0.2 to 10 Gb/s, 1 to 12 users, transactions of 1 to 40 packets: the card is given what
an operator would measure there, and its advice is carried out packet by packet.
"""

import random
from functools import cache, partial
from typing import NamedTuple

import pytest

from tests.core.asked import ask_card, operator_words
from tunables.chapters.flow_priority.calibration import data, fitted_settings
from tunables.core.card import is_shown_in, plain_text
from tunables.core.registry import find_card
from tunables.simulators.packets import simulate_packets, trace_packets

CARD = find_card("flow_priority")
ask = partial(ask_card, "flow_priority")
HEADERS = 52


class Port(NamedTuple):
    """A port, its users, and the large flows beside them."""

    gbps: float
    users: int
    packets: int  # per transaction; the last one is half full
    mtu: int
    pause_ms: float  # mean of a uniform distribution from 0.5 to 1.5 times this
    large: int
    queue_share: float  # share of the flow's gap that a full ordinary queue takes to send


GAP_MS = 5.0


def draw_port(seed):
    """Return a port whose transactions would load it by less than half."""
    draw = random.Random(seed)
    while True:
        port = Port(
            gbps=10 ** draw.uniform(-0.7, 1),
            users=draw.randint(1, 12),
            packets=draw.choice((1, 2, 5, 9, 15, 40)),
            mtu=draw.choice((1500, 9000)),
            pause_ms=draw.uniform(10.5, 60),
            large=draw.randint(2, 8),
            queue_share=draw.uniform(0.3, 0.9),
        )
        holds = queue_bytes(port) / port.mtu
        if 8e-6 * port.users * flow_bytes(port) / port.gbps < 0.4 * port.pause_ms and holds > 4:
            return port


def flow_bytes(port):
    return int((port.packets - 0.5) * (port.mtu - HEADERS))


def queue_bytes(port):
    return port.queue_share * GAP_MS * port.gbps * 1e6 / 8


@cache
def measure(port, max_packets, large=True):
    """Return a transaction's mean time in ms, and the rate left for large flows in bytes/s."""
    flows, beside = 60, port.large if large else 1
    # Large flows have more to send than the port can carry until the small ones are done.
    size = 6e6 * port.gbps * (flows * port.pause_ms + 4000) / 8 / beside if large else 1.0
    run, trace = trace_packets(
        [port.users, beside],
        [flow_bytes(port), size],
        [flows, 1],
        [port.pause_ms / 1e3, 1e-3],
        port.gbps * 1e9,
        max_packets=max_packets,
        gap_s=GAP_MS / 1e3,
        segment_bytes=port.mtu - HEADERS,
        buffer_bytes=max(queue_bytes(port), port.mtu),
        round_trip_s=1e-4,
        timeout_s=0.2,
        seed=1,
        packet_rows=0,
    )
    end_s = float(run.finished_s[0])
    assert not large or run.finished_s[1] > end_s
    small = trace.asker < port.users
    time_ms = 1e3 * float((trace.answered_s - trace.begun_s)[small].mean())
    carried = port.gbps * 1e9 / 8 - port.users * flows * flow_bytes(port) / end_s
    return time_ms, carried


def ask_at(port, max_packets, **changes):
    """Return the card's outputs for what an operator measures at the port."""
    own_ms = 8e-6 * flow_bytes(port) / port.gbps
    settings = {
        "max_packets": max_packets,
        "flow_bytes": flow_bytes(port),
        "mtu_bytes": port.mtu,
        "users": port.users,
        "pause_ms": port.pause_ms,
        "flow_gap_ms": GAP_MS,
        "port_gbps": port.gbps,
        "queue_ms": port.queue_share * GAP_MS,
        "other_ms": max(measure(port._replace(users=1), 0, large=False)[0] - own_ms, 0.0),
        "without_ms": measure(port, 0)[0],
    }
    return ask(**settings | changes)


def watch(words):
    [found] = [each for each in CARD.watch if words in each.metric]
    return found


PORTS = [draw_port(seed) for seed in range(30)] + [
    Port(10, 1, 1, 9000, 10.5, 8, 0.9),  # one packet, one user
    Port(10, 12, 40, 9000, 10.5, 8, 0.9),
    Port(0.2, 1, 1, 1500, 60.0, 2, 0.9),
    Port(0.2, 2, 9, 1500, 12.0, 2, 0.9),
    Port(10, 12, 40, 1500, 10.5, 2, 0.3),
]


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize("port", PORTS, ids=str)
def test_with_the_advised_setting_a_transaction_is_as_fast_as_promised(port):
    before = ask_at(port, port.packets - 1)
    if before["state"] in ("idle", "idle-port"):  # there is nothing to gain, so nothing is advised
        assert measure(port, port.packets)[0] > 0.8 * measure(port, 0)[0]
        return
    assert before["state"] == "short"
    advised = int(before["advised_packets"])
    after = ask_at(port, advised)
    assert after["state"] == "covered"
    time_ms, carried = measure(port, advised)
    latency = watch("Transaction time")
    assert not latency.fires(time_ms, after)
    assert latency.fires(measure(port, 0)[0], before)
    # The packet on the wire is not interrupted, so each round of packets may wait for one.
    on_wire_ms = 8e-6 * port.mtu / port.gbps
    assert time_ms < 1.15 * after["target_ms"] + 3 * on_wire_ms
    assert time_ms > 0.6 * after["target_ms"]
    rate = 100 * carried / measure(port, 0)[1]
    assert not watch("Rate of the large flows").fires(rate, before)
    share = 100 * 8e-6 * port.users * flow_bytes(port) / port.gbps / (port.pause_ms + time_ms)
    assert share == pytest.approx(after["load_percent"], rel=0.1)
    assert not watch("Share of the port").fires(share, after)


def test_the_other_alerts_are_silent_in_the_advised_state_and_fire_in_the_bad_one():
    good, short = ask(), ask(max_packets=14)
    followed = ask(max_packets=int(short["advised_packets"]))
    size, wait, pause = (
        watch("Transaction size"),
        watch("Wait in the ordinary"),
        watch("Pause between"),
    )
    for state in (good, followed):
        assert state["state"] == "covered"
        assert not size.fires(128_000, state)
        assert not wait.fires(3.9, state)
        assert not pause.fires(9.7, state)
        assert not watch("Drops").fires(0, state)
    assert not size.fires(128_000, short)  # the verdict says so; the alert is for later growth
    for state in (short, followed):
        assert size.fires(153_000, state)
    assert wait.fires(6.0, ask(queue_ms=6.0))
    assert pause.fires(4.0, ask(pause_ms=4.0))
    assert watch("Drops").fires(0.1, good)


@pytest.mark.parametrize("users", [1, 20, 60, 72])
def test_the_alert_on_the_load_of_priority_is_silent_below_half_of_the_port(users):
    share = watch("Share of the port")
    good = ask(users=users)
    assert good["state"] == "covered"
    assert not share.fires(good["load_percent"], good)
    most = int(good["most_users"])
    over = ask(users=most + 1)
    assert over["state"] == "heavy-ahead"
    assert share.fires(over["load_percent"], over)
    assert share.fires(50.1, good)
    assert share.fires(50.1, over)
    assert not share.fires(49.9, ask(users=1000))


@pytest.mark.parametrize("state", CARD.states)
def test_alerts_on_time_and_size_appear_only_where_the_advice_gives_them(state):
    alerts = [watch(words) for words in ("Transaction time", "Transaction size")]
    assert all(is_shown_in(each, state) == (state in ("covered", "short")) for each in alerts)


def test_where_priority_would_slow_transactions_no_alert_on_their_time_fires():
    latency = watch("Transaction time")
    for changes, state in (
        ({"users": 1000}, "heavy-ahead"),
        ({"users": 1000, "pause_ms": 4}, "merged"),
        ({"users": 1000, "queue_ms": 6}, "passing"),
        ({"without_ms": 5.95}, "idle"),
        ({"without_ms": 2.65, "other_ms": 57}, "mismatch"),
    ):
        card = ask(**changes)
        assert card["state"] == state
        assert card["target_ms"] > CARD.model.settings(**changes)["without_ms"]
        assert not latency.fires(1e6, card)


def test_the_milliseconds_follow_from_the_report():
    """An earlier card wrongly said 9.84 ms without priority, 7.91 for the alert, and 37 users."""
    card = ask()
    settings = CARD.model.settings()
    cycles = [
        1e3 * data()[f"medium-{column}"].value / data()["medium-transactions"].value
        for column in ("without", "with")
    ]
    without, with_dpp = (cycle - float(settings["pause_ms"]) for cycle in cycles)
    assert settings["without_ms"] == pytest.approx(without) == pytest.approx(12.3, abs=0.05)
    assert card["target_ms"] == pytest.approx(with_dpp, abs=0.05)
    assert card["alert_ms"] == pytest.approx((without + with_dpp) / 2, abs=0.03)
    assert ask(pause_ms=8)["most_users"] == 65


def test_the_most_users_leave_the_large_flows_half_of_the_port():
    """A port of 1 Gb/s and transactions of 40 packets: 6 users load it by half."""
    port = Port(1.0, 1, 40, 9000, 25.0, 4, 0.9)
    most = int(ask_at(port, 44)["most_users"])
    crowded = port._replace(users=most)
    assert ask_at(crowded, 44)["state"] == "covered"
    assert ask_at(port._replace(users=most + 1), 44)["state"] == "heavy-ahead"
    carried = measure(crowded, 44)[1] / (port.gbps * 1e9 / 8)
    assert carried == pytest.approx(0.5, abs=0.1)


def test_where_the_rule_does_not_apply_the_card_does_not_advise_a_higher_number():
    states: dict[str, dict[str, float]] = {
        "merged": {"pause_ms": 4},
        "passing": {"queue_ms": 6},
        "heavy": {"users": 100, "max_packets": 14},
        "heavy-ahead": {"users": 100, "max_packets": 20},
        "heavy-alone": {"pause_ms": 10, "flow_bytes": 1e7, "port_gbps": 1, "without_ms": 200},
        "too-long": {"pause_ms": 1e5, "flow_bytes": 2e7, "without_ms": 500},
        "idle": {"without_ms": 6.1},
        "idle-port": {"pause_ms": 1e4, "flow_bytes": 1e7, "without_ms": 15},
        "mismatch": {"without_ms": 2.65, "other_ms": 57},
    }
    for state, changes in states.items():
        for packets in (14, 20):
            assert ask(**{"max_packets": packets} | changes)["state"] == state
        steps = " ".join(CARD.steps_in(state))
        assert "{advised_packets}" not in steps
        assert "as it is" in steps
    assert "{advised_packets}" in " ".join(CARD.steps_in("short"))


def test_with_pauses_shorter_than_the_gap_a_higher_number_does_not_keep_its_promise():
    port = Port(1.0, 2, 15, 9000, 1.5, 4, 0.3)
    merged = ask_at(port, 20)
    assert merged["state"] == "merged"
    assert min(measure(port, packets)[0] for packets in (20, 40)) > 5 * merged["target_ms"]
    longer = port._replace(pause_ms=10.5)
    assert measure(longer, 20)[0] < 1.5 * ask_at(longer, 20)["target_ms"]


def test_every_roll_back_is_triggered_by_the_median():
    for state in CARD.states:
        [text] = [plain_text(each) for each in CARD.roll_backs() if is_shown_in(each, state)]
        assert "median" in text


def small_flow_seconds(flow_bytes, max_packets):
    """Return the simulated mean time of a small flow beside large ones, in seconds."""
    flows, pause_s = 100, 0.040
    run = simulate_packets(
        [1, 8],
        [flow_bytes, 64e6],
        [flows, 8],
        [pause_s, 0.001],
        1e9,
        max_packets=max_packets,
        gap_s=0.018,
        buffer_bytes=2e6,
        seed=1,
    )
    return run.finished_s[0] / flows - pause_s


def test_a_flow_is_fast_up_to_the_covered_bytes():
    settings = {"max_packets": 8, "users": 1, "pause_ms": 40, "port_gbps": 1}
    settings |= {"queue_ms": 16, "flow_gap_ms": 18, "other_ms": 1, "without_ms": 20}
    covered = ask(**settings)["covered_bytes"]
    times = {}
    for share, words in ((0.95, "Below"), (1.05, "Past")):
        card = ask(flow_bytes=int(share * covered), **settings)
        assert card["verdict"].startswith(words)
        assert (card["packets"] <= 8) == (share < 1)
        times[share] = small_flow_seconds(int(share * covered), 8)
        needed = int(card["packets"])
        assert small_flow_seconds(int(share * covered), needed) < 0.003
    assert times[0.95] < 0.003
    assert times[1.05] > 5 * times[0.95]


def test_priority_needs_pauses_and_a_light_load():
    assert "never restarts" in ask(pause_ms=4)["verdict"]
    most = ask()["most_users"]
    assert ask(users=int(0.95 * most))["load_percent"] < 50
    heavy = ask(users=int(1.05 * most) + 1)
    assert heavy["load_percent"] > 50
    assert "priority traffic fills more than half of the port" in heavy["verdict"]
    behind = ask(users=int(1.05 * most) + 1, max_packets=14)
    assert "would fill more than half of the port" in behind["verdict"]


def test_the_defaults_are_the_chapters_waits_and_the_target_includes_the_residual():
    fitted, settings = fitted_settings()["M4"], find_card("flow_priority").model.settings()
    assert settings["queue_ms"] == pytest.approx(1000 * fitted["queueing_delay_s"])
    assert settings["other_ms"] == pytest.approx(1000 * fitted["medium_residual_s"])
    assert ask()["target_ms"] > settings["other_ms"]
    assert ask()["transfer_ms"] == pytest.approx(ask()["target_ms"])


def test_the_alert_follows_from_the_advice_and_not_from_the_present_setting():
    bad, good = (ask(max_packets=packets) for packets in (14, 20))
    for name in ("target_ms", "alert_ms"):
        assert bad[name] == good[name]
    assert good["transfer_ms"] < good["alert_ms"] < bad["transfer_ms"]
    assert ask(queue_ms=6)["room_ms"] < 0 < good["room_ms"]


def test_the_alert_on_size_is_at_what_the_advice_covers():
    short, enough = ask(max_packets=14), ask(max_packets=15)
    assert short["covered_bytes"] < 128_000 < short["advised_bytes"]
    assert short["advised_bytes"] == ask(max_packets=short["advised_packets"])["covered_bytes"]
    assert enough["state"] == "covered"  # the setting stays as it is, without a reserve
    assert enough["advised_bytes"] == enough["covered_bytes"] < short["advised_bytes"]


def test_numbers_that_cannot_belong_together_get_no_advice_in_any_state():
    for changes in ({}, {"max_packets": 14}, {"pause_ms": 4}, {"queue_ms": 6}, {"users": 1000}):
        card = ask(**changes, other_ms=57, without_ms=2.65)
        assert card["state"] == "mismatch"
        assert card["verdict"].startswith("The card can't say which side of the knee you are on.")
        assert card["verdict"].endswith("Measure both again.")
    assert ask(other_ms=6, without_ms=6)["state"] == "mismatch"
    # the bytes of 128 KB need 0.108 ms on a port of 9.5 Gb/s, which once went unnoticed
    assert ask(other_ms=6, without_ms=6.1)["state"] == "mismatch"
    assert ask(other_ms=6, without_ms=6.11)["state"] == "idle"
    slow = {"port_gbps": 1, "flow_bytes": 1_250_000, "users": 2, "pause_ms": 100}
    assert ask(**slow, other_ms=5, without_ms=12)["state"] == "mismatch"
    [step] = [each for each in CARD.steps_in("mismatch") if "on the idle port minus" in each]
    assert "{own_ms}" in step


def test_an_operator_reads_what_todays_software_offers():
    names = ("priority flow control", "approximate fair drop (AFD", "ECN", "DCTCP")
    assert [name for name in names if name not in operator_words("flow_priority")] == []
