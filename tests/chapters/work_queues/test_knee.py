"""The card's knee, found again by a simulation: fine at 0.95 of it, over it at 1.05."""

from functools import partial

import numpy as np
import pytest

from tests.parts.asked import ask_card, card_words
from tunables.simulators.event_loop import Queue, simulate_event_loop
from tunables.simulators.work_queue import drain_work_queue

ask = partial(ask_card, "work_queues")


def test_slices_and_lateness_are_those_of_the_daemon():
    card = ask(usual_item_us=5, dearest_item_us=1000, queues=2)
    costs_s = np.repeat([5e-6, 1e-3], [1_500_000, 20_000])
    drain = drain_work_queue(costs_s, rule="2005-05-06")
    assert drain.granularity[-1] == card["granularity"]
    assert drain.slice_s[-2] == pytest.approx(card["dearest_slice_ms"] / 1000)
    grown = int(card["granularity"])
    timers_s = np.sort(np.random.default_rng(1).uniform(0, 4, 20_000))
    queues = [Queue([5e-6] * 500_000, granularity=grown) for _ in range(2)]
    late_s = simulate_event_loop(queues, timers_s=timers_s).timer_lateness_s
    assert late_s.mean() == pytest.approx(card["lateness_ms"] / 1000, rel=0.03)


def test_a_bound_on_the_granularity_keeps_the_alert_silent_and_its_absence_does_not():
    card = ask(usual_item_us=5, dearest_item_us=1000)
    costs_s = np.repeat([5e-6, 1e-3], [1_500_000, 20_000])
    bound = int(card["bound"])

    def longest_ms(most):
        grown = drain_work_queue(costs_s, rule=lambda n, g: min(g + 2 * (n > 2 * g), most))
        return 1000 * grown.slice_s.max()

    assert longest_ms(bound) <= card["bounded_turn_ms"] < card["look_ms"]
    assert longest_ms(10**9) > card["look_ms"]
    assert card["page_s"] == card["silence_s"] / 10


def dropped(block_s, keepalive_s, hold_s):
    """Return the share of 10,000 sessions that a block drops, wherever the keepalive stood."""
    since_s = np.random.default_rng(1).uniform(0, keepalive_s, 10_000)
    return float(np.mean(since_s + block_s > hold_s))


def test_one_piece_drops_nobody_below_the_silence_and_somebody_above():
    timers = {"keepalive_s": 15.0, "hold_s": 45.0, "sessions": 1}
    most = ask(**timers)["blocked_items"]
    for share, drops in ((0.95, False), (1.05, True)):
        card = ask(items=round(share * most), **timers)
        lost = dropped(card["blocked_s"], 15, 45)
        assert (lost > 0) == drops
        assert card["blocked_drop_percent"] / 100 == pytest.approx(lost, abs=0.01)
        assert ("by slicing" in card["verdict"]) == drops


def test_a_granularity_within_the_knee_keeps_the_turn_within_the_silence():
    timers = {"keepalive_s": 0.1, "hold_s": 0.3, "sessions": 5}
    card = ask(queues=2, **timers)
    knee = int(card["most_granularity"])
    for share, fits in ((0.95, True), (1.05, False)):
        g = round(share * knee)
        worst = drain_work_queue([1e-3] * (40 * g), rule="fixed", granularity=g).slice_s.max()
        bound = 2 * (0.010 + g * 1e-3)
        assert worst <= bound / 2
        assert (bound <= card["silence_s"]) == fits
    # Where the rule's own granularity is over it, the card says so.
    over = ask(usual_item_us=5, dearest_item_us=1000, queues=2, **timers)
    assert over["granularity"] > knee
    assert over["verdict"].startswith("Over")
    assert over["sliced_drop_percent"] > 0


def test_the_card_names_what_todays_software_offers():
    names = (
        "compiled in",
        "50 ms",
        "graceful restart",
        "BFD",
        "a thread of their own",
        "Your own hold timers",
        "unread messages",
    )
    assert [name for name in names if name not in card_words("work_queues")] == []
