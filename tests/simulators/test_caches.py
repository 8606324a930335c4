import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.simulators.caches import (
    POLICIES,
    cyclic_trace,
    miss_ratio_curve,
    simulate_policy,
    zigzag_trace,
    zipf_trace,
)

BELADY = [1, 2, 3, 4, 1, 2, 5, 1, 2, 3, 4, 5]
exact = settings(deadline=None, derandomize=True, max_examples=60)
traces = st.lists(st.integers(0, 12), min_size=1, max_size=100)
some_trace = zipf_trace(50, 500, 0.8, seed=1)


@pytest.mark.parametrize(
    ("policy", "faults"), [("fifo", (9, 10)), ("lru", (10, 8)), ("opt", (7, 6))]
)
def test_the_string_on_which_fifo_faults_more_with_more_frames(policy, faults):
    # Belady, Nelson & Shedler (1969)
    hits = [simulate_policy(BELADY, frames, policy) for frames in (3, 4)]
    assert tuple(len(BELADY) - hit for hit in hits) == faults


def test_the_cliff():
    trace = cyclic_trace(90_000, 50)
    assert simulate_policy(trace, 90_000, "lru") == 49 * 90_000
    assert simulate_policy(trace, 89_999, "lru") == 0


def test_reversing_every_second_scan_removes_it():
    trace = zigzag_trace(10_000, 11)
    assert simulate_policy(trace, 9000, "lru", warmup=10_000) == 0.9 * 100_000


@exact
@given(traces)
def test_the_curve_is_lru_at_every_capacity(trace):
    curve = miss_ratio_curve(trace)
    for capacity, miss_ratio in enumerate(curve):
        hits = simulate_policy(trace, capacity, "lru")
        assert miss_ratio == (len(trace) - hits) / len(trace)
    assert simulate_policy(trace, len(curve) + 5, "lru") == hits


@exact
@given(traces)
def test_no_policy_beats_opt(trace):
    for capacity in range(1, 14):
        best = simulate_policy(trace, capacity, "opt")
        assert all(simulate_policy(trace, capacity, policy) <= best for policy in POLICIES)


@exact
@given(traces, st.sampled_from(["lru", "opt"]))
def test_stack_policies_hit_more_with_more(trace, policy):
    hits = [simulate_policy(trace, capacity, policy) for capacity in range(15)]
    assert hits == sorted(hits)


@pytest.mark.parametrize("policy", POLICIES)
def test_at_the_ends_of_the_capacity(policy):
    distinct = len(np.unique(some_trace))
    assert simulate_policy(some_trace, 0, policy) == 0
    for capacity in (distinct, distinct + 1, 10**15):
        assert simulate_policy(some_trace, capacity, policy) == len(some_trace) - distinct
    again = (some_trace[1:] == some_trace[:-1]).sum()
    assert simulate_policy(some_trace, 1, policy) == again


@pytest.mark.parametrize("policy", POLICIES)
def test_the_warm_up_is_left_out(policy):
    hits = [simulate_policy(some_trace, 10, policy, warmup) for warmup in range(501)]
    assert hits[500] == 0
    assert set(np.diff(hits)) == {0, -1}
    assert type(hits[0]) is int


@pytest.mark.parametrize("policy", POLICIES)
def test_names_of_objects_do_not_matter(policy):
    hits = simulate_policy(some_trace, 10, policy)
    for other in (
        some_trace.tolist(),
        some_trace.astype(float),
        some_trace - 10**6,
        (some_trace - 25) * 10**15,
        [10**30 - int(x) for x in some_trace],
    ):
        assert simulate_policy(other, 10, policy) == hits


def test_the_seed_decides():
    hits = [simulate_policy(some_trace, 10, "random", seed=seed) for seed in range(20)]
    assert hits == [simulate_policy(some_trace, 10, "random", seed=seed) for seed in range(20)]
    assert len(set(hits)) > 1


@pytest.mark.parametrize("value", [-1, 2.5, math.nan, math.inf, None, "3", [3]])
def test_bad_whole_numbers(value):
    for name in ("capacity", "warmup", "seed"):
        arguments = {"capacity": 3, "policy": "lru", name: value}
        with pytest.raises(ValueError, match=rf"{name} = .*: must be a whole number at least 0"):
            simulate_policy(BELADY, **arguments)


def test_warm_up_longer_than_the_trace():
    with pytest.raises(ValueError, match=r"warmup = 13: .* at most 12"):
        simulate_policy(BELADY, 3, "lru", warmup=13)


@pytest.mark.parametrize("value", ["lruu", "LRU", "", None, 3])
def test_bad_policy(value):
    with pytest.raises(ValueError, match=r"policy = .*: must be one of lru, fifo"):
        simulate_policy(BELADY, 3, value)


@pytest.mark.parametrize("trace", [[], [1.5], [math.nan], ["a"], [[1, 2]], None, 7])
def test_bad_trace(trace):
    with pytest.raises(ValueError, match="trace = "):
        simulate_policy(trace, 3, "lru")
    with pytest.raises(ValueError, match="trace = "):
        simulate_policy(trace, 0, "lru")
