import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.theory.pipelines import (
    lag_drain_time,
    pipeline_throughput,
    two_stage_throughput,
)

few = settings(deadline=None, max_examples=50, derandomize=True)
rates = st.floats(1e-3, 1e3)
DAY_S = 86_400


def test_the_slowest_stage_sets_the_rate_and_is_named():
    assert pipeline_throughput({"a": 3, "b": 2, "c": 5}) == (2, "b")
    assert pipeline_throughput({"only": 7}) == (7, "only")
    assert pipeline_throughput({"first": 2, "second": 2}) == (2, "first")
    assert pipeline_throughput({"working": 2, "stopped": 0}) == (0, "stopped")


def balance_equations(first_rate, second_rate, places):
    """Throughput from the chain's own generator: 0 to places + 2 customers past the first."""
    states = places + 3
    generator = np.zeros((states, states))
    for n in range(states - 1):
        generator[n, n + 1] = first_rate
        generator[n + 1, n] = second_rate
    generator -= np.diag(generator.sum(axis=1))
    equations = np.vstack([generator.T, np.ones(states)])
    stationary = np.linalg.lstsq(equations, np.eye(states + 1)[-1], rcond=None)[0]
    return second_rate * (1 - stationary[0])


@given(st.floats(0.1, 10), st.floats(0.1, 10), st.integers(0, 20))
@few
def test_two_stages_against_the_balance_equations(first_rate, second_rate, places):
    exact = balance_equations(first_rate, second_rate, places)
    assert math.isclose(two_stage_throughput(first_rate, second_rate, places), exact, rel_tol=1e-9)


def test_equal_stages_lose_a_third_without_a_buffer():
    assert two_stage_throughput(3, 3, 0) == pytest.approx(2, rel=1e-14)
    assert two_stage_throughput(5, 5, 97) == pytest.approx(4.95, rel=1e-14)


@given(rates, rates, st.integers(0, 10_000))
@few
def test_the_minimum_is_an_upper_bound_that_buffers_approach(first_rate, second_rate, places):
    minimum, _ = pipeline_throughput({"first": first_rate, "second": second_rate})
    narrow, wide, unlimited = (
        two_stage_throughput(first_rate, second_rate, b) for b in (places, 2 * places + 1, math.inf)
    )
    assert narrow <= wide * (1 + 1e-12)
    assert wide <= unlimited * (1 + 1e-12)
    assert unlimited == minimum


def test_nearly_equal_stages_pass_smoothly_into_equal_ones():
    for places in (0, 10, 10**6):
        equal = two_stage_throughput(1, 1, places)
        for gap in (1e-15, 1e-12, 1e-9, 1e-8):
            assert two_stage_throughput(1, 1 - gap, places) == pytest.approx(equal, rel=2 * gap)


def test_a_lag_drains_by_what_apply_gains_on_capture():
    assert lag_drain_time(915_110, 1.1, 1) / DAY_S == pytest.approx(105.9, abs=0.05)
    assert lag_drain_time(915_110, 2, 1) / DAY_S == pytest.approx(10.59, abs=0.005)
    assert lag_drain_time(915_110, 10, 1) / DAY_S == pytest.approx(1.18, abs=0.005)


@given(st.floats(0, 1e6), rates, st.floats(1.001, 100))
@few
def test_the_lag_is_gone_at_the_drain_time(lag_s, capture_rate, speed):
    drain_s = lag_drain_time(lag_s, speed * capture_rate, capture_rate)
    gain = 1 - speed  # dL/dt
    assert math.isclose(lag_s + gain * drain_s, 0, abs_tol=1e-9 * max(1, lag_s))


def test_a_lag_never_drains_when_apply_is_no_faster_than_capture():
    assert (
        lag_drain_time(10, 1, 1) == lag_drain_time(10, 1, 2) == lag_drain_time(10, 0, 1) == math.inf
    )


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: pipeline_throughput({}), "stage_rates"),
        (lambda: pipeline_throughput([3, 2]), "stage_rates"),
        (lambda: pipeline_throughput({"apply": -1}), "stage_rates.'apply'"),
        (lambda: pipeline_throughput({"apply": math.inf}), "stage_rates.'apply'"),
        (lambda: two_stage_throughput(0, 1, 1), "first_rate"),
        (lambda: two_stage_throughput(1, math.nan, 1), "second_rate"),
        (lambda: two_stage_throughput(1, 1, -1), "places"),
        (lambda: two_stage_throughput(1, 1, 0.5), "places"),
        (lambda: lag_drain_time(-1, 2, 1), "lag_s"),
        (lambda: lag_drain_time(1, -1, 1), "apply_rate"),
        (lambda: lag_drain_time(1, 2, 0), "capture_rate"),
        (lambda: lag_drain_time(1, math.inf, 1), "apply_rate"),
    ],
)
def test_bad_input_is_named(call, name):
    with pytest.raises(ValueError, match=name):
        call()
