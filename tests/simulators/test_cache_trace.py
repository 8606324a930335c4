"""What each request did: kernel and plain form agree, and the hits follow from it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.simulators.caches import (
    POLICIES,
    cyclic_trace,
    simulate_policy,
    trace_policy,
    zipf_trace,
)
from tunables.simulators.eviction import HIT, NOBODY
from tunables.simulators.plain_caches import DONE

traces = st.lists(st.integers(0, 14), min_size=1, max_size=120)


def done(trace):
    """What each request did, in the words of the plain forms."""
    return np.where(trace.hit == 1, HIT, trace.victim).tolist()


@pytest.mark.parametrize("policy", POLICIES)
@settings(deadline=None, derandomize=True, max_examples=60)
@given(trace=traces, capacity=st.integers(1, 17))
def test_the_kernel_does_what_the_plain_form_does(policy, trace, capacity):
    assert done(trace_policy(trace, capacity, policy)) == list(DONE[policy](trace, capacity))


@pytest.mark.parametrize("policy", POLICIES)
def test_on_a_longer_trace_too_and_the_hits_follow(policy):
    requests = 7 * zipf_trace(300, 3000, 0.8, seed=3) + 5  # numbers with gaps
    for capacity in (1, 4, 30, 150, 400):
        trace = trace_policy(requests, capacity, policy, seed=9)
        plain = {"seed": 9} if policy == "random" else {}
        assert done(trace) == list(DONE[policy](requests.tolist(), capacity, **plain))
        assert trace.hit.sum() == simulate_policy(requests, capacity, policy, seed=9)
        assert (trace.file == requests).all()


@pytest.mark.parametrize("policy", POLICIES)
@settings(deadline=None, derandomize=True, max_examples=40)
@given(requests=traces, capacity=st.integers(1, 17))
def test_the_places_hold_the_cache(policy, requests, capacity):
    """By brute force: the last file at each place is what the cache holds."""
    trace = trace_policy(requests, capacity, policy)
    cached: set[int] = set()
    at: dict[int, int] = {}
    for file, hit, victim, place in zip(*map(np.ndarray.tolist, trace), strict=True):
        assert hit == (file in cached)
        if victim != NOBODY:
            assert victim in cached
            assert at[place] == victim
            cached.remove(victim)
        cached.add(file)
        at[place] = file
        assert set(at.values()) == cached
        assert len(cached) <= capacity
        assert 0 <= place < capacity


def slowdown(requests, policy, files, cold, seed=0):
    """Twenty units a miss and one a hit, after so many cold requests."""
    hit = trace_policy(requests, 12, policy, seed).hit[cold:]
    return 20 - 19 * hit.mean()


def distances(files, policy, scans=4000, seed=1):
    """How many requests ahead of each miss its victim is asked for next, on a cyclic scan."""
    trace = trace_policy(cyclic_trace(files, scans), 12, policy, seed)
    misses = np.flatnonzero(trace.victim != NOBODY)[: -2 * files]
    return (trace.victim[misses] - trace.file[misses]) % files


@pytest.mark.parametrize(
    ("policy", "ahead", "slow"),
    [
        ("lru", 1, 20.0),
        ("fifo", 1, 20.0),
        ("clock", 1, 20.0),
        ("sieve", 1, 20.0),
        ("arc", 1, 20.0),
        ("2q", 3.75, 6.07),
        ("random", 6.5, 3.92),
        ("mru", 12, 2.58),
        ("opt", 12, 2.58),
    ],
)
def test_thirteen_files_in_twelve_places(policy, ahead, slow):
    """The hole lies so many requests ahead of the hand, and the miss ratio is one over that."""
    noise = 0.02 if policy == "random" else 0
    away = distances(13, policy)
    assert away.mean() == pytest.approx(ahead, rel=max(noise, 0.001))
    assert (away.min(), away.max()) == {
        "random": (1, 12),
        "2q": (away.min(), away.max()),
    }.get(policy, (ahead, ahead))
    found = slowdown(cyclic_trace(13, 4000), policy, 13, cold=26, seed=1)
    assert found == pytest.approx(slow, abs=0.005, rel=noise)
    assert found == pytest.approx(1 + 19 / ahead, rel=max(noise, 0.001))
