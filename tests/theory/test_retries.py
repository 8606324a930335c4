"""Retries against the enumerated outcomes of a request, and fixed points against a grid."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.theory.retries import (
    backoff_total,
    retry_fixed_points,
    retry_quantile,
    retry_statistics,
)

quick = settings(deadline=None, derandomize=True, max_examples=80)
probabilities = st.floats(0, 1)
retry_counts = st.integers(0, 8)


def outcomes(p, timeout_s, retries, reply_s):
    """List (probability, attempts, latency) of every way in which a request can go."""
    answered = [(p**k * (1 - p), k + 1, k * timeout_s + reply_s) for k in range(retries + 1)]
    return [*answered, (p ** (retries + 1), retries + 1, (retries + 1) * timeout_s)]


@quick
@given(probabilities, st.floats(0.01, 5), retry_counts, st.floats(0, 1))
def test_statistics_are_means_over_all_outcomes(p, timeout_s, retries, share):
    reply_s = share * timeout_s
    ways = outcomes(p, timeout_s, retries, reply_s)
    attempts, all_fail, latency_s = retry_statistics(p, timeout_s, retries, reply_s)
    assert attempts == pytest.approx(sum(w * a for w, a, _ in ways))
    assert latency_s == pytest.approx(sum(w * seconds for w, _, seconds in ways), abs=1e-12)
    assert all_fail == ways[-1][0]


def test_statistics_known_values():
    assert retry_statistics(0.5, 1.0, 3) == (1.875, 0.0625, 0.9375)
    assert retry_statistics(1.0, 1.0, 3) == (4.0, 1.0, 4.0)
    assert retry_statistics(1.0, 0.5, 1) == (2.0, 1.0, 1.0)
    assert retry_statistics(0.0, 1.0, 3, 0.05) == (1.0, 0.0, 0.05)
    attempts, all_fail, _ = retry_statistics(1 - 1e-12, 1.0, 3)
    assert attempts == pytest.approx(4, abs=1e-11)  # no cancellation near 1
    assert all_fail == pytest.approx(1, abs=1e-11)


@quick
@given(probabilities, retry_counts)
def test_more_retries_never_lower_the_load(p, retries):
    assert retry_statistics(p, 1.0, retries + 1)[0] >= retry_statistics(p, 1.0, retries)[0]


@quick
@given(probabilities, retry_counts, st.floats(0, 1))
def test_quantile_is_the_least_latency_with_that_share(p, retries, q):
    ways = sorted(outcomes(p, 1.0, retries, 0.25), key=lambda way: way[2])
    latencies = np.array([seconds for _, _, seconds in ways])
    shares = np.cumsum([probability for probability, _, _ in ways])
    value = retry_quantile(q, p, 1.0, retries, 0.25)
    below = shares[latencies < value - 1e-9].max(initial=0.0)
    upto = shares[latencies <= value + 1e-9].max(initial=0.0)
    assert below <= q + 1e-9
    assert upto >= q - 1e-9


@quick
@given(probabilities, retry_counts, st.lists(st.floats(0, 1), min_size=2, max_size=2))
def test_quantiles_are_monotone(p, retries, levels):
    low, high = sorted(levels)
    assert retry_quantile(low, p, 1.0, retries, 0.5) <= retry_quantile(high, p, 1.0, retries, 0.5)
    assert retry_quantile(high, p, 1.0, retries) <= retry_quantile(1.0, p, 1.0, retries)


def test_quantile_known_values():
    assert [retry_quantile(q, 0.1, 1.0, 3) for q in (0.9, 0.99, 0.999, 0.9999)] == [0, 1, 2, 3]
    assert retry_quantile(1.0, 0.1, 1.0, 3) == 4.0
    assert retry_quantile(0.0, 1.0, 1.0, 3) == 4.0  # nothing shorter occurs
    assert retry_quantile(1.0, 0.0, 1.0, 3, 0.2) == 0.2


@quick
@given(retry_counts, st.floats(0, 2), st.floats(0, 5))
def test_backoff_is_a_sum_of_capped_doublings(retries, base_s, cap_s):
    pauses = sum(min(cap_s, base_s * 2**k) for k in range(retries))
    total = (retries + 1) * 0.5
    assert backoff_total(0.5, retries, base_s, cap_s) == pytest.approx(total + pauses / 2)
    assert backoff_total(0.5, retries, base_s, cap_s, jitter=False) == pytest.approx(total + pauses)


def test_backoff_of_many_retries_does_not_overflow():
    assert backoff_total(0.0, 5000, 1.0, 8.0, jitter=False) == 7.0 + 4997 * 8.0


def load_called_for(offered, rate, service_rate, timeout_s, retries):
    late = np.exp(-np.maximum(service_rate - offered, 0) * timeout_s)
    return rate * sum(late**k for k in range(retries + 1))


def test_fixed_points_known_values():
    assert retry_fixed_points(40, 100, 0.5, 3) == pytest.approx([40, 99.25, 160], abs=0.005)
    assert retry_fixed_points(25, 100, 0.5, 3) == pytest.approx([25])
    assert retry_fixed_points(26, 100, 0.5, 3)[-1] == 104
    assert retry_fixed_points(50, 100, 0.5, 1) == pytest.approx([50])
    assert retry_fixed_points(120, 100, 0.5, 2) == [360]
    assert retry_fixed_points(99, 100, 0.5, 3) == [396]  # no healthy state is left
    assert retry_fixed_points(60, 100, 0.5, 0) == [60]
    assert retry_fixed_points(30, 100, 0.0, 3) == [120]  # everyone gives up at once
    assert retry_fixed_points(0, 100, 0.5, 3) == [0]


@quick
@given(st.floats(1, 150), st.floats(0.01, 1), st.integers(0, 6))
def test_fixed_points_are_all_the_roots(rate, timeout_s, retries):
    roots = retry_fixed_points(rate, 100, timeout_s, retries)
    assert roots == sorted(roots)
    for root in roots:
        assert load_called_for(root, rate, 100, timeout_s, retries) == pytest.approx(root)
    assert (rate * (retries + 1) in roots) == (rate * (retries + 1) > 100 or retries == 0)
    grid = np.linspace(0, rate * (retries + 1) + 1, 20_001)
    excess = load_called_for(grid, rate, 100, timeout_s, retries) - grid
    crossings = np.count_nonzero(np.diff(excess > 0))
    assert crossings <= len(roots)  # a grid may miss a close pair, but not find more


@quick
@given(st.floats(1, 24), st.floats(0.01, 1), st.integers(0, 3))
def test_below_the_safe_rate_there_is_one_state(rate, timeout_s, retries):
    """l (r + 1) < u: whatever the overload, it ends."""
    assert len(retry_fixed_points(rate, 100, timeout_s, retries)) == 1


@quick
@given(st.floats(1, 150), st.integers(0, 6))
def test_more_retries_never_lower_the_settled_load(rate, retries):
    fewer, more = (retry_fixed_points(rate, 100, 0.5, r) for r in (retries, retries + 1))
    assert more[0] >= fewer[0] - 1e-9
    assert more[-1] >= fewer[-1] - 1e-9


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (retry_statistics, (1.1, 1.0, 3), "failure_probability = 1.1"),
        (retry_statistics, (0.5, -1.0, 3), "timeout_s = -1.0"),
        (retry_statistics, (0.5, 1.0, 1.5), "retries = 1.5"),
        (retry_statistics, (0.5, 1.0, 3, 1.1), "mean_reply_s = 1.1: .* at most 1"),
        (retry_quantile, (1.5, 0.5, 1.0, 3), "q = 1.5"),
        (retry_quantile, (math.nan, 0.5, 1.0, 3), "q = nan"),
        (retry_quantile, (0.5, 0.5, 1.0, 3, 2.0), "reply_s = 2.0"),
        (backoff_total, (1.0, -1, 0.1, 1.0), "retries = -1"),
        (backoff_total, (1.0, 3, -0.1, 1.0), "base_s = -0.1"),
        (backoff_total, (1.0, 3, 0.1, math.inf), "cap_s = inf"),
        (retry_fixed_points, (-1, 100, 0.5, 3), "arrival_rate = -1"),
        (retry_fixed_points, (40, 0, 0.5, 3), "service_rate = 0"),
        (retry_fixed_points, (40, 100, math.inf, 3), "timeout_s = inf"),
        (retry_fixed_points, (40, 100, 0.5, "3"), "retries = '3'"),
    ],
)
def test_bad_input(function, arguments, message):
    with pytest.raises(ValueError, match=message):
        function(*arguments)
