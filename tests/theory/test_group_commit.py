"""Group commit against a simulation of the policy, quadrature, and the limits."""

import heapq
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

from tunables.simulators.interval import confidence_interval
from tunables.theory.group_commit import (
    adaptive_flush_wait,
    closed_group_commit,
    poisson_group_commit,
)

quick = settings(deadline=None, derandomize=True, max_examples=60)
times = st.floats(0, 0.1)


def simulated_groups(rate, flush_s, delay_s, commits, seed):
    """Run the policy on random arrivals: mean group size and mean latency."""
    arrivals = np.cumsum(np.random.default_rng(seed).exponential(1 / rate, commits)).tolist()
    first, free, groups, latency = 0, 0.0, 0, 0.0
    while first < commits:
        starts = max(arrivals[first], free) + delay_s  # the leader has waited
        last = first
        while last < commits and arrivals[last] <= starts:
            last += 1
        free = starts + flush_s
        latency += sum(free - arrival for arrival in arrivals[first:last])
        groups, first = groups + 1, last
    return commits / groups, latency / commits


@pytest.mark.parametrize(
    ("rate", "flush_s", "delay_s"),
    [(100, 0.01, 0.0), (100, 0.01, 0.01), (400, 0.005, 0.025), (5, 0.01, 0.02), (30, 0.0, 0.05)],
)
def test_poisson_form_is_within_the_interval_of_the_policy(rate, flush_s, delay_s):
    runs = [simulated_groups(rate, flush_s, delay_s, 20_000, seed) for seed in range(10)]
    size, _, latency_s = poisson_group_commit(rate, flush_s, delay_s)
    for exact, samples in zip((size, latency_s), zip(*runs, strict=True), strict=True):
        mean, half_width = confidence_interval(samples, level=0.999)
        assert abs(exact - mean) <= half_width
        assert half_width < 0.02 * mean


def test_poisson_known_value_and_limits():
    size, flush_rate, latency_s = poisson_group_commit(100, 0.01, 0)
    assert size == pytest.approx(1 + math.exp(-1))
    assert flush_rate == pytest.approx(100 / (1 + math.exp(-1)))
    assert poisson_group_commit(0, 0.01, 0.02) == (1.0, 0.0, 0.03)
    assert poisson_group_commit(1e-9, 0.01, 0.02)[2] == pytest.approx(0.03)
    assert poisson_group_commit(1e9, 0.01, 0.02)[2] == pytest.approx(0.03 / 2 + 0.01)
    assert poisson_group_commit(100, 0, 0) == (1.0, 100.0, 0.0)
    assert latency_s >= 0.01


@quick
@given(st.floats(0, 1e4), times, times)
def test_poisson_bounds(rate, flush_s, delay_s):
    size, flush_rate, latency_s = poisson_group_commit(rate, flush_s, delay_s)
    assert size >= 1 - 1e-12
    assert size * flush_rate == pytest.approx(rate)
    assert flush_s * (1 - 1e-9) <= latency_s <= (2 * flush_s + delay_s) * (1 + 1e-9)


def simulated_committers(customers, flush_s, delay_s, think, commits=40_000):
    """Run the policy on customers who call think() between two commits: commits a second."""
    coming = [(think(), customer) for customer in range(customers)]
    heapq.heapify(coming)
    free, done = 0.0, 0
    while done < commits:
        leader_s, _ = group = heapq.heappop(coming)
        starts, members = max(leader_s, free) + delay_s, [group]
        while coming and coming[0][0] <= starts:
            members.append(heapq.heappop(coming))
        free, done = starts + flush_s, done + len(members)
        for _, customer in members:
            heapq.heappush(coming, (free + think(), customer))
    return done / free


@pytest.mark.parametrize(
    ("flush_s", "delay_s", "think_s"),
    [(0.005, 0.001, 0.0005), (0.005, 0.004, 0.002), (0.005, 0.0, 0.0005), (0.005, 0.0, 0.004)],
)
def test_the_closed_form_is_the_policy_for_customers_who_think_alike(flush_s, delay_s, think_s):
    """Alike to a thousandth: if all came at the very same instant, none would be the first."""
    draw = np.random.default_rng(1)
    found = simulated_committers(
        16, flush_s, delay_s, lambda: think_s * (1 + 0.001 * draw.random())
    )
    assert closed_group_commit(16, flush_s, delay_s, think_s) == pytest.approx(found, rel=0.002)


@quick
@given(st.integers(2, 100), st.floats(1e-3, 0.1), st.floats(1e-3, 1), st.floats(0, 1))
def test_with_a_think_time_a_delay_helps_only_below_the_flush_time_less_it(
    n, flush_s, delay_s, share
):
    think_s = share * min(delay_s, flush_s)
    gain = closed_group_commit(n, flush_s, delay_s, think_s) / closed_group_commit(
        n, flush_s, 0, think_s
    )
    assert (gain > 1) == (delay_s + think_s < flush_s) or gain == pytest.approx(1)


def test_closed_loop_exercise():
    """F = 5 ms, N = 16: a delay helps below F and not at all from F on."""
    rates = [closed_group_commit(16, 0.005, d) for d in (0, 0.001, 0.005, 0.025)]
    assert [round(rate) for rate in rates] == [1600, 2667, 1600, 533]
    device = [closed_group_commit(16, 0.0052, d) for d in (0, 0.001, 0.005, 0.010, 0.025)]
    assert [round(rate) for rate in device] == [1538, 2581, 1569, 1053, 530]
    assert closed_group_commit(1, 0.005, 0) == 200


@quick
@given(st.integers(2, 100), st.floats(1e-4, 0.1), st.floats(1e-6, 1))
def test_a_delay_helps_only_below_the_flush_time_and_less_than_twice(n, flush_s, delay_s):
    gain = closed_group_commit(n, flush_s, delay_s) / closed_group_commit(n, flush_s, 0)
    assert gain < 2
    assert (gain > 1) == (delay_s < flush_s)


def cut_maximum(active, rate, max_delay_s):
    """Integrate the survival function of the maximum of exponential times up to the delay."""
    return quad(lambda t: 1 - (1 - math.exp(-rate * t)) ** active, 0, max_delay_s, limit=200)[0]


@quick
@given(st.integers(0, 80), st.floats(0.5, 50), st.floats(0, 2), st.floats(0, 1))
def test_adaptive_wait_by_quadrature(active, rate, max_delay_s, p):
    all_commit = (1 - p) ** active
    expected = all_commit * cut_maximum(active, rate, max_delay_s) + (1 - all_commit) * max_delay_s
    wait = adaptive_flush_wait(active, rate, max_delay_s, p)
    assert wait == pytest.approx(expected, abs=1e-7)
    assert -1e-12 <= wait <= max_delay_s + 1e-12
    assert adaptive_flush_wait(active + 1, rate, max_delay_s, p) >= wait - 1e-12


def test_adaptive_known_values():
    harmonic = sum(1 / k for k in range(1, 50))
    assert adaptive_flush_wait(49, 1 / 0.05, 2.0) == pytest.approx(harmonic * 0.05)
    assert adaptive_flush_wait(49, 20, 2.0) == pytest.approx(0.22396, abs=5e-6)
    assert adaptive_flush_wait(49, 20, 2.0, 0.01) == pytest.approx(0.915, abs=5e-4)
    assert adaptive_flush_wait(49, 20, 2.0, 0.05) == pytest.approx(1.856, abs=5e-4)
    assert adaptive_flush_wait(49, 20, 2.0, 0, long_transactions=1) == 2.0
    assert adaptive_flush_wait(0, 20, 2.0) == 0.0
    assert adaptive_flush_wait(49, 20, 0.0, 0.5) == 0.0


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (poisson_group_commit, (-1, 0.01, 0), "arrival_rate = -1"),
        (poisson_group_commit, (1, math.nan, 0), "flush_time_s = nan"),
        (poisson_group_commit, (1, 0.01, -0.1), "max_delay_s = -0.1"),
        (closed_group_commit, (0, 0.01, 0), "customers = 0"),
        (closed_group_commit, (16, 0, 0), "flush_time_s = 0"),
        (closed_group_commit, (16, 0.005, 0.001, 0.002), "think_time_s = 0.002"),
        (closed_group_commit, (16, 0.005, 0.0, -1), "think_time_s = -1"),
        (closed_group_commit, (16, 0.005, 0.0, 0.006), "think_time_s = 0.006"),
        (adaptive_flush_wait, (1.5, 1, 1), "active = 1.5"),
        (adaptive_flush_wait, (1, 0, 1), "completion_rate = 0"),
        (adaptive_flush_wait, (1, 1, math.inf), "max_delay_s = inf"),
        (adaptive_flush_wait, (1, 1, 1, 1.1), "abort_probability = 1.1"),
        (adaptive_flush_wait, (1, 1, 1, 0, -1), "long_transactions = -1"),
    ],
)
def test_bad_input(function, arguments, message):
    with pytest.raises(ValueError, match=message):
        function(*arguments)
