"""Simulations against closed forms: exact where the form is, else within a confidence interval."""

from itertools import permutations

import numpy as np
import pytest
from scipy.stats import t as student

from tunables.simulators.caches import (
    cyclic_trace,
    grown_trace,
    miss_ratio_curve,
    shuffled_trace,
    simulate_policy,
    stack_distances,
    zigzag_trace,
    zipf_trace,
)
from tunables.theory.caching import (
    che_approximation,
    cliff_capacity,
    cyclic_hit_ratio,
    shuffled_hit_ratio,
    zigzag_hit_ratio,
)


def interval(ratios):
    """Return the batches' mean hit ratio and the half-width of its 99.9 % interval."""
    count = len(ratios)
    return ratios.mean(), student.ppf(0.9995, count - 1) * ratios.std(ddof=1) / count**0.5


def simulate_batches(trace, capacity, policy, batches, warmup, seed=0):
    """Return the hit ratios of equal batches of requests after the warm-up."""
    starts = np.linspace(warmup, len(trace), batches + 1).astype(int)
    hits_from = [simulate_policy(trace, capacity, policy, start, seed) for start in starts]
    return -np.diff(hits_from) / np.diff(starts)


@pytest.mark.parametrize("policy", ["lru", "fifo", "clock", "sieve", "arc", "mru", "opt"])
def test_cyclic_scan_exactly(policy):
    for capacity in (1, 2, 3, 7, 10):
        for objects in range(capacity, 3 * capacity + 3):
            cycles = 4 * max(objects - 1, 1)  # MRU and OPT repeat after objects - 1 cycles
            trace = cyclic_trace(objects, 2 * cycles)
            hits = simulate_policy(trace, capacity, policy, warmup=objects * cycles)
            expected = cyclic_hit_ratio(objects, capacity, policy)
            assert hits == pytest.approx(expected * objects * cycles, abs=1e-6)


@pytest.mark.parametrize("objects", [101, 110, 125, 149, 150])
def test_cyclic_scan_under_2q_below_its_cliff(objects):
    capacity, cycles = 100, 8000
    trace = cyclic_trace(objects, cycles)
    hit_ratio = simulate_policy(trace, capacity, "2q", warmup=objects * 1000) / objects / 7000
    # of finitely many objects: (C - 1)/(2n - C + 1)
    assert hit_ratio == pytest.approx((capacity - 1) / (2 * objects - capacity + 1), abs=1e-3)
    assert hit_ratio == pytest.approx(cyclic_hit_ratio(objects, capacity, "2q"), abs=2 / capacity)


@pytest.mark.parametrize("objects", [151, 160, 200, 400])
def test_cyclic_scan_under_2q_beyond_its_cliff(objects):
    hits = simulate_policy(cyclic_trace(objects, 100), 100, "2q", warmup=10 * objects)
    assert hits == cyclic_hit_ratio(objects, 100, "2q") == 0


@pytest.mark.slow
@pytest.mark.parametrize("ratio", [1.1, 1.5, 2])
def test_cyclic_scan_under_random(ratio):
    capacity = 10_000
    objects = round(ratio * capacity)
    trace = cyclic_trace(objects, 120)
    ratios = simulate_batches(trace, capacity, "random", 20, warmup=20 * objects, seed=1)
    mean, half_width = interval(ratios)
    assert half_width < 0.002
    assert abs(mean - cyclic_hit_ratio(objects, capacity, "random")) < half_width


def test_cyclic_scan_under_random_at_twice_the_capacity():
    trace = cyclic_trace(20_000, 120)
    mean, half_width = interval(
        simulate_batches(trace, 10_000, "random", 20, warmup=400_000, seed=2)
    )
    assert abs(mean - 0.203188) < half_width < 0.001


@pytest.mark.parametrize("fraction", [0.1, 0.5, 0.9, 0.999])
def test_zigzag_exactly(fraction):
    curve = miss_ratio_curve(zigzag_trace(1000, 11))
    hits = round((1 - curve[round(1000 * fraction)]) * 11_000)
    assert hits == round(zigzag_hit_ratio(fraction) * 10_000)


@pytest.mark.parametrize("fraction", [0.2, 0.5, 0.9, 0.99])
def test_shuffled(fraction):
    objects = 10_000
    trace = shuffled_trace(objects, 61, seed=3)
    depths = stack_distances(trace)[objects:].reshape(60, objects)
    mean, half_width = interval((depths <= fraction * objects).mean(axis=1))
    assert half_width < 0.002
    assert abs(mean - shuffled_hit_ratio(fraction)) < half_width


@pytest.mark.sampled
@pytest.mark.parametrize("policy", ["lru", "mru", "opt", "random"])
@pytest.mark.parametrize("entry", [0, 100, 200, 400, "spread"])
def test_policies_without_a_memory_hit_as_much_after_a_warm_start(policy, entry):
    capacity, objects, settle, rounds = 400, 440, 500, 439
    trace = grown_trace(capacity, objects, entry, settle + rounds)
    warmup = 2 * capacity + settle * objects
    hits = simulate_policy(trace, capacity, policy, warmup=warmup, seed=1)
    expected = cyclic_hit_ratio(objects, capacity, policy)
    # RANDOM's is the limit of many objects
    slack = 0.005 if policy == "random" else 1e-12
    assert hits / (rounds * objects) == pytest.approx(expected, abs=slack)


def test_lru_has_forgotten_its_start_after_as_many_other_objects_as_it_holds():
    generator = np.random.default_rng(8)
    for capacity in (1, 5, 40):
        after = generator.integers(60, size=300).tolist()
        known = [len(set(after[:now])) >= capacity for now in range(len(after))]
        settled = known.index(True)
        counts = set()
        for _ in range(20):
            before = generator.integers(60, size=generator.integers(0, 200)).tolist()
            warmup = len(before) + settled
            counts.add(simulate_policy(before + after, capacity, "lru", warmup=warmup))
        assert len(counts) == 1


def test_small_caches_against_their_exact_forms():
    """The limits for many objects hide this: eleven objects in ten places, thirteen in twelve."""
    capacity, objects, rounds = 10, 11, 40_000
    trace = cyclic_trace(objects, rounds + 100)
    hits = simulate_policy(trace, capacity, "random", warmup=100 * objects, seed=1)
    exact = (capacity - 1) / (capacity + 1)
    assert hits / (objects * rounds) == pytest.approx(exact, abs=0.002)
    assert cyclic_hit_ratio(objects, capacity, "random") == pytest.approx(0.824, abs=5e-4)
    depths = stack_distances(shuffled_trace(13, 20_001, seed=9))[13:]
    assert (depths <= 12).mean() == pytest.approx(0.755, abs=0.003)
    assert shuffled_hit_ratio(12 / 13) == pytest.approx(0.726, abs=5e-4)


def king_hit_ratio(weights, capacity):
    """Return the exact LRU hit ratio under independent references: King (1971).

    The cache holds i1, ..., iC, last used first, with probability
    p(i1) p(i2)/(1 - p(i1)) ... p(iC)/(1 - p(i1) - ... - p(iC-1)).
    """
    p = np.array(weights) / sum(weights)
    hit_ratio = 0.0
    for stack in permutations(range(len(p)), capacity):
        cached, probability = 0.0, 1.0
        for i in stack:
            probability *= p[i] / (1 - cached)
            cached += p[i]
        hit_ratio += probability * cached
    return hit_ratio


def test_king_on_eight_objects():
    weights = 1 / np.arange(1, 9)
    assert king_hit_ratio(weights, 3) == pytest.approx(0.535615, abs=5e-7)
    trace = zipf_trace(8, 1_000_000, 1, seed=4)
    depths = stack_distances(trace)
    for capacity in range(1, 8):
        hits = (depths > 0) & (depths <= capacity)
        assert hits.sum() == simulate_policy(trace, capacity, "lru")
        mean, half_width = interval(hits.reshape(50, -1).mean(axis=1))
        assert half_width < 0.003
        assert abs(mean - king_hit_ratio(weights, capacity)) < half_width


@pytest.mark.sampled
@pytest.mark.parametrize("policy", ["lru", "fifo", "random"])
@pytest.mark.parametrize("capacity", [100, 1000, 5000])
def test_che_is_within_half_a_percent_point(policy, capacity):
    objects, exponent = 10_000, 0.8
    trace = zipf_trace(objects, 1_000_000, exponent, seed=5)
    mean, half_width = interval(simulate_batches(trace, capacity, policy, 20, warmup=200_000))
    popularity = (np.arange(1, objects + 1) ** -exponent).tolist()
    assert half_width < 0.004
    assert abs(mean - che_approximation(popularity, capacity, policy)[0]) < 0.005


def test_mixed_traffic_keeps_the_cliff():
    scanned, others, fraction = 30_000, 20_000, 0.3
    generator = np.random.default_rng(6)
    independent = generator.random(500_000) < fraction
    trace = np.empty(len(independent), int)
    trace[independent] = scanned + zipf_trace(others, independent.sum(), 0.8, seed=7)
    trace[~independent] = np.arange((~independent).sum()) % scanned
    popularity = (np.arange(1, others + 1) ** -0.8).tolist()
    cliff = cliff_capacity(scanned, popularity, fraction)
    assert cliff == pytest.approx(36_115, abs=0.5)
    later = slice(100_000, None)
    depths = stack_distances(trace)[later][~independent[later]]
    assert depths.mean() == pytest.approx(cliff, rel=0.002)
    # a step: all of the scan misses just below, and hits just above
    assert (depths > 0.985 * cliff).all()
    assert (depths < 1.015 * cliff).all()
