"""Copies as load: roots that hold themselves up, the touching point, and a simulation."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.simulators.hedged_requests import simulate_hedged_requests
from tunables.theory.duplicates import copy_fixed_points, late_share, least_delay, safe_budget


def called_for(load, delay, copies):
    return min(1.0, math.exp(-(1 - load * (1 + copies)) * delay))


@given(st.floats(0.05, 0.95), st.floats(0, 60), st.sampled_from([1.0, 0.3, 0.05]))
def test_each_root_calls_for_itself(load, delay, budget):
    roots = copy_fixed_points(load, delay, budget)
    assert roots == sorted(roots)
    assert len(roots) in (1, 3)
    for root in roots:
        assert min(budget, called_for(load, delay, root)) == pytest.approx(root, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(st.floats(0.55, 0.9), st.floats(1, 60))
def test_no_root_is_missed(load, delay):
    grid = np.linspace(0, 0.9999, 4001)
    above = [called_for(load, delay, q) > q for q in grid]
    changes = sum(a != b for a, b in pairwise(above))
    if abs(delay - least_delay(load)) > 0.02 * delay:  # where they touch a grid sees nothing
        assert changes == len(copy_fixed_points(load, delay)) - 1


@pytest.mark.parametrize("load", [0.55, 0.6, 0.7, 0.8, 0.9])
def test_below_the_least_delay_only_the_storm_is_left(load):
    delay = least_delay(load)
    assert copy_fixed_points(load, 0.999 * delay) == [1.0]
    quiet, tipping, storm = copy_fixed_points(load, 1.001 * delay)
    assert storm == 1.0
    assert quiet == pytest.approx(1 / (load * delay), rel=0.1)
    assert tipping == pytest.approx(1 / (load * delay), rel=0.1)


def test_below_half_a_load_any_delay_will_do():
    assert least_delay(0.4999) == 0
    assert [len(copy_fixed_points(0.49, delay)) for delay in (0, 1, 10)] == [1, 1, 1]
    assert copy_fixed_points(0.4, 0) == [1.0]


def test_at_half_a_load_a_delay_of_two_service_times_leaves_spare_capacity():
    assert least_delay(0.5) == 2
    everything = copy_fixed_points(0.5, 2)  # is sent twice: the servers are just full
    assert everything == [pytest.approx(1, abs=1e-6)]
    assert copy_fixed_points(0.5, 2.01)[0] < 1


def test_a_budget_below_the_safe_one_leaves_no_storm():
    for load in (0.55, 0.7, 0.9):
        budget = 0.99 * safe_budget(load)
        for delay in (1, 5, 20, 60):
            highest = copy_fixed_points(load, delay, budget)[-1]
            assert load * (1 + highest) < 1


@pytest.mark.parametrize(("load", "delay"), [(0.3, 2.0), (0.5, 4.0), (0.6, 10.0)])
def test_a_simulation_of_many_servers_agrees(load, delay):
    """The waits of the copies are not quite independent: a few percent."""
    quiet = copy_fixed_points(load, delay)[0]
    runs = [
        simulate_hedged_requests(50, 5000 * load, 0.01, delay / 100, requests=60_000, seed=seed)
        for seed in range(4)
    ]
    copies = np.mean([~np.isnan(run.sent_s[10_000:, 1]) for run in runs])
    assert copies == pytest.approx(quiet, rel=0.12)
    late = np.mean([run.latency_s[10_000:] > 0.05 for run in runs])
    assert late == pytest.approx(late_share(load, quiet, delay, 5.0), rel=0.12)


def test_after_an_overload_it_is_the_highest_root():
    """The same load and the same requests, and a stop of all servers at the start."""
    common = {"requests": 60_000, "seed": 1}
    for stop, root in (((), 0), (((None, 0.0, 0.3),), -1)):
        run = simulate_hedged_requests(50, 3500, 0.01, 0.14, spells=stop, **common)
        copies = np.mean(~np.isnan(run.sent_s[30_000:, 1]))
        assert copies == pytest.approx(copy_fixed_points(0.7, 14.0)[root], abs=0.005)


@given(st.floats(0.05, 0.9), st.floats(0, 20), st.floats(0, 20))
def test_one_copy_alone_and_two_are_exponential(load, delay, deadline):
    a = 1 - load
    assert late_share(load, 0, delay, deadline) == pytest.approx(math.exp(-a * deadline))
    quiet = copy_fixed_points(load, delay)[0]
    b = 1 - load * (1 + quiet)
    if b > 0:
        beyond = max(deadline - delay, 0)
        expected = math.exp(-b * (deadline + beyond))
        assert late_share(load, quiet, delay, deadline) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (copy_fixed_points, (1, 5), "load = 1"),
        (copy_fixed_points, (0.5, -1), "delay = -1"),
        (copy_fixed_points, (0.5, 1, 2), "budget = 2"),
        (least_delay, (0,), "load = 0"),
        (safe_budget, (1.5,), "load = 1.5"),
        (late_share, (0.5, 2, 1, 1), "copies = 2"),
        (late_share, (0.5, 0.1, -1, 1), "delay = -1"),
        (late_share, (0.5, 0.1, 1, -1), "deadline = -1"),
    ],
)
def test_bad_input(function, arguments, message):
    with pytest.raises(ValueError, match=message):
        function(*arguments)
