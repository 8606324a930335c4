"""Cache simulation, side by side with libCacheSim, cachetools and functools.lru_cache.

python -m benchmarks.caches    (about two minutes)

Ours gets the ids as an int64 array and numbers the objects again in each timed call.
libCacheSim reads its own binary format from a file that the system has in memory; writing it
is not timed. The two Python caches are fed a list of ints, on a prefix of the trace.
"""

import tempfile
from collections import deque
from functools import lru_cache, partial
from pathlib import Path

import cachetools
import numpy as np

from benchmarks.libcachesim_peer import PEER_POLICIES, PeerTrace
from benchmarks.side_by_side import race, show
from tunables.simulators.caches import (
    cyclic_trace,
    miss_ratio_curve,
    simulate_policy,
    zipf_trace,
)

BEYOND = {
    "libCacheSim": "objects of different sizes, times to live, admission and prefetching, some "
    "twenty more policies, and traces read from files in the formats of others",
    "functools.lru_cache": "it caches: these are caches for a program, and no simulators",
    "cachetools": "it caches too, and has limits of time and of weight",
}


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


def _about(trace, capacity):
    return f"{len(trace):,} requests for {len(np.unique(trace)):,} objects, capacity {capacity:,}"


def _policy(title, trace, peer, capacity, policy):
    contenders = {
        "tunables": partial(simulate_policy, trace, capacity, policy),
        "libCacheSim": partial(peer.hits, capacity, policy),
    }
    about = _about(trace, capacity)
    return race(f"{policy.upper()}: {title}", "request", len(trace), contenders, about=about)


def _curve(title, trace, peer, capacity):
    contenders = {
        "tunables": partial(_curve_hits, trace, capacity),
        "libCacheSim": partial(peer.hits, capacity, "lru"),
    }
    title = f"Whole LRU curve: {title}"
    about = f"every capacity here, {capacity:,} there"
    return race(title, "request", len(trace), contenders, about=about)


def _python(title, trace, directory, capacity, prefix):
    trace = trace[:prefix]
    ids = trace.tolist()
    contenders = {
        "tunables": partial(simulate_policy, trace, capacity, "lru"),
        "libCacheSim": partial(PeerTrace(directory / "prefix", trace).hits, capacity, "lru"),
        "functools.lru_cache": partial(_functools_hits, ids, capacity),
        "cachetools": partial(_cachetools_hits, ids, capacity),
    }
    title, about = f"LRU in Python: {title}", _about(trace, capacity)
    return race(title, "request", prefix, contenders, runs=3, about=about)


def races():
    """Yield each trace under each policy, its whole curve, and Python's own caches."""
    any_id = np.random.default_rng(0).integers(-(2**62), 2**62, size=100_000)
    zipf = zipf_trace(100_000, 10_000_000, 0.8, seed=1)
    cases = [
        ("a cycle", cyclic_trace(90_000, 50), 89_999, ["lru"]),
        ("Zipf", zipf, 10_000, PEER_POLICIES),
        ("Zipf, 63-bit ids", any_id[zipf], 10_000, ["lru"]),
        ("Zipf, 10^6 ids", zipf_trace(1_000_000, 10_000_000, 0.8, seed=1), 100_000, ["lru"]),
    ]
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        for title, trace, capacity, policies in cases:
            peer = PeerTrace(directory / "trace", trace)
            for policy in policies:
                yield _policy(title, trace, peer, capacity, policy)
            yield _curve(title, trace, peer, capacity)
        for title, trace, capacity, _ in cases[:2]:
            yield _python(title, trace, directory, capacity, prefix=500_000)


if __name__ == "__main__":
    show(races())
