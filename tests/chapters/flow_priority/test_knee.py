"""The card's knee, found again by a simulation: fine at 0.95 of it, over it at 1.05."""

from functools import partial

import pytest

from tests.parts.asked import ask_card, card_words
from tunables.chapters.flow_priority.structures import calibrated
from tunables.parts.registry import find_card
from tunables.simulators.packets import simulate_packets

ask = partial(ask_card, "flow_priority")


def small_seconds(flow_bytes, max_packets):
    """Return how long a small flow takes, on average, beside large ones, packet by packet."""
    flows, pause_s = 100, 0.020
    run = simulate_packets(
        [1, 8],
        [flow_bytes, 64e6],
        [flows, 8],
        [pause_s, 0.001],
        1e9,
        max_packets=max_packets,
        buffer_bytes=2e6,
        seed=1,
    )
    return run.finished_s[0] / flows - pause_s


def test_a_flow_is_fast_up_to_the_bytes_that_go_ahead():
    settings = {"max_packets": 8, "users": 1, "pause_ms": 20, "port_gbps": 1, "queue_ms": 15}
    covered = ask(**settings)["covered_bytes"]
    times = {}
    for share, words in ((0.95, "Below"), (1.05, "Over")):
        card = ask(flow_bytes=int(share * covered), **settings)
        assert card["verdict"].startswith(words)
        assert (card["packets"] <= 8) == (share < 1)
        times[share] = small_seconds(int(share * covered), 8)
        needed = int(card["packets"])
        assert small_seconds(int(share * covered), needed) < 0.003
    assert times[0.95] < 0.003
    assert times[1.05] > 5 * times[0.95]


def test_priority_needs_pauses_and_a_port_that_is_not_full_of_it():
    assert "never restarts" in ask(pause_ms=4)["verdict"]
    most = ask()["most_users"]
    assert ask(users=int(0.95 * most))["load_percent"] < 50
    heavy = ask(users=int(1.05 * most) + 1)
    assert heavy["load_percent"] > 50
    assert "loads half of the port" in heavy["verdict"]


def test_the_card_opens_with_the_chapters_waits_and_expects_what_priority_does_not_cure():
    fitted, settings = calibrated()["M4"], find_card("flow_priority").model.settings()
    assert settings["queue_ms"] == pytest.approx(1000 * fitted["queueing_delay_s"])
    assert settings["other_ms"] == pytest.approx(1000 * fitted["medium_residual_s"])
    assert ask()["target_ms"] > settings["other_ms"]
    assert ask()["transfer_ms"] == pytest.approx(ask()["target_ms"])


def test_the_alert_comes_from_what_is_advised_and_not_from_the_setting_in_force():
    bad, good = (ask(max_packets=packets) for packets in (14, 20))
    for name in ("target_ms", "alert_ms"):
        assert bad[name] == good[name]
    assert good["transfer_ms"] < good["alert_ms"] < bad["transfer_ms"]
    assert ask(queue_ms=6)["room_ms"] < 0 < good["room_ms"]


def test_the_card_names_what_todays_software_offers():
    names = ("priority flow control", "approximate fair drop (AFD", "ECN", "DCTCP")
    assert [name for name in names if name not in card_words("flow_priority")] == []
