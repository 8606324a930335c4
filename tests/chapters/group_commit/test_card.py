"""The operator's card: its knee, and its advice, held against simulations of group commit.

Commits come in two ways: from clients who wait for each commit and think before the next one
(`trace_group_commits`), and at random. Extreme rates need no run of their own: a group commit
depends only on N, D/F, z/F and the rate times F, and the points below cover these.
"""

import itertools
import math
from functools import cache, partial
from typing import NamedTuple

import numpy as np
import pytest

from tests.core.asked import ask_card, card_words, operator_words
from tunables.chapters.group_commit.case import fitted_caps, think_time_s, value
from tunables.chapters.group_commit.predictor import HYPOTHESES
from tunables.core.card import is_shown_in, plain_text
from tunables.core.registry import find_card
from tunables.simulators.group_commits import trace_group_commits

ask = partial(ask_card, "group_commit")
CARD = find_card("group_commit")
NOISE = 1.03  # the error of a run of some sixty commits per client
CHANGES = ("over", "long", "spare", "short", "costly", "alone")


class Measured(NamedTuple):
    """What an operator measures: commits per second, latencies (ms), the device's share (%)."""

    rate: float
    median_ms: float
    longest_ms: float
    busy_percent: float


class Point(NamedTuple):
    """A system of clients who wait for their commits, and the share of its device they may use."""

    clients: int
    flush_ms: float
    delay_ms: float
    think_ms: float
    spread: float
    limit: float


def measure_closed(point, delay_ms):
    """Simulate the point's clients at a delay, and measure after a warm-up."""
    commits = 80 * point.clients + 400
    trace = trace_group_commits(
        point.clients,
        point.flush_ms / 1000,
        delay_ms / 1000,
        point.think_ms / 1000,
        commits=commits,
        spread=point.spread,
        seed=1,
        rows=2 * commits,
    )
    kept = trace.flush > trace.flush[len(trace.flush) // 4]
    begins_s = trace.ended_s[~kept][-1]
    time_s = trace.ended_s[-1] - begins_s
    latency_ms = 1000 * (trace.ended_s - trace.asked_s)[kept]
    busy = len(np.unique(trace.flush[kept])) * point.flush_ms / 1000 / time_s
    return Measured(
        np.count_nonzero(kept) / time_s,
        float(np.median(latency_ms)),
        float(latency_ms.max()),
        100 * busy,
    )


def ask_at(point, before):
    return ask(
        commits_per_s=before.rate,
        clients=point.clients,
        flush_ms=point.flush_ms,
        delay_ms=point.delay_ms,
        busy_limit_percent=point.limit,
    )


@cache
def points():
    """Return corners and log-uniform random points whose commit rate the card accepts."""
    draw = np.random.default_rng(20261124)

    def between(low, high):
        return float(math.exp(draw.uniform(math.log(low), math.log(high))))

    some = [
        Point(clients, flush_ms, delay_ms, think_ms, spread, limit)
        for clients, flush_ms, delay_ms, (think_ms, spread), limit in itertools.product(
            (1, 2, 50), (0.01, 1000), (0, 1, 5000), ((0, 0), (500, 1)), (1, 50, 100)
        )
    ]
    for _ in range(250):
        flush_ms = between(0.01, 1000)
        delay_ms = draw.choice([0, flush_ms * between(0.02, 0.98), between(0.01, 5000)])
        think_ms = draw.choice([0, between(0.05, 200) * (flush_ms + delay_ms)])
        clients = round(between(1, 200))
        limit = draw.choice([50, between(1, 100)])
        some.append(Point(clients, flush_ms, float(delay_ms), float(think_ms), 1, float(limit)))
    low, high = 0.1, 100_000  # the card's range of rates
    measured = [(point, measure_closed(point, point.delay_ms)) for point in some]
    return [(point, before) for point, before in measured if low <= before.rate <= high]


@cache
def follow_advice():
    """Return (point, before, card, after) of every point, after the card's advice is followed."""
    rows = []
    for point, before in points():
        card = ask_at(point, before)
        after = measure_closed(point, card["best_delay_ms"]) if card["state"] in CHANGES else before
        if card["state"] == "spare":  # the card says: keep the delay with the lower latency
            after = min(before, after, key=lambda measured: measured.median_ms)
        rows.append((point, before, card, after))
    return rows


def values(point, card, measured, before, *, flush_ms=None, age_s=10.0, lag_s=0.0):
    """Return the values of the metrics that the card's alerts watch, by name."""
    return {
        "Commit latency, 50th percentile": measured.median_ms,
        "Commit latency, 50th percentile, after the change": measured.median_ms,
        "Flush time": flush_ms or point.flush_ms,
        "Oldest open transaction": age_s,
        "Commits per second, compared with the same hour last week": 100
        * measured.rate
        / before.rate,
        "Lag of a replica or backup on this device": lag_s,
    }


def firing(card, metrics):
    """Return the metrics whose alerts fire."""
    return [watch.metric for watch in CARD.watch if watch.fires(metrics[watch.metric], card)]


def test_the_points_reach_every_state_of_the_card_except_mismatch():
    assert len(points()) > 250
    states = {card["state"] for _, _, card, _ in follow_advice()}
    assert states == set(CARD.states) - {"mismatch"}


def test_after_the_advice_device_and_rate_are_within_the_cards_bounds():
    for point, before, card, after in follow_advice():
        if card["state"] not in ("alone", "spare") and point.clients > 1:
            assert after.busy_percent <= point.limit * NOISE, (point, before, card)
            assert after.busy_percent <= card["busy_most_percent"] * NOISE, (point, before, card)
            assert after.rate <= card["most_per_s"] * NOISE, (point, before, card)


def test_after_the_advice_no_commit_takes_longer_than_the_card_says():
    for point, _, card, after in follow_advice():
        if card["state"] != "spare":
            assert after.longest_ms <= card["latency_most_ms"] * 1.011, (point, card)


def test_cutting_the_delay_makes_nothing_worse_that_the_roll_back_watches():
    cut = [row for row in follow_advice() if row[2]["state"] in ("over", "long", "alone")]
    assert len(cut) > 50
    for point, before, card, after in cut:
        assert after.median_ms <= before.median_ms * 1.001, (point, card)
        assert after.rate >= before.rate / NOISE, (point, card)


def test_raising_the_delay_keeps_the_median_below_the_roll_back():
    raised = [row for row in follow_advice() if row[2]["state"] in ("short", "costly")]
    assert len(raised) > 30
    for point, _, card, after in raised:
        assert after.median_ms <= card["latency_most_ms"], (point, card)
        assert after.rate <= card["closed_best_per_s"] * NOISE, (point, card)


def test_each_alert_is_silent_before_the_advice_and_after_it():
    for point, before, card, after in follow_advice():
        assert firing(card, values(point, card, after, before)) == [], (point, card)


def test_each_alert_fires_in_the_state_that_it_is_meant_for():
    for point, before, card, after in follow_advice()[::4]:
        bad = measure_closed(point, 5 * (card["best_delay_ms"] + 2 * point.flush_ms))
        found = firing(card, values(point, card, bad, before))
        assert any("latency" in name for name in found), (point, card)
        slow = {"flush_ms": 2.5 * point.flush_ms, "age_s": 25.0, "lag_s": 90.0}
        found = firing(card, values(point, card, after, before, **slow))
        for name in ("Flush time", "Oldest open transaction"):
            assert name in found
        assert "Lag of a replica or backup on this device" in found


def test_the_alert_for_lost_throughput_fires_when_the_old_delay_comes_back():
    point = Point(50, 5, 2000, 1000 * think_time_s(), 1, 50)
    card = ask_at(point, measure_closed(point, 2000))
    advised = point._replace(delay_ms=card["best_delay_ms"])
    week = measure_closed(advised, advised.delay_ms)
    then = ask_at(advised, week)
    assert then["state"] == "fits"
    metric = "Commits per second, compared with the same hour last week"
    assert metric not in firing(then, values(advised, then, week, week))
    assert metric in firing(then, values(advised, then, measure_closed(advised, 2000), week))


@pytest.mark.slow
def test_commits_at_random_also_leave_the_device_as_free_as_asked():
    draw = np.random.default_rng(7)
    for _ in range(60):
        flush_ms, load = math.exp(draw.uniform(-4, 6)), math.exp(draw.uniform(-4, 4))
        rate, delay_ms = 1000 * load / flush_ms, flush_ms * draw.choice([0, 0.5, 20])
        limit = draw.uniform(5, 100)
        card = ask(
            commits_per_s=min(max(rate, 0.1), 1e5),
            clients=10_000,
            flush_ms=flush_ms,
            delay_ms=min(delay_ms, 5000),
            busy_limit_percent=limit,
        )
        arrivals_s = np.cumsum(draw.exponential(1 / rate, 20_000))
        if card["state"] != "mismatch":
            busy, latency_s = flushes(arrivals_s, flush_ms / 1000, card["best_delay_ms"] / 1000)
            assert 100 * busy <= limit * NOISE
            assert 1000 * latency_s <= card["latency_most_ms"]
            if card["state"] == "over":
                assert latency_s <= flushes(arrivals_s, flush_ms / 1000, delay_ms / 1000)[1]


def test_no_shorter_delay_is_enough_for_clients_who_are_back_at_once():
    point = Point(50, 5, 25, 0, 0, 40)
    card = ask_at(point, measure_closed(point, 25))
    assert measure_closed(point, card["best_delay_ms"]).busy_percent == pytest.approx(40, rel=0.01)
    assert measure_closed(point, 0.95 * card["best_delay_ms"]).busy_percent > 40.8


@pytest.mark.parametrize("corner", list(itertools.product((0, 1), repeat=6)))
def test_the_card_has_a_safe_answer_in_every_corner_of_its_range(corner):
    """Only the closed forms are asked: a simulation of 10,000 clients would add nothing."""
    settings = {
        parameter.name: (parameter.low, parameter.high)[side]
        for parameter, side in zip(CARD.model.parameters, corner, strict=False)
    }
    card = ask(**settings)
    assert card["state"] in CARD.states
    assert all(math.isfinite(each) for each in card.values() if not isinstance(each, str))
    assert card["latency_alarm_ms"] > card["latency_most_ms"]
    if card["state"] != "mismatch":
        assert card["latency_most_ms"] >= card["latency_best_ms"] * 0.999
    if card["state"] not in ("mismatch", "alone") and settings["clients"] > 1:
        assert card["busy_most_percent"] <= settings["busy_limit_percent"] * 1.001
    assert card["group_now"] <= settings["clients"]
    turns = 2 if settings["delay_ms"] == 0 and settings["clients"] > 1 else 1  # two cohorts
    between_ms = settings["delay_ms"] + turns * settings["flush_ms"]
    assert (card["state"] == "mismatch") == (
        settings["commits_per_s"] > 1.01 * settings["clients"] / between_ms * 1000
    )


def test_the_card_opens_with_one_row_of_the_report():
    settings = CARD.model.settings()
    caps = HYPOTHESES.index(fitted_caps()) + 1
    assert settings["delay_ms"] == value("original-flush-delay-max")
    assert settings["commits_per_s"] == caps * value("original-throughput")
    card = ask()
    assert card["state"] == "over"
    assert card["group_now"] <= settings["clients"]
    assert settings["commits_per_s"] <= card["closed_now_per_s"]
    assert card["cost_ms"] == caps * settings["delay_ms"]
    assert "a whole maximum" not in CARD.failure


def test_a_busier_device_does_not_roll_back_the_right_change():
    """The note's clients commit fifty times as often without the delay, and keep the device busy.

    The card once rolled back at a device more than 75% busy: it would have put 2 s back.
    """
    point = Point(50, 5, 2000, 1000 * think_time_s(), 1, 50)
    before, without = measure_closed(point, 2000), measure_closed(point, 0)
    assert before.rate == pytest.approx(24.5, rel=0.02)
    assert without.rate > 45 * before.rate
    assert without.median_ms < before.median_ms / 200
    assert without.busy_percent > 95 > 1 > before.busy_percent
    for text in map(plain_text, CARD.roll_backs()):
        reasons = text.replace("next busy hour", "").partition("A busier device alone")[0]
        assert "busy" not in reasons
    assert not any("busy" in watch.metric for watch in CARD.watch)


def test_the_alert_for_an_old_transaction_does_not_depend_on_the_delay():
    """The card once alarmed at any transaction older than the delay: at 25 ms, always."""
    alarms = {ask(delay_ms=delay_ms)["age_alarm_s"] for delay_ms in (0, 25, 2000)}
    assert alarms == {20.0}
    assert ask(transaction_s=0.3)["age_alarm_s"] == 0.6


def test_the_alert_for_a_slow_flush_is_silent_at_the_advised_delay():
    """It once fired below the advised delay, which is longer than a flush for a share below half.

    It now fires for a device that got slower.
    """
    (watch,) = (watch for watch in CARD.watch if watch.metric == "Flush time")
    for limit in (5, 40, 50, 80):
        card = ask(commits_per_s=1000, delay_ms=0, busy_limit_percent=limit)
        assert card["best_delay_ms"] > 0
        assert not any(watch.fires(share * card["knee_ms"], card) for share in (0.5, 1, 1.5))
        assert watch.fires(3 * card["knee_ms"], card)


def test_a_short_delay_helps_clients_of_a_slow_device_and_the_card_does_not_forbid_it():
    """It once said that a slow device is no reason for a delay."""
    point = Point(16, 20, 0, 0, 0, 50)
    none, short = measure_closed(point, 0), measure_closed(point, 1)
    assert (none.rate, none.median_ms) == (pytest.approx(400), pytest.approx(40))
    assert (short.rate, short.median_ms) == (pytest.approx(762, rel=2e-3), pytest.approx(21))
    card = ask(flush_ms=20, clients=16, delay_ms=0, commits_per_s=400)
    assert card["ceiling_ms"] == 20
    assert measure_closed(point, 0.95 * card["ceiling_ms"]).rate > none.rate
    assert measure_closed(point, 1.05 * card["ceiling_ms"]).rate < none.rate
    assert "latency to latency" not in card_words("group_commit")
    assert "Don't set the delay above {ceiling_ms} ms" in card_words("group_commit")


def test_the_advised_delay_is_never_above_what_the_card_warns_of():
    for _, _, card, _ in follow_advice():
        assert card["best_delay_ms"] <= card["ceiling_ms"]


def test_half_a_flush_gives_a_third_more_commits_than_no_delay():
    """PostgreSQL's own rule for commit_delay, for clients who are back within it."""
    point = Point(16, 5, 0, 0, 0, 50)
    half_ms = ask(flush_ms=5)["half_flush_ms"]
    assert measure_closed(point, half_ms).rate == pytest.approx(
        measure_closed(point, 0).rate * 4 / 3, rel=1e-3
    )
    assert measure_closed(point, half_ms).rate == pytest.approx(16 / (1.5 * 0.005), rel=1e-3)


def test_where_the_device_needs_a_long_delay_half_a_flush_makes_more_commits():
    """The same clients with delays of 25 and 19 ms were once told opposite things."""
    point = Point(16, 5, 25, 0, 0, 20)
    card = ask(clients=16, flush_ms=5, delay_ms=25, commits_per_s=300, busy_limit_percent=20)
    assert (card["state"], card["best_delay_ms"]) == ("long", pytest.approx(20))
    advised, half = (
        measure_closed(point, card[f"{key}_ms"]) for key in ("best_delay", "half_flush")
    )
    assert half.rate > 3 * advised.rate
    assert any(
        "half the flush time" in text and "instead" in text for text in CARD.steps_in("long")
    )
    [move] = (text for text in CARD.steps_in("long") if "a device of its own" in text)
    assert move in CARD.steps_in("costly")


def test_a_delay_without_which_the_clients_would_commit_less_is_left():
    """With a device of its own, 16 clients were once told to set 1 ms to 0."""
    busy = {"clients": 16, "flush_ms": 5, "delay_ms": 1, "busy_limit_percent": 100}
    shared, without = (measure_closed(Point(16, 5, d, 0, 0, 100), d).rate for d in (1, 0))
    assert shared > 1.6 * without
    card = ask(commits_per_s=shared, **busy)
    assert card["state"] == "worth"
    assert CARD.steps_in("worth")[0] == "Change nothing tonight."
    assert ask(commits_per_s=0.9 * without, **busy)["state"] == "spare"


def test_one_client_is_told_that_no_delay_helps():
    card = ask(clients=1, delay_ms=0, flush_ms=5, commits_per_s=190, busy_limit_percent=50)
    assert (card["state"], card["ceiling_ms"]) == ("fits", 0)
    assert "any delay would only make it slower" in card["verdict"]


def test_half_a_flush_is_offered_only_where_it_leaves_the_device_as_free():
    (step,) = (text for text in CARD.steps_in("over") if "half_flush_ms" in text)
    assert "half the flush time ({half_flush_ms} ms) is longer than {best_delay_ms} ms" in step
    offered = [row for row in follow_advice() if row[2]["state"] == "over"]
    longer = [row for row in offered if row[2]["half_flush_ms"] > row[2]["best_delay_ms"]]
    assert 20 < len(longer) < len(offered)
    for point, _, card, _ in longer:
        if point.clients > 1:
            busy = measure_closed(point, card["half_flush_ms"]).busy_percent
            assert busy <= point.limit * NOISE, (point, card)


def test_the_card_advises_no_change_for_numbers_that_contradict_each_other():
    """86 commits per second of 50 clients who pay 2 s each: the card once opened with these."""
    card = ask(commits_per_s=86, delay_ms=2000)
    assert card["state"] == "mismatch"
    assert all("one node" not in step for step in CARD.steps_in("mismatch"))
    assert not any(is_shown_in(text, "mismatch") for text in CARD.roll_backs())
    assert not any(is_shown_in(text, "mismatch") for text in CARD.never if "ceiling" in str(text))
    assert (card["best_delay_ms"], card["latency_best_ms"]) == ("–", "–")


@pytest.mark.parametrize("delay_ms", [0, 20])
def test_no_more_commits_are_expected_than_so_many_clients_can_make(delay_ms):
    most = 0.0
    for think_ms, spread in itertools.product((0, 0.01, 0.1, 1, 3, 5, 8), (0, 0.5, 1)):
        point = Point(50, 5, delay_ms, think_ms, spread, 100)
        most = max(most, measure_closed(point, delay_ms).rate)
    card = ask(clients=50, flush_ms=5, delay_ms=delay_ms, commits_per_s=most * 0.999)
    assert card["state"] != "mismatch"
    assert (
        ask(
            clients=50, flush_ms=5, delay_ms=delay_ms, commits_per_s=1.02 * card["closed_now_per_s"]
        )["state"]
        == "mismatch"
    )
    assert most < 1.02 * card["closed_now_per_s"]
    assert card["most_per_s"] <= 1.01 * card["closed_best_per_s"]


def test_the_best_delay_promises_no_more_than_the_card_itself_allows():
    card = ask(delay_ms=20, commits_per_s=1900, clients=50, flush_ms=5)
    assert (card["best_delay_ms"], card["most_per_s"]) == (5, 5000)


def flushes(arrivals_s, flush_s, delay_s):
    """Return the busy share of the device and the mean latency of commits at these times."""
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
    card = ask(commits_per_s=rate, clients=200, flush_ms=5, delay_ms=25, busy_limit_percent=40)
    arrivals_s = np.cumsum(np.random.default_rng(1).exponential(1 / rate, 100_000))
    best_s = card["best_delay_ms"] / 1000
    share, latency_s = flushes(arrivals_s, 0.005, best_s)
    assert share <= 0.4
    assert latency_s == pytest.approx(card["latency_best_ms"] / 1000, rel=0.01)
    assert flushes(arrivals_s, 0.005, 0.0)[1] == pytest.approx(
        card["latency_zero_ms"] / 1000, rel=0.01
    )
    dense_s = np.arange(1, 100_000) * 1e-5  # like clients that are always back at once
    assert flushes(dense_s, 0.005, best_s)[0] == pytest.approx(0.4, rel=0.01)
    assert flushes(dense_s, 0.005, 0.95 * best_s)[0] > 0.404
    assert flushes(dense_s, 0.005, 1.05 * best_s)[0] < 0.396


def test_a_device_that_is_free_enough_needs_no_delay():
    card = ask(commits_per_s=10, flush_ms=5, delay_ms=0)
    assert card["best_delay_ms"] == 0
    assert card["verdict"].startswith("Below the knee: this is the shortest")


def test_alerts_come_from_the_advised_delay_and_are_silent_at_it():
    bad, worse = (ask(commits_per_s=10, flush_ms=5, delay_ms=delay) for delay in (250, 2000))
    for name in ("latency_alarm_ms", "flush_alarm_ms", "age_alarm_s"):
        assert bad[name] == worse[name]
    assert worse["latency_now_ms"] > bad["latency_now_ms"] > bad["latency_alarm_ms"]
    assert bad["latency_alarm_ms"] > bad["latency_most_ms"] > bad["latency_best_ms"]


def commits_per_s(clients, flush_s, delay_s):
    """Simulate clients who are back within a microsecond; return their commits per second."""
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


def test_an_operator_reads_what_todays_software_offers():
    names = ("commit_siblings", "binlog_group_commit_sync_delay", "linger.ms")
    assert [name for name in names if name not in operator_words("group_commit")] == []


@pytest.mark.parametrize(
    ("delay_ms", "words"),
    [
        (0, "Below the knee: this is the shortest delay"),
        (5, "Below the knee, but the delay is longer"),
        (5.001, "Past the knee"),
    ],
)
def test_a_delay_as_long_as_a_flush_is_not_yet_over_the_knee(delay_ms, words):
    card = ask(commits_per_s=10, flush_ms=5, delay_ms=delay_ms)
    assert card["verdict"].startswith(words)
