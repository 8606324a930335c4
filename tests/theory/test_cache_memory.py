"""The closed forms of grown scans against exact simulations: every small cache, every place."""

import numpy as np
import pytest

from tunables.simulators.caches import grown_trace, simulate_policy
from tunables.simulators.caches_reference import PLAIN
from tunables.theory.cache_memory import GROWN_POLICIES, clock_rounds, grown_hit_ratio
from tunables.theory.caching import cyclic_hit_ratio

SMALL = [
    (capacity, objects, entry)
    for capacity in (1, 2, 3, 4, 7, 12, 17)
    for objects in range(capacity, 2 * capacity + 5)
    for entry in range(capacity + 1)
]


def hits_by_round(objects, capacity, entry, policy, rounds=80, warm_cycles=2):
    trace = grown_trace(capacity, objects, entry, rounds, warm_cycles).tolist()
    hits = list(PLAIN[policy](trace, capacity))[warm_cycles * capacity :]
    return np.array(hits).reshape(rounds, objects).sum(axis=1)


@pytest.mark.parametrize("policy", GROWN_POLICIES)
@pytest.mark.parametrize("warm_cycles", [2, 5])
def test_every_small_cache_and_every_place_of_entry(policy, warm_cycles):
    settle, rounds = 60, 20  # CLOCK needs up to p/k = 17 rounds
    for capacity, objects, entry in SMALL:
        trace = grown_trace(capacity, objects, entry, settle + rounds, warm_cycles)
        warmup = warm_cycles * capacity + settle * objects
        hits = simulate_policy(trace, capacity, policy, warmup=warmup)
        expected = grown_hit_ratio(objects, capacity, entry, policy) * objects * rounds
        assert hits == pytest.approx(expected, abs=1e-6), (capacity, objects, entry)


@pytest.mark.parametrize(("new", "entry"), [(1, 60), (4, 60), (4, 30), (4, 90), (7, 60), (30, 60)])
def test_clock_hits_what_stands_behind_the_new_ones_until_the_hand_arrives(new, entry):
    capacity = 120
    hits = hits_by_round(capacity + new, capacity, entry, "clock", rounds=80)
    last = clock_rounds(capacity + new, capacity, entry)
    assert hits[0] == capacity
    assert (hits[1:last] == capacity - entry).all()
    assert (hits[last:] == 0).all()


@pytest.mark.parametrize("entry", [0, 30, 60, 120])
def test_arc_forgets_one_round_after_lru(entry):
    arc, lru = (hits_by_round(140, 120, entry, policy, 10) for policy in ("arc", "lru"))
    assert arc[0] >= 119
    assert (arc[1] > 0) == (entry > 0)
    assert (arc[2:] == 0).all()
    assert lru[0] == entry
    assert (lru[1:] == 0).all()


def test_fifo_alternates_between_all_the_old_and_the_new_alone():
    assert hits_by_round(130, 100, 50, "fifo", rounds=6).tolist() == [100, 30] * 3


def test_fifo_keeps_half_if_each_new_object_has_old_ones_enough_on_either_side():
    """The rule for any places: the j-th new has j old before it, the j-th from the end j behind."""
    generator = np.random.default_rng(1)
    kept = 0
    for _ in range(600):
        capacity = int(generator.integers(2, 15))
        places = np.sort(generator.integers(0, capacity + 1, generator.integers(1, capacity + 3)))
        rank = np.arange(1, len(places) + 1)
        holds = (places >= rank).all() and (capacity - places >= rank[::-1]).all()
        objects = capacity + len(places)
        scan = np.insert(np.arange(capacity), places, np.arange(capacity, objects))
        trace = np.concatenate([np.tile(np.arange(capacity), 2), np.tile(scan, 80)])
        warmup = 2 * capacity + 60 * objects
        hits = simulate_policy(trace, capacity, "fifo", warmup=warmup)
        assert hits == (10 * objects if holds else 0), (capacity, places)
        kept += int(holds)
    assert 50 < kept < 550


@pytest.mark.parametrize("policy", GROWN_POLICIES)
def test_the_start_decides_for_all_but_lru_and_clock(policy):
    places = [grown_hit_ratio(110, 100, entry, policy) for entry in range(101)]
    beyond = grown_hit_ratio(300, 100, 50, policy)
    cold = cyclic_hit_ratio(110, 100, policy)
    assert cold == cyclic_hit_ratio(300, 100, policy) == 0
    forgets = {"lru", "clock"}
    assert (max(*places, beyond) == 0) == (policy in forgets)


def test_nothing_new_and_nothing_lost():
    for policy in GROWN_POLICIES:
        assert grown_hit_ratio(10, 10, 5, policy) == grown_hit_ratio(9, 10, 5, policy) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 3, 1, "lru"), "objects = 0: must be a whole number at least 1"),
        ((5, 2.5, 1, "lru"), "capacity = 2.5: must be a whole number"),
        ((5, 3, 4, "lru"), "entry = 4: must be a whole number .* at most 3"),
        ((5, 3, -1, "lru"), "entry = -1"),
        ((5, 3, 1, "random"), "policy = 'random': must be one of lru, fifo, clock, sieve, arc"),
    ],
)
def test_nonsense_is_refused_by_name(arguments, message):
    with pytest.raises(ValueError, match=message):
        grown_hit_ratio(*arguments)


def test_clock_needs_new_objects():
    with pytest.raises(ValueError, match=r"objects - capacity = 0: must be .*above 0"):
        clock_rounds(3, 3, 1)
