"""The retry storm and interventions in it: the event-by-event reference, M/M/1, the stuck state."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.simulators.interval import confidence_interval
from tunables.simulators.relief import relief
from tunables.simulators.retry_deeds import DEEDS, checked_deeds
from tunables.simulators.retry_storm import scenario, simulate_retry_storm, trace_retry_storm
from tunables.simulators.retry_storm_kernel import ANSWERED, columns, retry_storm_kernel, room
from tunables.simulators.retry_storm_reference import retry_storm_reference

RULES = [
    {},
    {"drop": "stale"},
    {"drop": "stale", "margin_s": 0.03},
    {"drop": "remaining"},
    {"queue_limit": 7},
    {"queue_limit": 20, "drop": "stale", "purge_s": 3},
    {"purge_s": 5},
    {"retries_off_s": 4},
    {"retry_budget": 0.1},
    {"retry_budget": 0.5, "budget_burst": 3},
    {"shed_share": 0.6, "shed_from_s": 2, "shed_until_s": 5},
]


def attempts(arguments):
    """Return the rows that the kernel writes for the result of `scenario`; check its counts."""
    counts, written = np.zeros((2, 12), np.int64), room(20_000)
    count, *series = columns(retry_storm_kernel(*arguments, counts, *written), *written)
    assert count == len(series[0])
    asked_s, fate = series[0], series[5]
    edges = range(13)
    expected = [np.histogram(sent, edges)[0] for sent in (asked_s, asked_s[fate == ANSWERED])]
    assert counts.tolist() == [each.tolist() for each in expected]
    return list(zip(*(column.tolist() for column in series), strict=True))


@pytest.mark.slow
@settings(deadline=None, derandomize=True, max_examples=150)
@given(
    st.sampled_from([0, 5, 24, 60, 120]),
    st.sampled_from([0.05, 0.5]),
    st.integers(0, 4),
    st.sampled_from([(2, 0), (2, 2), (0, 1)]),
    st.sampled_from([(0, 0), (0.3, 2.0)]),
    st.sampled_from(RULES),
    st.booleans(),
    st.integers(0, 99),
)
def test_kernel_equals_reference_bit_for_bit(
    rate, timeout_s, retries, outage, backoff, rules, any_answer, seed
):
    (start_s, stop_s), (base_s, cap_s) = outage, backoff
    arguments = scenario(
        rate, 100, timeout_s, retries, start_s, stop_s, 8, base_s, cap_s, seed, relief(**rules),
        any_answer=any_answer,
    )  # fmt: skip
    assert attempts(arguments) == retry_storm_reference(*arguments)


@pytest.mark.parametrize("rules", RULES[1:])
def test_each_rule_changes_a_storm(rules):
    storm: dict[str, Any] = {"horizon_s": 8, "outage_start_s": 2, "outage_s": 2, "seed": 1}
    plain, ruled = trace_retry_storm(40, 100, **storm), trace_retry_storm(40, 100, **storm | rules)
    assert plain.fate.tolist() != ruled.fate.tolist()


def share_answered_at_the_end(rate, seconds=60, seeds=20, **settings):
    """Return, by seed, the share of requests answered in the last seconds of the run."""
    runs = [simulate_retry_storm(rate, 100, seed=seed, **settings)[1] for seed in range(seeds)]
    return np.array([answered[-seconds:].mean() / rate for answered in runs])


def test_load_24_recovers_and_30_collapses_for_good():
    """l (r + 1) = 96 and 120 against u = 100; 24 recovers slowly, at 4 per second."""
    recovered = share_answered_at_the_end(24, horizon_s=600)
    assert recovered.min() > 0.8
    assert share_answered_at_the_end(30, horizon_s=600).max() == 0


def test_jitter_does_not_save_load_70_but_cancelling_does_with_three_retries():
    jitter = {"backoff_base_s": 0.5, "backoff_cap_s": 8.0}
    assert share_answered_at_the_end(70).max() == 0
    assert share_answered_at_the_end(70, **jitter).max() == 0
    assert share_answered_at_the_end(70, cancel_stale=True).min() > 0.9
    assert share_answered_at_the_end(70, cancel_stale=True, **jitter).min() > 0.9


@pytest.mark.parametrize("rate", [24, 30, 70])
def test_nothing_tips_without_an_outage(rate):
    assert share_answered_at_the_end(rate, outage_s=0.0).min() > 0.8


def test_the_stuck_state_sends_every_attempt():
    """Offered load l (r + 1)."""
    runs = [simulate_retry_storm(40, 100, seed=seed)[0][60:].mean() for seed in range(12)]
    mean, half_width = confidence_interval(runs, level=0.999)
    assert abs(40 * 4 - mean) <= half_width


@pytest.mark.parametrize("rate", [50, 80])
def test_without_retries_it_is_an_mm1_queue(rate):
    """P(sojourn > T) = exp(-(u - l) T)."""
    late = []
    for seed in range(12):
        offered, answered = simulate_retry_storm(
            rate, 100, 0.05, 0, outage_s=0, horizon_s=600, seed=seed
        )
        late.append(1 - answered[20:].sum() / offered[20:].sum())
    mean, half_width = confidence_interval(late, level=0.999)
    assert abs(math.exp(-(100 - rate) * 0.05) - mean) <= half_width
    assert half_width < 0.1 * mean


@settings(deadline=None, derandomize=True, max_examples=30)
@given(
    st.integers(1, 60), st.integers(0, 4), st.sampled_from(["none", "stale"]), st.integers(0, 99)
)
def test_more_retries_never_lower_the_load(rate, retries, drop, seed):
    """A run with one retry more sends at least as many attempts."""
    fewer, more = (
        trace_retry_storm(rate, 100, retries=r, horizon_s=60, seed=seed, drop=drop, rows=0).rows
        for r in (retries, retries + 1)
    )
    assert more >= fewer


def test_answered_never_exceeds_offered_and_seeds_count():
    offered, answered = simulate_retry_storm(30, 100, seed=4)
    assert len(offered) == len(answered) == 120
    assert (answered <= offered).all()
    assert (offered == simulate_retry_storm(30, 100, seed=4)[0]).all()
    assert (offered != simulate_retry_storm(30, 100, seed=5)[0]).any()


def test_a_budget_bounds_the_attempts_by_its_share_of_the_requests():
    """A tenth of a retry per request, and ten saved up: l (1 + 0.1) per second, plus ten."""
    for seed in range(4):
        trace = trace_retry_storm(
            80, 100, retries=8, outage_s=50, horizon_s=100, seed=seed, retry_budget=0.1
        )
        fresh = int((trace.tried == 0).sum())
        assert 1.05 * fresh < trace.rows <= 1.1 * fresh + 10


def test_a_bounded_queue_loses_what_an_mm1_queue_of_that_length_does():
    """Blocking of M/M/1/K, K = queue_limit + 1: (1 - a) a^K / (1 - a^(K + 1)), a = l/u."""
    lost = []
    for seed in range(12):
        offered, answered = simulate_retry_storm(
            120, 100, 50, 0, outage_s=0, horizon_s=600, seed=seed, queue_limit=4
        )
        lost.append(1 - answered[20:].sum() / offered[20:].sum())
    mean, half_width = confidence_interval(lost, level=0.999)
    a, places = 1.2, 5
    assert abs((1 - a) * a**places / (1 - a ** (places + 1)) - mean) <= half_width
    assert half_width < 0.02 * mean


def test_shedding_turns_away_its_share_of_the_new_requests_of_that_time():
    offered = simulate_retry_storm(
        80, 100, 50, 0, outage_s=0, horizon_s=300, shed_share=0.25, shed_from_s=100,
        shed_until_s=200,
    )[0]  # fmt: skip
    thirds = [part.mean() for part in np.split(offered, 3)]
    assert thirds == pytest.approx([80, 60, 80], rel=0.05)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"arrival_rate": -1}, "arrival_rate = -1"),
        ({"service_rate": 0}, "service_rate = 0"),
        ({"timeout_s": 0}, "timeout_s = 0"),
        ({"retries": 1.5}, "retries = 1.5"),
        ({"outage_s": -1}, "outage_s = -1"),
        ({"outage_start_s": math.nan}, "outage_start_s = nan"),
        ({"horizon_s": 0.5}, "horizon_s = 0.5"),
        ({"backoff_base_s": -1}, "backoff_base_s = -1"),
        ({"backoff_cap_s": math.inf}, "backoff_cap_s = inf"),
        ({"seed": -1}, "seed = -1"),
        ({"drop": "late"}, "drop = 'late': must be one of none, stale, remaining"),
        ({"margin_s": -1}, "margin_s = -1"),
        ({"queue_limit": 0}, "queue_limit = 0: .* at least 1"),
        ({"purge_s": math.nan}, "purge_s = nan"),
        ({"retries_off_s": -1}, "retries_off_s = -1"),
        ({"retry_budget": -0.1}, "retry_budget = -0.1"),
        ({"retry_budget": 0.1, "budget_burst": 0}, "budget_burst = 0"),
        ({"shed_share": 1.1}, "shed_share = 1.1"),
        ({"shed_from_s": -1}, "shed_from_s = -1"),
        ({"shed_until_s": -1}, "shed_until_s = -1"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(ValueError, match=message):
        simulate_retry_storm(**{"arrival_rate": 30, "service_rate": 100} | arguments)


OUTAGE = {"outage_start_s": 2, "outage_s": 2, "horizon_s": 12}
STALE = [(0, "skip", 1)]
VALUES: dict[str, list] = {
    "server": [0, 1], "drop the line": [0], "skip": [0, 1, 2], "retries": [0, 1, 5],
    "queue limit": [1, 6.5, 40], "retry budget": [0, 0.1, 2], "turn away": [0, 0.4, 1],
}  # fmt: skip
a_time = st.one_of(st.sampled_from([0.0, 2.0, 4.0]), st.floats(0, 9))
any_deed = st.sampled_from(DEEDS).flatmap(
    lambda deed: st.tuples(a_time, st.just(deed), st.sampled_from(VALUES[deed]))
)


@pytest.mark.slow
@settings(deadline=None, derandomize=True, max_examples=300)
@given(
    st.lists(any_deed, max_size=6),
    st.sampled_from([5, 40, 120]),
    st.integers(0, 3),
    st.sampled_from([0, 2]),
    st.sampled_from([(0, 0), (0.3, 2.0)]),
    st.sampled_from([{}, {"drop": "stale", "margin_s": 0.03}, {"retry_budget": 0.3}]),
    st.booleans(),
    st.integers(0, 99),
)
def test_kernel_equals_reference_with_interventions(
    deeds, rate, retries, outage_s, backoff, rules, any_answer, seed
):
    """The server may be stopped while it is stopped, and never started again."""
    base_s, cap_s = backoff
    arguments = scenario(
        rate, 100, 0.5, retries, 2, outage_s, 8, base_s, cap_s, seed, relief(**rules), deeds,
        any_answer,
    )  # fmt: skip
    assert attempts(arguments) == retry_storm_reference(*arguments)


@pytest.mark.parametrize(
    ("rules", "deeds"),
    [
        ({"drop": "stale"}, STALE),
        ({"drop": "remaining"}, [(0, "skip", 2)]),
        ({"drop": "stale", "purge_s": 6}, [*STALE, (6, "drop the line", 0)]),
        ({"retries_off_s": 5.5}, [(5.5, "retries", 0)]),
        ({"queue_limit": 9}, [(0, "queue limit", 9)]),
        ({"retry_budget": 0.3}, [(0, "retry budget", 0.3)]),
        (
            {"shed_share": 0.6, "shed_from_s": 5, "shed_until_s": 8},
            [(8, "turn away", 0), (5, "turn away", 0.6)],
        ),
        ({"outage_start_s": 3, "outage_s": 1.5}, [(3, "server", 0), (4.5, "server", 1)]),
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_an_intervention_and_an_equivalent_rule_give_the_same_bits(rules, deeds, seed):
    usual = dict(OUTAGE, seed=seed)
    if "outage_s" in rules:
        usual["outage_s"] = 0
    budget = {"budget_burst": 10.0} if "retry_budget" in rules else {}
    ruled = trace_retry_storm(40, 100, **usual | rules | budget)
    done = trace_retry_storm(40, 100, **usual, deeds=deeds)
    plain = trace_retry_storm(40, 100, **usual)
    assert [column.tolist() for column in ruled[1:]] == [column.tolist() for column in done[1:]]
    assert ruled.fate.tolist() != plain.fate.tolist()


@settings(deadline=None, derandomize=True, max_examples=60)
@given(any_deed, st.booleans(), st.integers(0, 9))
def test_before_an_intervention_nothing_changes(deed, backoff, seed):
    """Attempts that had ended stay the same; later pauses and attempts have other draws."""
    usual = OUTAGE | {"backoff_base_s": 0.2 * backoff, "backoff_cap_s": 1, "seed": seed}
    time_s = deed[0]
    plain = trace_retry_storm(40, 100, **usual)
    done = trace_retry_storm(40, 100, **usual, deeds=[deed])
    before = int(np.searchsorted(plain.asked_s, time_s))
    for column, changed in zip(plain[1:], done[1:], strict=True):
        over = plain.left_s[:before] < time_s
        assert column[:before][over].tolist() == changed[:before][over].tolist()
    for column, changed in ((plain.asked_s, done.asked_s), (plain.request, done.request)):
        assert column[:before].tolist() == changed[:before].tolist()


def test_a_list_of_outages():
    """Nothing is served during an outage, and stopping a stopped server changes nothing."""
    deeds = [(4, "server", 0), (5, "server", 1), (7, "server", 0), (7.25, "server", 1)]
    trace = trace_retry_storm(40, 100, outage_s=0, horizon_s=12, deeds=deeds)
    for down_s, up_s in ((4, 5), (7, 7.25)):
        assert not ((trace.turn_s >= down_s) & (trace.turn_s < up_s)).any()
        assert not ((trace.left_s > down_s) & (trace.left_s < up_s)).any()
    twice = [*deeds, (4.5, "server", 0)]
    assert (
        trace_retry_storm(40, 100, outage_s=0, horizon_s=12, deeds=twice).left_s.tolist()
        == trace.left_s.tolist()
    )


def test_more_retries_are_sent_from_then_on():
    for later, most in ((0, 3), (5, 5)):
        trace = trace_retry_storm(40, 100, **OUTAGE, deeds=[(6, "retries", later)])
        assert int(trace.tried.max()) == most
        allowed = np.where(trace.asked_s < 6, 3, later)
        assert (trace.tried <= allowed).all()


def test_counts_are_those_of_the_trace():
    deeds = [(60, "drop the line", 0)]
    offered, answered = simulate_retry_storm(30, 100, seed=1, deeds=deeds)
    trace = trace_retry_storm(30, 100, seed=1, deeds=deeds)
    assert trace.rows == len(trace.fate)
    for counts, sent in ((offered, trace.asked_s), (answered, trace.asked_s[trace.fate == 0])):
        assert counts.tolist() == np.histogram(sent, np.arange(121))[0].tolist()
    short = trace_retry_storm(30, 100, seed=1, deeds=deeds, rows=7)
    assert (short.rows, len(short.fate)) == (trace.rows, 7)
    assert short.left_s.tolist() == trace.left_s[:7].tolist()


@pytest.mark.parametrize(
    ("deeds", "message"),
    [
        (7, r"deeds = 7: must be a list"),
        ([7], r"deeds\[0\] = 7: must be \(time_s, action, value\)"),
        ([(1, "server", 1), (1, "server")], r"deeds\[1\] = \(1, 'server'\)"),
        ([(1, "pray", 1)], r"action of deeds\[0\] = 'pray': must be one of server, drop the line"),
        ([(-1, "server", 1)], r"time_s of deeds\[0\] = -1"),
        ([(1, "server", 2)], r"value of deeds\[0\] = 2: must be a whole number"),
        ([(1, "retries", 0.5)], r"value of deeds\[0\] = 0.5"),
        ([(1, "queue limit", 0)], r"value of deeds\[0\] = 0: must be .* at least 1"),
        ([(1, "turn away", 1.5)], r"value of deeds\[0\] = 1.5: must be .* at most 1"),
    ],
)
def test_bad_deeds_are_refused(deeds, message):
    with pytest.raises(ValueError, match=message):
        checked_deeds(deeds)
