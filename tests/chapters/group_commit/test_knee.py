"""The card's knee, found again by a simulation: fine at 0.95 of it, over it at 1.05."""

from functools import partial

import numpy as np
import pytest

from tests.parts.asked import ask_card, card_words

ask = partial(ask_card, "group_commit")


def flushes(arrivals_s, flush_s, delay_s):
    """Return busy share of the device and mean latency of a group commit, commit by commit."""
    free = busy = 0.0
    done = np.empty(len(arrivals_s))
    first = 0
    while first < len(arrivals_s):
        start = max(arrivals_s[first], free) + delay_s
        last = int(np.searchsorted(arrivals_s, start, side="right"))
        free = start + flush_s
        busy += flush_s
        done[first:last] = free
        first = last
    return busy / free, float(np.mean(done - arrivals_s))


@pytest.mark.parametrize("rate", [300, 2000])
def test_the_shortest_delay_leaves_the_device_as_free_as_asked(rate):
    card = ask(commits_per_s=rate, flush_ms=5, delay_ms=25, busy_limit_percent=40)
    arrivals_s = np.cumsum(np.random.default_rng(1).exponential(1 / rate, 100_000))
    best_s = card["best_delay_ms"] / 1000
    share, latency_s = flushes(arrivals_s, 0.005, best_s)
    assert share == pytest.approx(0.4, rel=0.01)
    assert latency_s == pytest.approx(card["latency_best_ms"] / 1000, rel=0.01)
    assert flushes(arrivals_s, 0.005, 0.95 * best_s)[0] > 0.404
    assert flushes(arrivals_s, 0.005, 1.05 * best_s)[0] < 0.396
    assert flushes(arrivals_s, 0.005, 0.0)[1] == pytest.approx(
        card["latency_zero_ms"] / 1000, rel=0.01
    )


def test_a_device_that_is_free_enough_needs_no_delay():
    card = ask(commits_per_s=10, flush_ms=5, delay_ms=0)
    assert card["best_delay_ms"] == 0
    assert card["verdict"].startswith("Below the knee: the shortest")


def test_alerts_come_from_the_advised_delay_and_are_silent_at_it():
    bad, worse = (ask(commits_per_s=400, flush_ms=5, delay_ms=delay) for delay in (25, 2000))
    for name in ("latency_alarm_ms", "busy_alarm_percent"):
        assert bad[name] == worse[name]
    assert worse["latency_now_ms"] > bad["latency_alarm_ms"] > bad["latency_best_ms"]
    assert bad["busy_alarm_percent"] > bad["busy_best_percent"]


def commits_per_s(clients, flush_s, delay_s):
    """Return commits a second of clients who are back within a microsecond, flush by flush."""
    chance = np.random.default_rng(1)
    back_s = np.sort(chance.uniform(0, 1e-6, clients))
    free = committed = 0.0
    for _ in range(2000):
        start = max(back_s[0], free) + delay_s
        together = int(np.searchsorted(back_s, start, side="right"))
        free = start + flush_s
        committed += together
        again = free + chance.uniform(0, 1e-6, together)
        back_s = np.sort(np.concatenate([back_s[together:], again]))
    return committed / free


@pytest.mark.parametrize("clients", [2, 16, 50])
def test_a_delay_pays_up_to_the_flush_time(clients):
    knee_ms = ask(clients=clients, flush_ms=5)["knee_ms"]
    without = commits_per_s(clients, 0.005, 0.0)
    for share in (0.95, 1.05):
        card = ask(clients=clients, flush_ms=5, delay_ms=share * knee_ms)
        now = commits_per_s(clients, 0.005, share * knee_ms / 1000)
        assert card["closed_now_per_s"] == pytest.approx(now, rel=1e-3)
        assert card["closed_zero_per_s"] == pytest.approx(without, rel=1e-3)
        assert (now > without) == (share < 1)


def test_the_card_names_what_todays_software_offers():
    names = ("commit_siblings", "binlog_group_commit_sync_delay", "linger.ms")
    assert [name for name in names if name not in card_words("group_commit")] == []


@pytest.mark.parametrize(
    ("delay_ms", "words"),
    [
        (0, "Below the knee: the shortest delay"),
        (5, "Below the knee, but the delay is longer"),
        (5.001, "Over the knee"),
    ],
)
def test_a_delay_as_long_as_a_flush_is_not_yet_over_the_knee(delay_ms, words):
    card = ask(commits_per_s=10, flush_ms=5, delay_ms=delay_ms)
    assert card["verdict"].startswith(words)
