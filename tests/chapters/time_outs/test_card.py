"""The operator's card: its knee, and its advice, held against simulations.

The advice is simulated by `threads`, at its corners and at random points. The server does 100
requests per second whatever the card says: only l/u, r, the threads and a service's share of the
timeout matter. The card allows 10,000 threads and timeouts of millions of services; beyond 40
threads and some thousand services nothing is left to chance, and the closed forms hold.
"""

import math
import random
from functools import cache, partial
from typing import Any

import numpy as np
import pytest

from tests.chapters.time_outs.threads import Run, answered_callers, run
from tests.core.asked import ask_card, operator_words
from tunables.chapters.time_outs.case import row_settings
from tunables.chapters.time_outs.predictor import FEWEST, FEWEST_IN_A_ROW, STATES
from tunables.core.card import is_shown_in, plain_text
from tunables.core.registry import find_card
from tunables.page.formats import to_three_digits
from tunables.simulators.retry_callers import simulate_retry_callers
from tunables.simulators.retry_storm import simulate_retry_storm
from tunables.theory.waiting_callers import safe_callers

ask = partial(ask_card, "time_outs")
U = 100.0  # requests per second
LET_IN = "New requests let in (with the queue bounded or the retries off)"
REFUSED = "Share of all attempts refused by a full queue"


def settings(load, threads, services, retries, **changes):
    """Return the card's settings; load: of the capacity; services: in a row, in a timeout."""
    service_ms = 1000 * threads / U
    return {
        "arrivals_per_s": load * U,
        "threads": threads,
        "service_ms": service_ms,
        "timeout_ms": service_ms * services,
        "retries": retries,
    } | changes


def least_services(threads):
    """Return the number of services in a row that a timeout must hold, by the card."""
    return max(FEWEST_IN_A_ROW, FEWEST / threads)


def points():
    """Yield (load, threads, services in a row, retries) at which the card's rules apply."""
    for threads in (1, 4, 40):
        for load in (0.02, 0.8):
            yield load, threads, least_services(threads), 0
            yield load, threads, least_services(threads), 3
    yield 0.8, 1, 500.0, 3
    yield 0.8, 1, 30.0, 20
    chance = random.Random(20261124)
    for _ in range(14):
        threads = round(40 ** chance.random())
        services = least_services(threads) * 8 ** chance.random()
        yield 0.8 * 20 ** -chance.random(), threads, services, chance.choice((0, 1, 2, 3, 5, 8))


POINTS = list(points())


def simulate(card, given, seconds=60, **rules) -> Run:
    """Return the last part of a run that ends these seconds and eight waits after an outage."""
    wait_s = card["longest_s"]
    end = rules.pop("after_s", 1.0 + card["rehearsal_s"])
    last = max(seconds, 3 * wait_s)
    return run(
        given["arrivals_per_s"],
        given["threads"],
        given["service_ms"] / 1000,
        given["timeout_ms"] / 1000,
        rules.pop("retries", given["retries"]),
        horizon_s=end + 8 * wait_s + last,
        last_s=last,
        seed=rules.pop("seed", 1),
        **rules,
    )


def outage(card):
    return 1.0, 1.0 + card["rehearsal_s"]


def alerts(card, given, found, share=1.0):
    """Return the metrics whose alerts fire, given a run and the share of requests let in."""
    values = {
        "New requests": given["arrivals_per_s"],
        LET_IN: share * given["arrivals_per_s"],
        "Attempts per new request": found.attempts,
        "Share of admitted attempts that are answered in time": 100 * found.in_time,
        "Requests in the queue": found.queue,
        "Age of the oldest request in the queue": 1000 * found.age_s,
        REFUSED: 100 * found.refused,
    }
    watches = find_card("time_outs").watch
    assert {watch.metric for watch in watches} == set(values)
    return {watch.metric for watch in watches if watch.fires(values[watch.metric], card)}


def rule_settings(rule, card):
    """Return the card's first step as a rule of `run`."""
    if rule == "queue":
        return {"queue_limit": card["queue_limit"]}
    return {"margin_s": card["margin_ms"] / 1000}


@pytest.mark.sampled
@pytest.mark.parametrize("point", POINTS, ids=str)
@pytest.mark.parametrize("rule", ["queue", "margin"])
def test_a_queue_bound_or_a_margin_ends_every_overload_and_silences_the_alerts(point, rule):
    load, _, _, retries = point
    given = settings(*point)
    card = ask(**given)
    assert card["state"] == ("above" if load * (retries + 1) > 1 else "below")
    found = simulate(card, given, seconds=600, outage=outage(card), **rule_settings(rule, card))
    assert found.answered > 0.95
    firing = alerts(card, given, found)
    # Below the knee "New requests" is for the unchanged server, and warns from 0.8 of the knee.
    expected = {"New requests"} if 0.8 < load * (retries + 1) <= 1 else set()
    assert firing == expected


STUCK = [point for point in POINTS if point[0] * (point[3] + 1) > 1.2]


@pytest.mark.sampled
@pytest.mark.parametrize("point", STUCK, ids=str)
def test_without_the_change_the_rehearsed_outage_starts_a_storm_that_the_alerts_notice(point):
    given = settings(*point)
    card = ask(**given)
    found = simulate(card, given, outage=outage(card))
    # The outage was long enough: more than a timeout's work waits.
    assert found.outage_queue > card["capacity_per_s"] * given["timeout_ms"] / 1000
    assert found.answered < 0.1
    assert alerts(card, given, found) >= {
        "Attempts per new request",
        "Share of admitted attempts that are answered in time",
        "Requests in the queue",
        "Age of the oldest request in the queue",
    }
    assert ask(**given, in_time_percent=100 * found.in_time)["state"] == "storm"


def test_a_pause_just_longer_than_the_timeout_rehearses_nothing():
    """30 per second and three retries, over the knee: 0.6 s of pause recovers, 4 s does not."""
    given = settings(0.3, 1, 50, 3)
    card = ask(**given)
    assert card["rehearsal_s"] == pytest.approx(4)
    for outage_s, recovers in ((0.6, True), (card["rehearsal_s"], False)):
        answered = [
            simulate(card, given, outage=(1.0, 1 + outage_s), seed=seed).answered
            for seed in range(4)
        ]
        assert all((share > 0.9) == recovers for share in answered)


@pytest.mark.sampled
@pytest.mark.parametrize("point", STUCK, ids=str)
def test_both_ways_out_of_a_storm_restore_the_answers_and_silence_the_alerts(point):
    given = settings(*point)
    card = ask(**given, in_time_percent=0)
    assert card["state"] == "storm"
    now_s = 2 + 2 * card["rehearsal_s"]
    common = {"outage": outage(card), "after_s": now_s, "seconds": 300}
    off = simulate(card, given, retries_off_s=now_s, purge_s=now_s, **common)
    assert off.answered > 0.95
    assert alerts(card, given, off) == set()
    share = 1 - card["refuse_percent"] / 100
    purge_s = now_s + card["longest_s"]  # clients let in before retry until then
    admitted = simulate(card, given, admit=(now_s, share), purge_s=purge_s, **common)
    assert admitted.answered > 0.95
    assert alerts(card, given, admitted, share) == set()
    # With the retries still on, at most alarm_per_s may be let in again.
    again = {"share": card["alarm_per_s"] / given["arrivals_per_s"]}
    assert again["share"] > share
    after = simulate(card, given, admit=(now_s, min(again["share"], 1)), purge_s=purge_s, **common)
    assert after.answered > 0.95
    assert alerts(card, given, after, **again) == set()


def test_emptying_the_queue_with_all_retries_on_does_not_end_a_storm():
    given = settings(0.7, 1, 50, 3)
    card = ask(**given)
    found = simulate(card, given, outage=outage(card), purge_s=20, after_s=20)
    assert found.answered < 0.1


OVERLOADED = [
    (threads, least_services(threads) * 1.01, r) for threads in (1, 4, 40) for r in (0, 3)
]


@pytest.mark.slow
@pytest.mark.parametrize(("threads", "services", "retries"), OVERLOADED)
def test_after_the_change_every_alert_can_still_fire(threads, services, retries):
    """With a bounded queue, the load is 1.5 times what the server can do.

    Alerts at the bound itself, or at the whole timeout, would stay silent.
    """
    given = settings(1.5, threads, services, retries)
    card = ask(**given | {"arrivals_per_s": 0.7 * U})
    found = simulate(card, given, queue_limit=card["queue_limit"], seconds=300)
    firing = alerts(card, given, found)
    assert firing >= {
        LET_IN,
        "Share of admitted attempts that are answered in time",
        "Requests in the queue",
        "Age of the oldest request in the queue",
        REFUSED,
    }
    assert ("Attempts per new request" in firing) == (retries > 0)
    assert found.queue < card["queue_limit"]  # the old alert was above it
    assert 1000 * found.age_s < given["timeout_ms"]  # so was the old one for the age


def test_a_budget_of_a_tenth_of_retries_still_triggers_the_alert_on_attempts():
    """Step three caps the attempts at 1.1 for each new request, so the alert must be below that."""
    given = settings(1.5, 1, 50, 3)
    card = ask(**given | {"arrivals_per_s": 0.7 * U})
    found = simulate(card, given, queue_limit=card["queue_limit"], budget=0.1, seconds=300)
    assert found.attempts < 1.11
    assert "Attempts per new request" in alerts(card, given, found)


FEW = [(1, 2.5, 0.8), (20, 2.5, 0.7), (1, 1.0, 0.1), (10, 0.5, 0.3), (3, 5.9, 0.79)]


@pytest.mark.parametrize(("threads", "services", "load"), FEW)
@pytest.mark.parametrize("retries", [0, 3, 20])
def test_the_card_advises_a_longer_timeout_if_it_holds_few_services(
    threads, services, load, retries
):
    """20 threads of 200 ms and a timeout of 500 ms once got a margin of 600 ms."""
    given = settings(load, threads, services, retries)
    card = ask(**given)
    is_calm = load * (retries + 1) <= 0.8
    assert card["state"] == ("brief" if is_calm else "few")
    assert {card["queue_limit"], card["margin_ms"], card["late_safe_per_s"]} == {"–"}
    advice = [plain_text(text) for text in find_card("time_outs").steps_in(card["state"])]
    assert any("Turn the retries off" in text for text in advice) != is_calm
    assert not any("{queue_limit}" in text or "{margin_ms}" in text for text in advice)
    # With the retries off, or harmless, the alert is silent up to the load safe without them.
    calm = Run(1, 1, 1, 0, 0, 0, 0)
    assert alerts(card, given, calm) == set()
    assert alerts(card, given, calm, share=0.81 / load) == {LET_IN}
    longer = given | {"timeout_ms": card["least_timeout_ms"], "retries": 0}
    after = ask(**longer)
    assert after["state"] == "below"
    found = simulate(after, longer, seconds=600, outage=(1, 1 + 3 * longer["timeout_ms"] / 1000))
    assert found.answered > 0.95


def test_a_margin_above_the_timeout_answers_nobody():
    """The card once advised a margin of 600 ms for a timeout of 500 ms."""
    found = run(30, 20, 0.2, 0.5, 3, seed=1, horizon_s=60, last_s=30, margin_s=0.6)
    assert found.answered == 0
    for threads, services in ((20, 6.01), (1, 30.1), (7, 6.5)):
        card = ask(**settings(0.3, threads, services, 3))
        assert card["margin_ms"] <= 10 * threads * services / 2


@pytest.mark.parametrize("load", [0.85, 0.99, 1.3, 4.0])
def test_a_nearly_full_server_recovers_once_the_cards_share_is_turned_away(load):
    given = settings(load, 2, 30, 3)
    card = ask(**given)
    assert card["state"] == "full"
    assert LET_IN in alerts(card, given, Run(1, 1, 1, 0, 0, 0, 0))
    share = 1 - card["shed_percent"] / 100
    found = simulate(card, given, admit=(0, share), retries=0, purge_s=2.0, seconds=600)
    assert found.answered > 0.95
    # The alert counts the requests let in; one that counts all arrivals would fire forever.
    assert alerts(card, given, found, 0.999 * share) == set()
    fewer = given | {"arrivals_per_s": 0.999 * share * given["arrivals_per_s"]}
    assert ask(**fewer)["state"] != "full"


@pytest.mark.parametrize(("threads", "retries"), [(1, 3), (1, 8), (4, 3), (20, 3)])
def test_skipping_late_attempts_is_safe_only_up_to_the_cards_load(threads, retries):
    """Many threads lose nearly all that they begin; the formula for one thread said 72 for all."""
    services = max(40.0 / threads, 20.0)
    safe = ask(**settings(0.1, threads, services, retries))["late_safe_per_s"]
    for share, recovers in ((0.9, True), (1.35, False)):
        given = settings(min(share * safe / U, 0.95), threads, services, retries)
        card = ask(**given)
        found = simulate(card, given, outage=outage(card), margin_s=0.0)
        assert (found.answered > 0.95) == recovers


def test_callers_are_answered_in_time_only_up_to_the_cards_number():
    """N below u T alone is not enough: the book once said so."""
    safe = int(ask(service_ms=1000 / 60, timeout_ms=1000)["safe_callers"])
    assert safe == math.floor((math.sqrt(61) - 1) ** 2) == 46
    rates = []
    for callers in (safe, 58):
        run_of = simulate_retry_callers(
            callers, 0, 60, timeout_s=1.0, retries=3, outage_s=0, horizon_s=600, seed=1
        )
        rates.append(run_of[1][100:].mean())
    assert rates[0] > 0.95 * 60
    assert rates[1] < 0.5 * 60


@pytest.mark.parametrize(
    ("threads", "service_ms", "timeout_ms"),
    [(10, 50, 500), (20, 100, 600), (100, 100, 600), (100, 100, 1000)],
)
def test_callers_of_several_threads_are_answered_up_to_the_cards_number(
    threads, service_ms, timeout_ms
):
    """A service then takes a sixth to a tenth of the timeout, however short the queue is."""
    card = ask(threads=threads, service_ms=service_ms, timeout_ms=timeout_ms)
    callers, capacity = int(card["safe_callers"]), card["capacity_per_s"]
    found = answered_callers(callers, threads, service_ms / 1000, timeout_ms / 1000)
    assert found > 0.95 * capacity
    # The rule for one thread promised more callers an answer, and half again as many have it late.
    more = int(safe_callers(capacity, timeout_ms / 1000))
    assert more > callers
    assert answered_callers(more, threads, service_ms / 1000, timeout_ms / 1000) < 0.9 * capacity


def test_the_numbers_to_turn_away_and_to_wait_are_enough_as_shown():
    for arrivals in (85, 480, 5300, 60_000):
        card = ask(arrivals_per_s=arrivals)
        left = arrivals * (1 - card["shed_percent"] / 100)
        assert left <= card["full_alarm_per_s"] + 1e-9
        assert round(card["shed_percent"], 1) == card["shed_percent"]
    for service_ms, threads in ((1000 / 140, 1), (1.234, 5)):
        given = {"arrivals_per_s": 1, "service_ms": service_ms, "threads": threads}
        least_ms = to_three_digits(ask(timeout_ms=1, **given)["least_timeout_ms"])
        assert ask(timeout_ms=float(least_ms), **given)["state"] not in ("few", "brief")


def test_a_nearly_full_server_whose_retries_stay_on_has_a_way_out():
    given = settings(0.85, 1, 100, 3, in_time_percent=0)
    card = ask(**given)
    assert card["state"] == "full"
    assert "If you can't turn the retries off, turn away {refuse_percent}%" in steps_text("full")
    share = 1 - card["refuse_percent"] / 100
    let_in = 1.0 + card["rehearsal_s"]
    purge = let_in + card["longest_s"]
    rules = {"outage": outage(card), "purge_s": purge, "seconds": 600}
    assert simulate(card, given, admit=(let_in, share), **rules).answered > 0.95
    # With the retries on, turning away the excess alone does not help.
    excess = 1 - card["shed_percent"] / 100
    assert simulate(card, given, admit=(let_in, excess), **rules).answered < 0.5


def test_the_card_opens_with_one_row_of_the_note():
    opened = find_card("time_outs").model.settings()
    row = row_settings("flush")
    assert opened["timeout_ms"] == 1000 * row["timeout_s"]
    assert opened["retries"] == row["retries"]


def test_each_state_has_steps_a_roll_back_and_alerts():
    card = find_card("time_outs")
    assert card.states == STATES
    for state in STATES:
        assert 3 <= len(card.steps_in(state)) <= 6
        assert sum(is_shown_in(text, state) for text in card.roll_backs()) == 1
        assert any(is_shown_in(watch, state) for watch in card.watch)


def steps_text(state):
    """Return the steps of a state in one text, with their placeholders."""
    return " ".join(find_card("time_outs").steps_in(state))


def test_the_alert_on_new_requests_is_only_for_the_state_below():
    """Above the knee, or with a timeout that is too short, it would fire at once and forever."""
    (watch,) = [each for each in find_card("time_outs").watch if each.metric == "New requests"]
    assert watch.states == ("below",)
    for load, retries, fires in ((0.19, 3, False), (0.24, 3, True), (0.3, 3, False)):
        given = settings(load, 1, 50, retries)
        card = ask(**given)
        assert watch.fires(given["arrivals_per_s"], card) == fires


def test_below_the_knee_the_first_step_is_to_find_what_slows_the_server():
    assert "first find out what slows the server" in find_card("time_outs").steps_in("below")[0]
    assert "find out what slows the server" not in steps_text("above")
    for state in ("below", "above"):
        assert "ound the server's queue at {queue_limit} requests" in steps_text(state)


@pytest.mark.parametrize("load", [0.01, 0.19, 0.5, 0.8])
def test_the_rehearsed_outage_never_exceeds_the_queues_bound(load):
    given = settings(load, 1, 50, 3)
    card = ask(**given)
    found = simulate(card, given, outage=outage(card), queue_limit=card["queue_limit"])
    assert found.outage_queue <= card["queue_limit"]
    assert found.answered > 0.95


def test_the_card_gives_no_safe_number_of_retries_if_not_even_none_are_safe():
    assert ask(**settings(0.8, 1, 50, 3))["safe_retries"] == 0
    assert ask(**settings(0.81, 1, 50, 3))["safe_retries"] == "–"


@cache
def random_cards():
    """Return cards at random points of the whole range of the inputs, corners included."""
    chance = random.Random(2)
    parameters = find_card("time_outs").model.parameters
    cards = []
    for number in range(1000):
        values = {}
        for p in parameters:
            ends = number < 200 and chance.random() < 0.7
            share = chance.choice((0.0, 1.0)) if ends else chance.random()
            value = (
                p.low * (p.high / p.low) ** share
                if p.scale == "log"
                else (p.low + (p.high - p.low) * share)
            )
            values[p.name] = min(max(round(value) if p.integer else value, p.low), p.high)
        cards.append((values, ask(**values)))
    return cards


@pytest.mark.slow
def test_the_cards_numbers_are_consistent_everywhere():
    """No run is simulated at 1e5 requests per second; these relations stand in for it."""
    states = set()
    for given, card in random_cards():
        states.add(card["state"])
        timeout_ms, capacity = given["timeout_ms"], card["capacity_per_s"]
        if card["state"] in ("below", "above"):
            held = capacity * timeout_ms / 1000
            assert FEWEST / 2 - 1 <= card["queue_limit"] <= held / 2 * (1 + 1e-9)
            assert card["queue_alarm"] == card["queue_limit"] / 2
            assert 1000 * card["queue_limit"] / capacity + card["margin_ms"] <= timeout_ms * 1.001
            assert card["margin_ms"] <= timeout_ms / 2 * 1.001
            assert card["safe_retries"] >= 0
            low, high = card["safe_arrivals_per_s"], capacity
            assert low * (1 - 1e-9) <= card["late_safe_per_s"] <= high * (1 + 1e-9)
        if card["state"] == "full":
            left = given["arrivals_per_s"] * (1 - card["shed_percent"] / 100)
            over = card["full_alarm_per_s"] - left
            assert -1e-9 < over / given["arrivals_per_s"] <= 0.001 + 1e-9
        attempts = given["retries"] + 1
        assert card["admit_per_s"] * attempts == pytest.approx(capacity / 2)
        assert card["age_alarm_ms"] < timeout_ms / 2
    assert states == set(STATES)


def survivors(arrivals, card, retries, timeout_s):
    """Return how many of four servers serve their last 100 s after an outage of 10 s."""
    count = 0
    for seed in range(4):
        rates = (arrivals, card["capacity_per_s"], timeout_s, retries)
        answered = simulate_retry_storm(*rates, outage_s=10, horizon_s=900, seed=seed)[1]
        count += answered[-100:].mean() > 0.8 * arrivals
    return count


@pytest.mark.parametrize(("retries", "threads"), [(3, 1), (1, 2)])
def test_the_storm_ends_below_the_safe_load_and_holds_above(retries, threads):
    settings = {"retries": retries, "threads": threads, "service_ms": 10 * threads}
    settings["timeout_ms"] = 500
    knee = ask(**settings)["safe_arrivals_per_s"]
    for share, expected, words in ((0.95, 4, "recovers"), (1.05, 0, "keeps itself going")):
        card = ask(arrivals_per_s=share * knee, **settings)
        assert words in card["verdict"]
        assert survivors(share * knee, card, retries, 0.5) == expected
        fewer = int(card["safe_retries"])
        assert fewer < retries  # less than a fifth of the load is spare
        assert survivors(share * knee, card, fewer, 0.5) == 4


@pytest.mark.parametrize(("arrivals", "retries"), [(50, 1), (25, 3), (20, 4)])
def test_at_the_knee_itself_no_recovery_is_promised_and_none_advised(arrivals, retries):
    """Users type round numbers: there the queue neither grows nor shrinks on average."""
    card = ask(arrivals_per_s=arrivals, retries=retries)
    assert card["state"] == "above"
    assert card["spare_percent"] == pytest.approx(0)
    assert card["safe_retries"] < retries
    assert survivors(arrivals, card, retries, 1.0) < 4
    assert survivors(arrivals, card, int(card["safe_retries"]), 1.0) == 4


def test_a_storm_just_below_the_knee_lasts_and_is_ended_as_one_past_it():
    """24.9 per second and three retries need 99.6% of the server if all are late."""
    given = settings(0.249, 1, 100, 3)
    card = ask(**given, in_time_percent=0)
    assert card["state"] == "near"
    assert find_card("time_outs").steps_in("near")[0].startswith("Turn the retries off now")
    start_s = 2 + card["rehearsal_s"]
    common = {"outage": outage(card), "after_s": start_s + 20, "seconds": 60}
    assert simulate(card, given, **common).answered < 0.1
    ended = simulate(card, given, retries_off_s=start_s, purge_s=start_s, **common)
    assert ended.answered > 0.95
    assert ask(**given)["state"] == "below"


def test_just_below_the_knee_the_verdict_says_that_recovery_takes_long():
    assert "many minutes" in ask(arrivals_per_s=33, retries=2)["verdict"]
    assert "many minutes" not in ask(arrivals_per_s=80 / 3, retries=2)["verdict"]


@pytest.mark.parametrize("retries", [3, 8])
@pytest.mark.parametrize("arrivals", [50, 80])
def test_the_cards_queue_bound_and_its_margin_end_every_storm(arrivals, retries):
    card = ask(arrivals_per_s=arrivals, retries=retries, timeout_ms=500)
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


def test_skipping_only_late_attempts_is_safe_up_to_a_lower_load():
    assert ask(retries=3)["late_safe_per_s"] == pytest.approx(71.9, abs=0.1)
    assert ask(retries=0)["late_safe_per_s"] == pytest.approx(100)


def seconds_to_drain(**rules):
    """Return how long 30 requests per second stay late after a storm of 280 s ends at 300 s."""
    times = []
    for seed in range(4):
        good = simulate_retry_storm(30, 100, 0.5, 3, horizon_s=900, seed=seed, **rules)[1] > 0
        times.append(int(np.flatnonzero(good[300:])[0]))
    return times


def test_the_queue_of_a_storm_drains_as_the_card_says():
    card = ask(arrivals_per_s=30, timeout_ms=500)
    off = seconds_to_drain(retries_off_s=300)
    assert np.mean(off) == pytest.approx(280 / 60 * card["drain_s"], rel=0.1)
    share = card["refuse_percent"] / 100
    assert 0 <= card["admit_per_s"] - 30 * (1 - share) <= 0.03
    # Half of the server drains what the storm added; clients that wait retry for a while.
    admitted = seconds_to_drain(shed_share=share, shed_from_s=300)
    expected = card["growth_per_s"] * 280 / (card["capacity_per_s"] / 2)
    assert np.mean(admitted) == pytest.approx(expected, rel=0.1)
    assert max(seconds_to_drain(retries_off_s=300, purge_s=300)) <= 1


def test_the_verdict_names_an_overload_a_storm_and_a_short_timeout():
    assert "Overloaded" in ask(arrivals_per_s=101)["verdict"]
    assert "Nearly full" in ask(arrivals_per_s=97)["verdict"]
    card = ask(arrivals_per_s=78, timeout_ms=300, retries=20)
    assert "keeps itself going" in card["verdict"]
    assert card["tipping_per_s"] > 78
    assert "no retry storm" in ask(arrivals_per_s=20, in_time_percent=10)["verdict"]
    assert "in a storm" in ask(arrivals_per_s=30, in_time_percent=10)["verdict"]
    assert "timeout is too short" in ask(arrivals_per_s=30, timeout_ms=250)["verdict"]


def test_an_operator_reads_what_todays_software_offers():
    names = (
        "circuit_breakers",
        "retry_budget",
        "Deadlines travel with requests",
        "CoDel (which drops requests when waits stay long) and newest-first queues",
        "max_pending_requests",
        "hedgingPolicy",
    )
    assert [name for name in names if name not in operator_words("time_outs")] == []
