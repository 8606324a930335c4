"""The retry storm: against its event-by-event reference, M/M/1, and the law of the stuck state."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.simulators.interval import confidence_interval
from tunables.simulators.relief import relief
from tunables.simulators.retry_rows import ANSWERED, columns, room
from tunables.simulators.retry_storm import scenario, simulate_retry_storm, trace_retry_storm
from tunables.simulators.retry_storm_kernel import retry_storm_kernel
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
    """Return the rows that the kernel writes for what `scenario` returns; hold its counts."""
    counts, written = np.zeros((2, 12), np.int64), room(20_000)
    count, *series = columns(retry_storm_kernel(*arguments, counts, *written), *written)
    assert count == len(series[0])
    asked_s, fate = series[0], series[5]
    edges = range(13)
    expected = [np.histogram(sent, edges)[0] for sent in (asked_s, asked_s[fate == ANSWERED])]
    assert counts.tolist() == [each.tolist() for each in expected]
    return list(zip(*(column.tolist() for column in series), strict=True))


@settings(deadline=None, derandomize=True, max_examples=150)
@given(
    st.sampled_from([0, 5, 24, 60, 120]),
    st.sampled_from([0.05, 0.5]),
    st.integers(0, 4),
    st.sampled_from([(2, 0), (2, 2), (0, 1)]),
    st.sampled_from([(0, 0), (0.3, 2.0)]),
    st.sampled_from(RULES),
    st.integers(0, 99),
)
def test_fast_is_the_reference_to_the_last_bit(
    rate, timeout_s, retries, outage, backoff, rules, seed
):
    (start_s, stop_s), (base_s, cap_s) = outage, backoff
    arguments = scenario(
        rate, 100, timeout_s, retries, start_s, stop_s, 8, base_s, cap_s, seed, relief(**rules)
    )
    assert attempts(arguments) == retry_storm_reference(*arguments)


@pytest.mark.parametrize("rules", RULES[1:])
def test_each_rule_changes_a_storm(rules):
    storm: dict[str, Any] = {"horizon_s": 8, "outage_start_s": 2, "outage_s": 2, "seed": 1}
    plain, ruled = trace_retry_storm(40, 100, **storm), trace_retry_storm(40, 100, **storm | rules)
    assert plain.fate.tolist() != ruled.fate.tolist()


def share_answered_at_the_end(rate, seconds=60, seeds=20, **settings):
    """Return for each seed the share of requests answered in the last seconds of the run."""
    runs = [simulate_retry_storm(rate, 100, seed=seed, **settings)[1] for seed in range(seeds)]
    return np.array([answered[-seconds:].mean() / rate for answered in runs])


def test_load_24_recovers_and_30_collapses_for_good():
    """l (r + 1) = 96 and 120 against u = 100; 24 recovers slowly, at 4 a second."""
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
    """A tenth of a retry for each request, and ten saved up: l (1 + 0.1) a second, ten more."""
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


def test_who_is_turned_away_is_a_share_of_the_new_requests_of_that_time():
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
