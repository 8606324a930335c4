"""The retry storm: against its event-by-event reference, M/M/1, and the law of the stuck state."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.simulators.interval import confidence_interval
from tunables.simulators.retry_storm import (
    _retry_storm,
    _scenario,
    retry_storm_reference,
    simulate_retry_storm,
)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(
    st.sampled_from([0, 5, 24, 60, 120]),
    st.sampled_from([0.05, 0.5]),
    st.integers(0, 4),
    st.sampled_from([(2, 0), (2, 2), (0, 1)]),
    st.sampled_from([(0, 0), (0.3, 2.0)]),
    st.booleans(),
    st.integers(0, 99),
)
def test_fast_is_the_reference_to_the_last_bit(
    rate, timeout_s, retries, outage, backoff, cancel, seed
):
    (start_s, stop_s), (base_s, cap_s) = outage, backoff
    scenario = _scenario(
        rate, 100, timeout_s, retries, start_s, stop_s, 8, base_s, cap_s, cancel, seed
    )
    arrivals, answered = _retry_storm(*scenario)
    expected_arrivals, expected_answered = retry_storm_reference(*scenario)
    assert arrivals.tolist() == expected_arrivals
    assert answered.tolist() == expected_answered


def share_answered_at_the_end(rate, seconds=60, seeds=20, **settings):
    """Return for each seed the share of requests answered in the last seconds of the run."""
    runs = [simulate_retry_storm(rate, 100, seed=seed, **settings)[1] for seed in range(seeds)]
    return np.array([answered[-seconds:].mean() / rate for answered in runs])


def test_load_24_recovers_and_30_collapses_for_good():
    """l (r + 1) = 96 and 120 against u = 100; 24 recovers slowly, at 4 a second."""
    recovered = share_answered_at_the_end(24, horizon_s=600)
    assert recovered.min() > 0.8
    assert share_answered_at_the_end(30, horizon_s=600).max() == 0


def test_jitter_does_not_save_load_70_but_cancelling_does():
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
@given(st.integers(1, 60), st.integers(0, 4), st.booleans(), st.integers(0, 99))
def test_more_retries_never_lower_the_load(rate, retries, cancel, seed):
    """A run with one retry more sends at least as many attempts."""
    scenarios = [
        _scenario(rate, 100, 0.5, r, 20, 2, 60, 0, 0, cancel, seed) for r in (retries, retries + 1)
    ]
    fewer, more = (len(_retry_storm(*scenario)[0]) for scenario in scenarios)
    assert more >= fewer


def test_answered_never_exceeds_offered_and_seeds_count():
    offered, answered = simulate_retry_storm(30, 100, seed=4)
    assert len(offered) == len(answered) == 120
    assert (answered <= offered).all()
    assert (offered == simulate_retry_storm(30, 100, seed=4)[0]).all()
    assert (offered != simulate_retry_storm(30, 100, seed=5)[0]).any()


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
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(ValueError, match=message):
        simulate_retry_storm(**{"arrival_rate": 30, "service_rate": 100} | arguments)
