"""Ten policies: textbook cases, the reference, the trace of what each request did, libCacheSim."""

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.libcachesim_peer import PEER_POLICIES, PeerTrace
from tunables.simulators.caches import (
    POLICIES,
    cyclic_trace,
    grown_trace,
    miss_ratio_curve,
    shuffled_trace,
    simulate_policy,
    trace_policy,
    zigzag_trace,
    zipf_trace,
)
from tunables.simulators.caches_kernel import BYPASSED, HIT, NOBODY
from tunables.simulators.caches_reference import OUTCOMES, PLAIN, random

ADMITTING = [policy for policy in POLICIES if policy != "bypass"]
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
def test_no_policy_that_brings_every_miss_in_beats_opt(trace):
    for capacity in range(1, 14):
        best = simulate_policy(trace, capacity, "opt")
        assert all(simulate_policy(trace, capacity, policy) <= best for policy in ADMITTING)


@exact
@given(traces)
def test_bypass_keeps_what_came_first_and_nothing_else(trace):
    for capacity in range(15):
        kept = list(dict.fromkeys(trace))[:capacity]
        asked_again = sum(trace.count(x) - 1 for x in kept)
        assert simulate_policy(trace, capacity, "bypass") == asked_again


def test_with_one_object_too_many_bypass_hits_once_more_in_a_scan_than_opt():
    scan = cyclic_trace(4, 12)
    assert simulate_policy(scan, 3, "bypass", warmup=4) == 11 * 3
    assert simulate_policy(scan, 3, "opt", warmup=4 * 3) == 9 * 4 * (3 - 1) / (4 - 1)


@exact
@given(traces, st.sampled_from(["lru", "opt"]))
def test_stack_policies_hit_more_with_more_capacity(trace, policy):
    hits = [simulate_policy(trace, capacity, policy) for capacity in range(15)]
    assert hits == sorted(hits)


@pytest.mark.parametrize("policy", POLICIES)
def test_at_the_ends_of_the_capacity(policy):
    distinct = len(np.unique(some_trace))
    assert simulate_policy(some_trace, 0, policy) == 0
    for capacity in (distinct, distinct + 1, 10**15):
        assert simulate_policy(some_trace, capacity, policy) == len(some_trace) - distinct
    again = (some_trace[1:] == some_trace[:-1]).sum()
    the_first = (some_trace == some_trace[0]).sum() - 1
    one_place = the_first if policy == "bypass" else again
    assert simulate_policy(some_trace, 1, policy) == one_place


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


short_traces = st.lists(st.integers(0, 14), min_size=1, max_size=120)


def test_each_policy_has_a_reference():
    assert set(PLAIN) == set(POLICIES)


@pytest.mark.parametrize("policy", POLICIES)
@settings(deadline=None, derandomize=True, max_examples=60)
@given(trace=short_traces, capacity=st.integers(1, 17), data=st.data())
def test_same_hits(policy, trace, capacity, data):
    warmup = data.draw(st.integers(0, len(trace)))
    hits = list(PLAIN[policy](trace, capacity))
    assert simulate_policy(trace, capacity, policy, warmup=warmup) == sum(hits[warmup:])


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("capacity", [1, 4, 30, 150])
def test_same_hits_on_a_longer_trace(policy, capacity):
    trace = zipf_trace(300, 3000, 0.8, seed=capacity).tolist()
    hits = list(PLAIN[policy](trace, capacity))
    for warmup in (0, 1000, 2999):
        assert simulate_policy(trace, capacity, policy, warmup) == sum(hits[warmup:])


def test_random_evicts_the_frames_that_its_seed_draws():
    trace = zipf_trace(60, 2000, 0.8, seed=1).tolist()
    for seed in (0, 1, 12345):
        hits = sum(random(trace, 20, seed=seed))
        assert simulate_policy(trace, 20, "random", seed=seed) == hits


SCRIPT = """
import sys
if sys.argv[1] == "without":
    sys.modules["numba"] = None
from tunables.simulators.caches import *
trace = zipf_trace(400, 5000, 0.8, seed=2)
spread = trace * 10**12 - 5
for requests in (trace, spread):
    print(stack_distances(requests).tolist())
    for policy in POLICIES:
        print([simulate_policy(requests, capacity, policy, seed=7) for capacity in (1, 9, 150)])
"""


@pytest.mark.slow
def test_same_bytes_without_numba():
    outputs = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", SCRIPT, numba],
            capture_output=True,
            check=True,
            cwd=Path(__file__).parents[2],
            timeout=100,
        ).stdout
        for numba in ("with", "without")
    ]
    assert len(outputs[0]) > 10_000
    assert outputs[0] == outputs[1]


def outcomes(trace):
    """Return what each request did, in the notation of the reference."""
    missed = np.where(trace.place == NOBODY, BYPASSED, trace.victim)
    return np.where(trace.hit == 1, HIT, missed).tolist()


@pytest.mark.parametrize("policy", POLICIES)
@settings(deadline=None, derandomize=True, max_examples=60)
@given(trace=short_traces, capacity=st.integers(1, 17))
def test_the_trace_equals_that_of_the_reference(policy, trace, capacity):
    assert outcomes(trace_policy(trace, capacity, policy)) == list(
        OUTCOMES[policy](trace, capacity)
    )


@pytest.mark.parametrize("policy", POLICIES)
def test_a_longer_trace_equals_that_of_the_reference_and_sums_to_the_hits(policy):
    requests = 7 * zipf_trace(300, 3000, 0.8, seed=3) + 5  # numbers with gaps
    for capacity in (1, 4, 30, 150, 400):
        trace = trace_policy(requests, capacity, policy, seed=9)
        plain = {"seed": 9} if policy == "random" else {}
        assert outcomes(trace) == list(OUTCOMES[policy](requests.tolist(), capacity, **plain))
        assert trace.hit.sum() == simulate_policy(requests, capacity, policy, seed=9)
        assert (trace.file == requests).all()


@pytest.mark.parametrize("policy", POLICIES)
@settings(deadline=None, derandomize=True, max_examples=40)
@given(requests=short_traces, capacity=st.integers(1, 17))
def test_the_places_describe_the_cache(policy, requests, capacity):
    """By brute force: the cache holds the last file at each place."""
    trace = trace_policy(requests, capacity, policy)
    cached: set[int] = set()
    at: dict[int, int] = {}
    for file, hit, victim, place in zip(*map(np.ndarray.tolist, trace), strict=True):
        assert hit == (file in cached)
        if victim != NOBODY:
            assert victim in cached
            assert at[place] == victim
            cached.remove(victim)
        if policy == "bypass" and not hit and len(cached) == capacity:
            assert (victim, place) == (NOBODY, NOBODY)
            continue
        cached.add(file)
        at[place] = file
        assert set(at.values()) == cached
        assert len(cached) <= capacity
        assert 0 <= place < capacity


def slowdown(requests, policy, files, cold, seed=0):
    """Return the slowdown at twenty units per miss and one per hit, after the cold requests."""
    hit = trace_policy(requests, 12, policy, seed).hit[cold:]
    return 20 - 19 * hit.mean()


def distances(files, policy, scans=4000, seed=1):
    """Return how many requests after each miss its victim is requested next, in a cyclic scan."""
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
    """The hole is `ahead` requests ahead of the hand, and the miss ratio is its inverse."""
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


TRACES = {
    "zipf small": zipf_trace(300, 20_000, 0.8, seed=1),
    "zipf flat": zipf_trace(2000, 40_000, 0.4, seed=2),
    "zipf mid": zipf_trace(20_000, 200_000, 0.8, seed=3),
    "cyclic": cyclic_trace(1000, 30),
    "zigzag": zigzag_trace(1000, 30),
    "shuffled": shuffled_trace(1000, 30, seed=4),
    "grown in the middle": grown_trace(900, 1000, 450, 40),
    "grown all over": grown_trace(700, 1000, "spread", 40),
    "scan in zipf": np.concatenate(
        [part for k in range(20) for part in (zipf_trace(500, 1000, 0.9, k), cyclic_trace(700, 1))]
    ),
    "ids of 62 bits": np.random.default_rng(5).integers(0, 2**62, 300)[zipf_trace(300, 9999, 1, 6)],
}
FEW = ("zipf small", "scan in zipf")
SHARES = (0.01, 0.1, 0.25, 0.5, 0.7, 0.9, 0.999, 1)


@pytest.fixture(scope="module")
def peers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("peer")
    return {name: PeerTrace(folder / name, trace) for name, trace in TRACES.items()}


@pytest.mark.parametrize("policy", PEER_POLICIES)
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in FEW else pytest.mark.long) for name in TRACES],
)
def test_same_hits_as_the_peer(peers, name, policy):
    distinct = len(np.unique(TRACES[name]))
    for capacity in sorted({max(4, int(share * distinct)) for share in SHARES}):
        ours = simulate_policy(TRACES[name], capacity, policy)
        assert ours == peers[name].hits(capacity, policy), capacity


@pytest.mark.parametrize("policy", PEER_POLICIES)
def test_same_hits_on_many_small_traces(tmp_path, policy):
    generator = np.random.default_rng(6)
    for _ in range(25):
        requests, objects = generator.integers(1, [300, 40])
        trace = generator.integers(objects, size=requests)
        peer = PeerTrace(tmp_path / "trace", trace)
        for capacity in range(4 if policy == "2q" else 1, 20):
            ours = simulate_policy(trace, capacity, policy)
            assert ours == peer.hits(capacity, policy), (capacity, trace)


def test_below_four_the_peers_2q_admits_nothing(tmp_path):
    """It refuses objects larger than A1in, whose C/4 it rounds down to 0; the paper does not."""
    peer = PeerTrace(tmp_path / "trace", [1, 1, 1])
    for capacity in (1, 2, 3):
        assert peer.hits(capacity, "2q") == 0
        assert simulate_policy([1, 1, 1], capacity, "2q") == 2


def test_of_the_policies_made_for_scans_some_keep_a_loop_and_some_do_not(tmp_path):
    """Card 3 cites LIRS and S3-FIFO, which libCacheSim simulates and this book does not."""
    objects, capacity, rounds = 4000, 3656, 54
    peer = PeerTrace(tmp_path / "trace", cyclic_trace(objects, rounds))
    seen = objects * (rounds - 1)
    assert peer.hits(capacity, "lirs") / seen > 0.9
    assert peer.hits(capacity, "s3fifo") / seen > 0.75
    more = 3 * capacity // 2
    longer = PeerTrace(tmp_path / "longer", cyclic_trace(more, rounds))
    assert longer.hits(capacity, "s3fifo") / (more * (rounds - 1)) < 0.5
    assert peer.hits(capacity, "sieve") == peer.hits(capacity, "arc") == 0
