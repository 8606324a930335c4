"""The closed system: against its reference, its closed form, SimPy and Ciw."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.closed_system_peers import ciw_closed_system, simpy_closed_system
from tunables.simulators.closed_system import (
    _closed_system,
    closed_system_reference,
    simulate_closed_system,
)
from tunables.simulators.draws import from_seed
from tunables.simulators.interval import confidence_interval
from tunables.theory.queueing import machine_repair

SYSTEMS = [(4, 1, 10.0, 2.0), (50, 8, 1.0, 0.2), (20, 30, 1.0, 0.5), (7, 3, 0.0, 1.0)]


@settings(deadline=None, derandomize=True, max_examples=40)
@given(
    st.integers(1, 12),
    st.integers(1, 14),
    st.sampled_from([0.0, 0.3, 5.0]),
    st.floats(0.1, 3),
    st.integers(0, 20),
    st.integers(1, 300),
    st.integers(0, 9),
)
def test_kernel_equals_reference_bit_for_bit(n, c, think_s, service_s, warm_up, counted, seed):
    arguments = (n, c, think_s, service_s, warm_up, counted)
    fast = _closed_system(from_seed(seed), *arguments)
    assert fast == closed_system_reference(np.random.default_rng(seed), *arguments)


def intervals(simulate, system, completions, runs):
    """Return the 99.9% intervals of throughput and response time."""
    results = [simulate(*system, completions, seed=seed) for seed in range(runs)]
    return [confidence_interval(samples, level=0.999) for samples in zip(*results, strict=True)]


@pytest.mark.parametrize("system", SYSTEMS)
def test_closed_form_is_within_the_interval(system):
    for exact, (mean, half_width) in zip(
        machine_repair(*system), intervals(simulate_closed_system, system, 50_000, 20), strict=True
    ):
        assert abs(exact - mean) <= half_width
        assert half_width < 0.02 * mean


@pytest.mark.slow
@pytest.mark.parametrize("peer", [simpy_closed_system, ciw_closed_system])
@pytest.mark.parametrize("system", SYSTEMS[:2])
def test_peers_agree(peer, system):
    ours = intervals(simulate_closed_system, system, 50_000, 10)
    theirs = intervals(peer, system, 2_000, 10)
    for (mean, half_width), (peer_mean, peer_half_width) in zip(ours, theirs, strict=True):
        assert abs(mean - peer_mean) <= half_width + peer_half_width
        assert peer_half_width < 0.12 * peer_mean


def test_little_holds_in_the_long_run():
    throughput, response_s = simulate_closed_system(50, 8, 1.0, 0.2, 200_000, seed=3)
    assert throughput * (response_s + 1.0) == pytest.approx(50, rel=0.005)


def test_seeds():
    first, again, other = (
        simulate_closed_system(4, 1, 1.0, 1.0, 100, seed=seed) for seed in (1, 1, 2)
    )
    assert first == again != other


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 1, 1.0, 1.0, 10), "customers = 0"),
        ((4, 0, 1.0, 1.0, 10), "servers = 0"),
        ((4, 1, -1.0, 1.0, 10), "think_time_s = -1.0"),
        ((4, 1, 1.0, 0.0, 10), "service_time_s = 0.0"),
        ((4, 1, 1.0, math.nan, 10), "service_time_s = nan"),
        ((4, 1, 1.0, 1.0, 0), "completions = 0"),
        ((4, 1, 1.0, 1.0, 10, -1), "seed = -1"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(ValueError, match=message):
        simulate_closed_system(*arguments)


def test_a_tenth_is_left_out_unless_a_warm_up_is_given():
    usual = simulate_closed_system(4, 1, 1.0, 1.0, 100, seed=1)
    assert simulate_closed_system(4, 1, 1.0, 1.0, 100, seed=1, warm_up=10) == usual
    assert simulate_closed_system(4, 1, 1.0, 1.0, 100, seed=1, warm_up=0) != usual
    with pytest.raises(ValueError, match="warm_up = -1: must be a whole number at least 0"):
        simulate_closed_system(4, 1, 1.0, 1.0, 100, warm_up=-1)
