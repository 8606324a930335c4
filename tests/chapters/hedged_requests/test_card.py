"""The card's advice followed in the simulator, over its range."""

import itertools
import random
from functools import partial

import numpy as np
import pytest

from tests.core.asked import ask_card
from tunables.chapters.hedged_requests.predictor import (
    ALARM,
    BUSY_PERCENT,
    FULL_PERCENT,
    HOPELESS_PERCENT,
    STATES,
    UNCANCELLED_PERCENT,
)
from tunables.core.card import When
from tunables.core.registry import find_card
from tunables.simulators.hedged_requests import simulate_hedged_requests

ask = partial(ask_card, "hedged_requests")
CARD = find_card("hedged_requests")


def inside():
    """Return settings drawn inside the card's range."""
    chance, found = random.Random(2013), []
    for _ in range(1500):
        p50 = 10 ** chance.uniform(-1, 3)
        p95 = p50 * chance.uniform(1.2, 10)
        settings = {
            "load_percent": chance.uniform(1, 98),
            "p50_ms": p50,
            "p95_ms": p95,
            "p99_ms": p95 * chance.uniform(1.1, 10),
            "delay_ms": chance.choice([0, p50, p95, 3 * p95]),
            "copies_percent": chance.choice([0, 1, 10, 60, 100]),
            "both_slow_percent": chance.choice([0, 10, 40, 70, 100]),
        }
        found.append(settings)
    return found


def corners():
    """Return the corners of the card's fields, and what is at and beside each of its limits."""
    names = ("load_percent", "delay_ms", "copies_percent", "both_slow_percent")
    values = (
        (0.1, 20, 42, 43, 50, 50.1, 60, 80, 80.1, 81, 85, 86.6, 95, 99),
        (0, 4.9, 5, 10, 600_000),
        (0, 5, 7.5, 7.6, 17, 25, 66.6, 67, 100),
        (0, 49.9, 50, 100),
    )
    leaf = {"p50_ms": 1, "p95_ms": 5, "p99_ms": 10}
    return [leaf | dict(zip(names, each, strict=True)) for each in itertools.product(*values)]


POINTS = [(settings, CARD.model.predict(**settings)) for settings in inside() + corners()]
OFF = ("full", "near", "storm")  # the states in which no copy may be sent


def test_the_points_meet_all_states():
    seen = [card["state"] for _, card in POINTS]
    assert all(seen.count(state) >= 20 for state in STATES)
    assert set(seen) == set(STATES) == set(CARD.states)


def test_verdict_knee_and_spare_copies_agree():
    for settings, card in POINTS:
        copies, knee = settings["copies_percent"], card["safe_budget_percent"]
        past = card["busy_percent"] >= 100
        assert card["verdict"].startswith("Past the knee" if past else "Below the knee")
        assert copies >= knee * (1 - 1e-9) if past else copies < knee or knee == 100
        assert (card["state"] == "storm") == past
        if card["state"] in OFF:
            assert any(step.startswith("Turn second copies off") for step in steps(card))
        if card["spare_percent"]:
            assert card["state"] == "calm"
            assert copies + card["spare_percent"] <= card["budget_percent"] * (1 + 1e-9)


def test_the_state_follows_from_the_load_the_copies_and_the_delay():
    for settings, card in POINTS:
        copies, most = settings["copies_percent"], ALARM * card["budget_percent"]
        if card["state"] in ("near", "storm"):
            assert card["busy_percent"] > BUSY_PERCENT
        if card["state"] == "full":
            assert settings["load_percent"] > FULL_PERCENT
        if card["state"] not in OFF:
            assert settings["load_percent"] <= FULL_PERCENT
            assert card["busy_percent"] <= BUSY_PERCENT
            assert card["budget_percent"] <= card["safe_budget_percent"] / 2 + 1e-9
        if card["state"] == "calm":
            assert settings["both_slow_percent"] < HOPELESS_PERCENT
            assert max(copies, card["expected_percent"]) <= most
        if card["state"] in ("hasty", "many"):
            assert max(copies, card["expected_percent"]) > most


def steps(card):
    """Return the card's steps with their numbers."""
    return [step.format(**card) for step in CARD.steps_in(card["state"])]


def test_a_longer_delay_is_advised_only_if_the_present_one_is_shorter():
    for settings, card in POINTS:
        longer = any(step.startswith("Make the delay at least") for step in steps(card))
        kept = any(step.startswith("Leave the delay as it is") for step in steps(card))
        short = settings["delay_ms"] < card["advised_delay_ms"]
        assert longer == (card["state"] == "hasty")
        assert kept == (card["state"] == "many")
        assert not (longer and not short)
        assert not (kept and short)


def test_copies_come_back_under_one_condition_wherever_they_are_off():
    backs = [text for text in CARD.roll_backs() if isinstance(text, When)]
    (back,) = {text.text for text in backs if set(text.states) & set(OFF)}
    assert "below 80% for a whole day and a budget of {budget_percent} copies" in back
    for state in OFF:
        for step in CARD.steps_in(state):
            assert "80%" not in step or "below 80% for a whole day" in step


def test_the_budget_leaves_room_for_every_load():
    for settings, card in POINTS:
        busy = settings["load_percent"] * (1 + card["budget_percent"] / 100)
        assert busy < 100


SERVERS, SERVICE_MS = 20, 10


def percentile_ms(load_percent, share):
    """Return the time that this share of the answers of M/M/1 servers exceeds."""
    return -np.log(share) * SERVICE_MS / (1 - load_percent / 100)


def ask_busy(load_percent, delay, copies_percent, both_slow_percent=10.0):
    """Return the card and the delay of servers with this load; delay: a multiple of their p95."""
    p50, p95, p99 = (percentile_ms(load_percent, share) for share in (0.5, 0.05, 0.01))
    card = ask(
        load_percent=load_percent, p50_ms=p50, p95_ms=p95, p99_ms=p99, delay_ms=delay * p95,
        copies_percent=copies_percent, both_slow_percent=both_slow_percent,
    )  # fmt: skip
    return card, delay * p95


def after_a_stop(load_percent, delay_ms, budget_percent, busy_percent):
    """Return copies per 100 requests and the share of late answers, long after all stopped.

    An answer is late after one and a half times the 99th percentile of servers that busy.
    """
    run = simulate_hedged_requests(
        SERVERS, 1000 * SERVERS / SERVICE_MS * load_percent / 100, SERVICE_MS / 1000,
        delay_ms / 1000, budget=budget_percent / 100, spells=[(None, 0.0, 0.3)],
        requests=60_000, seed=1,
    )  # fmt: skip
    late_s = 1.5 * percentile_ms(busy_percent, 0.01) / 1000
    return (
        100 * np.mean(~np.isnan(run.sent_s[45_000:, 1])),
        np.mean(run.latency_s[45_000:] > late_s),
    )


def advised(card, delay_ms):
    """Return the delay that the card's steps leave."""
    return card["advised_delay_ms"] if card["state"] in ("calm", "hasty") else delay_ms


@pytest.mark.parametrize("both_slow_percent", [10, 60])
@pytest.mark.parametrize("copies_percent", [0, 100])
@pytest.mark.parametrize("delay", [0, 0.5, 3])
@pytest.mark.parametrize("load_percent", [20, 60, 80, 85, 95])
def test_servers_that_follow_the_card_recover_from_a_stop(
    load_percent, delay, copies_percent, both_slow_percent
):
    card, delay_ms = ask_busy(load_percent, delay, copies_percent, both_slow_percent)
    named = any("{budget_percent}" in step for step in CARD.steps_in(card["state"]))
    assert named == (card["state"] != "full")
    budget = card["budget_percent"] if named else 0.0  # with a full server, no copy at all
    busy = load_percent * (1 + budget / 100)
    copies, late = after_a_stop(load_percent, advised(card, delay_ms), budget, busy)
    assert copies <= 1.1 * budget
    assert late < 0.05


@pytest.mark.parametrize("load_percent", [20, 60, 80, 85, 95])
def test_a_longer_delay_alone_makes_nothing_worse(load_percent):
    card, delay_ms = ask_busy(load_percent, 0, 0)
    before, after = (
        after_a_stop(load_percent, each, 100, load_percent)
        for each in (delay_ms, card["advised_delay_ms"])
    )
    assert after[0] <= before[0]
    assert after[1] <= before[1] + 0.01
    assert (before[1] > 0.9) == (load_percent > 50)  # without a budget it is a storm


def test_wherever_copies_may_be_sent_the_card_says_from_what_load_they_must_be_cancelled():
    """Once the card let a client whose copies share their slowness ask twice at 75%."""
    for state in set(STATES) - set(OFF):
        [step] = [step for step in CARD.steps_in(state) if step.startswith("Cancel the other copy")]
        assert f"ask twice only while the load is below {UNCANCELLED_PERCENT:g}%" in step


def advised_p99_ms(load_percent, **rule):
    """Return the 99th percentile with no copies, and with the card's delay, budget and a rule."""
    card, _ = ask_busy(load_percent, 1, 0)
    budget, delay_s = card["budget_percent"] / 100, card["advised_delay_ms"] / 1000
    runs = (
        simulate_hedged_requests(
            SERVERS, 1000 * SERVERS / SERVICE_MS * load_percent / 100, SERVICE_MS / 1000, each,
            budget=budget, requests=400_000, seed=1, **rule,
        )
        for each in (np.inf, delay_s)
    )  # fmt: skip
    return [1000 * np.percentile(run.latency_s, 99) for run in runs]


@pytest.mark.slow
@pytest.mark.parametrize("load_percent", [30, 45, UNCANCELLED_PERCENT])
def test_up_to_the_load_that_the_card_names_copies_need_not_be_cancelled(load_percent):
    without, advised_ms = advised_p99_ms(load_percent)
    assert advised_ms < 0.95 * without


@pytest.mark.slow
@pytest.mark.parametrize("load_percent", [75, FULL_PERCENT])
def test_at_higher_loads_copies_that_nobody_cancels_save_next_to_nothing(load_percent):
    for rule, helps in (("run", False), ("drop", True), ("tie", True)):
        without, advised_ms = advised_p99_ms(load_percent, rule=rule)
        least = without if load_percent == FULL_PERCENT else 0.97 * without
        assert advised_ms < 0.8 * without if helps else advised_ms > least


@pytest.mark.parametrize("load_percent", [60, 80])
def test_the_queues_of_a_storm_drain_in_the_time_that_the_card_says(load_percent):
    """While all is sent twice at once, work piles up; the load leaves the rest for draining."""
    card, _ = ask_busy(load_percent, 1, 100)
    assert card["state"] == "storm"
    rate = 1000 * SERVERS / SERVICE_MS * load_percent / 100
    run = simulate_hedged_requests(
        SERVERS, rate, SERVICE_MS / 1000, 0, requests=round(60 * rate), seed=1
    )
    last_s = [np.max(run.ended_s[run.server == server]) for server in range(SERVERS)]
    left_s = np.mean(last_s) - run.asked_s[-1]  # of work for each server
    assert card["drain_s"] == pytest.approx(left_s / (1 - load_percent / 100), rel=0.1)


def test_hedging_never_makes_the_promised_percentile_longer():
    for _, card in POINTS:
        assert card["hedged_p99_ms"] <= card["p99_once_ms"] * (1 + 1e-9)
        assert card["saved_percent"] >= -1e-9


def test_what_is_shared_is_not_saved():
    saved = [ask(both_slow_percent=share)["saved_percent"] for share in (0, 20, 60, 100)]
    assert saved == sorted(saved, reverse=True)
    assert saved[-1] == pytest.approx(0, abs=1e-6)


def test_percentiles_that_do_not_rise_are_refused_by_the_name_of_the_other():
    with pytest.raises(ValueError, match=r"p95_ms = 5.0: must be above the median, 12 ms"):
        ask(p50_ms=12, p95_ms=5)
    with pytest.raises(ValueError, match=r"must be above the 95th percentile, 80 ms"):
        ask(p50_ms=12, p95_ms=80, p99_ms=50)
