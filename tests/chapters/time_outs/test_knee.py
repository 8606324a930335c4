"""The card's knee, found again by a simulation: fine at 0.95 of it, over it at 1.05."""

from functools import partial
from typing import Any

import numpy as np
import pytest

from tests.parts.asked import ask_card, card_words
from tunables.simulators.retry_storm import simulate_retry_storm

ask = partial(ask_card, "time_outs")


def survives(arrivals, card, retries, timeout_s):
    """Return how many of four servers serve their last 100 s after an outage of ten."""
    count = 0
    for seed in range(4):
        rates = (arrivals, card["capacity_per_s"], timeout_s, retries)
        answered = simulate_retry_storm(*rates, outage_s=10, horizon_s=900, seed=seed)[1]
        count += answered[-100:].mean() > 0.8 * arrivals
    return count


@pytest.mark.parametrize(("retries", "threads"), [(3, 1), (1, 2)])
def test_the_storm_ends_below_the_safe_load_and_holds_above(retries, threads):
    settings = {"retries": retries, "threads": threads, "service_ms": 10 * threads}
    knee = ask(**settings)["safe_arrivals_per_s"]
    for share, survivors, words in ((0.95, 4, "recovers"), (1.05, 0, "holds itself up")):
        card = ask(arrivals_per_s=share * knee, **settings)
        assert words in card["verdict"]
        assert survives(share * knee, card, retries, 0.5) == survivors
        fewer = max(card["safe_retries"], 0)
        assert (fewer >= retries) == (share < 1)


@pytest.mark.parametrize("retries", [3, 8])
@pytest.mark.parametrize("arrivals", [50, 90])
def test_the_cards_queue_and_the_cards_margin_end_every_storm(arrivals, retries):
    card = ask(arrivals_per_s=arrivals, retries=retries)
    rules: list[dict[str, Any]] = [
        {"queue_limit": card["queue_limit"]},
        {"drop": "stale", "margin_s": card["margin_ms"] / 1000},
    ]
    for outage_s in (0, 10):
        for rule in rules:
            answered = simulate_retry_storm(
                arrivals, 100, 0.5, retries, outage_s=outage_s, horizon_s=300, seed=5, **rule
            )[1]
            assert answered[-100:].mean() > 0.9 * arrivals


def test_skipping_late_ones_only_is_told_as_less():
    assert ask(retries=3)["late_safe_per_s"] == pytest.approx(71.9, abs=0.1)
    assert ask(retries=0)["late_safe_per_s"] == pytest.approx(100)


def seconds_to_drain(**rules):
    """Return how long a storm of 280 s, ended at second 300, keeps 30 requests a second late."""
    times = []
    for seed in range(4):
        good = simulate_retry_storm(30, 100, 0.5, 3, horizon_s=900, seed=seed, **rules)[1] > 0
        times.append(int(np.flatnonzero(good[300:])[0]))
    return times


def test_the_queue_of_a_storm_drains_as_the_card_says():
    card = ask(arrivals_per_s=30)
    off = seconds_to_drain(retries_off_s=300)
    assert np.mean(off) == pytest.approx(280 / 60 * card["drain_s"], rel=0.1)
    share = card["refuse_percent"] / 100
    assert 30 * (1 - share) == pytest.approx(card["admit_per_s"])
    # Half of the server drains what the storm has added; those who wait ask on for a while.
    admitted = seconds_to_drain(shed_share=share, shed_from_s=300)
    expected = card["growth_per_s"] * 280 / (card["capacity_per_s"] / 2)
    assert np.mean(admitted) == pytest.approx(expected, rel=0.1)
    assert max(seconds_to_drain(retries_off_s=300, purge_s=300)) <= 1


def test_overload_and_a_storm_without_a_cause_are_told():
    assert "Overloaded" in ask(arrivals_per_s=101)["verdict"]
    card = ask(arrivals_per_s=97, timeout_ms=20)
    assert "without any outage" in card["verdict"]
    assert card["tipping_per_s"] == 0
    answered = simulate_retry_storm(97, 100, 0.02, 3, outage_s=0, horizon_s=600)[1]
    assert answered[-100:].mean() < 20


def test_the_card_names_what_todays_software_offers():
    names = (
        "circuit_breakers",
        "retry_budget",
        "deadlines travel along",
        "adaptive LIFO and CoDel",
        "max_pending_requests",
        "hedgingPolicy",
    )
    assert [name for name in names if name not in card_words("time_outs")] == []
