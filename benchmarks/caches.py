"""Cache simulation, side by side with libCacheSim, cachetools and functools.lru_cache.

python -m benchmarks.caches    (about two minutes)

Ours is given the ids as an int64 array and numbers the objects anew in each timed call.
libCacheSim reads its own binary format from a file that the system has in memory; writing it
is not timed. The two Python caches are fed a list of ints, on a prefix of the trace.
"""

import platform
import tempfile
from collections import deque
from functools import lru_cache, partial
from importlib.metadata import version
from pathlib import Path

import cachetools
import numpy as np

from benchmarks.libcachesim_peer import PEER_POLICIES, PeerTrace
from benchmarks.side_by_side import compare
from tunables.simulators.caches import (
    cyclic_trace,
    miss_ratio_curve,
    simulate_policy,
    zipf_trace,
)


def _cachetools_hits(ids, capacity):
    cache: cachetools.LRUCache = cachetools.LRUCache(capacity)
    hits = 0
    for x in ids:
        if x in cache:
            hits += cache[x]
        else:
            cache[x] = 1
    return hits


def _functools_hits(ids, capacity):
    cached = lru_cache(maxsize=capacity)(int)
    deque(map(cached, ids), maxlen=0)
    return cached.cache_info().hits


def _curve_hits(trace, capacity):
    return round(len(trace) * (1 - miss_ratio_curve(trace)[capacity]))


def _compare_policy(title, trace, peer, capacity, policy):
    contenders = {
        "tunables": partial(simulate_policy, trace, capacity, policy),
        "libcachesim": partial(peer.hits, capacity, policy),
    }
    compare(f"{title}, {policy}, C = {capacity:,}", len(trace), "request", contenders)


def _compare_curve(title, trace, peer, capacity):
    contenders = {
        "tunables, every capacity": partial(_curve_hits, trace, capacity),
        "libcachesim, one capacity": partial(peer.hits, capacity, "lru"),
    }
    compare(f"{title}, LRU miss-ratio curve", len(trace), "request", contenders)


def _compare_python(title, trace, directory, capacity, prefix):
    trace = trace[:prefix]
    ids = trace.tolist()
    contenders = {
        "tunables": partial(simulate_policy, trace, capacity, "lru"),
        "libcachesim": partial(PeerTrace(directory / "prefix", trace).hits, capacity, "lru"),
        "functools.lru_cache": partial(_functools_hits, ids, capacity),
        "cachetools.LRUCache": partial(_cachetools_hits, ids, capacity),
    }
    compare(f"{title}, prefix, lru, C = {capacity:,}", prefix, "request", contenders, runs=3)


def main():
    names = "numba", "libcachesim", "cachetools"
    print(platform.python_version(), *(f"{name} {version(name)}" for name in names))
    print("the last column: speed of the first contender over this one's")
    any_id = np.random.default_rng(0).integers(-(2**62), 2**62, size=100_000)
    zipf = zipf_trace(100_000, 10_000_000, 0.8, seed=1)
    cases = [
        ("cyclic, 90,000 x 50", cyclic_trace(90_000, 50), 89_999, ["lru"]),
        ("Zipf 0.8, 100,000 objects", zipf, 10_000, PEER_POLICIES),
        ("the same under 63-bit ids", any_id[zipf], 10_000, ["lru"]),
        ("Zipf 0.8, 1,000,000", zipf_trace(1_000_000, 10_000_000, 0.8, seed=1), 100_000, ["lru"]),
    ]
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        for title, trace, capacity, policies in cases:
            peer = PeerTrace(directory / "trace", trace)
            for policy in policies:
                _compare_policy(title, trace, peer, capacity, policy)
            _compare_curve(title, trace, peer, capacity)
        for title, trace, capacity, _ in cases[:2]:
            _compare_python(title, trace, directory, capacity, prefix=500_000)


if __name__ == "__main__":
    main()
