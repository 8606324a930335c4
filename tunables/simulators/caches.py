"""Exact simulation of caches that hold a given number of objects of one size.

Traces to feed them, LRU at every capacity from one pass, and nine eviction policies.
"""

import numpy as np

from tunables.plain.arguments import choice, whole
from tunables.simulators.cache_trace import CacheTrace, trace_policy
from tunables.simulators.draws import from_seed
from tunables.simulators.eviction_policies import KERNELS, POLICIES
from tunables.simulators.object_ids import number_objects
from tunables.simulators.stack import miss_ratio_curve, stack_distances
from tunables.simulators.traces import (
    cyclic_trace,
    grown_trace,
    mixed_trace,
    shuffled_trace,
    zigzag_trace,
    zipf_trace,
)

__all__ = [
    "POLICIES",
    "CacheTrace",
    "cyclic_trace",
    "grown_trace",
    "miss_ratio_curve",
    "mixed_trace",
    "shuffled_trace",
    "simulate_policy",
    "stack_distances",
    "trace_policy",
    "zigzag_trace",
    "zipf_trace",
]

_NOTHING = np.empty(0, np.int64)


def simulate_policy(trace, capacity, policy, warmup=0, seed=0) -> int:
    """Return the hits of a cache that starts empty and holds at most capacity objects.

    policy is one of `POLICIES`: "lru", "fifo", "clock" (one bit), "random" (uniform), "mru",
    "sieve", "arc", "2q" (Kin = C/4, Kout = C/2), "opt" (Belady; no bypass). Hits of the first
    warmup requests are not counted. seed is for "random" alone: the same seed evicts the same
    frames. Sources: at each policy's function. For a warm start let the trace begin with
    `grown_trace`'s warm cycles, and count them in warmup.

    Raises ValueError unless trace is a one-dimensional, non-empty sequence of whole numbers,
    capacity a whole number at least 0, policy a known name, warmup a whole number from 0 to
    the number of requests, and seed a whole number at least 0.

    >>> frames = [1, 2, 3, 4, 1, 2, 5, 1, 2, 3, 4, 5]
    >>> [12 - simulate_policy(frames, capacity, "fifo") for capacity in (3, 4)]
    [9, 10]
    """
    capacity = whole("capacity", capacity)
    hits = KERNELS[choice("policy", policy, POLICIES)]
    state = from_seed(whole("seed", seed))
    ids, objects = number_objects(trace)
    warmup = whole("warmup", warmup, at_most=len(ids))
    if capacity == 0:
        return 0
    capacity = min(capacity, objects)  # all fit: a larger cache would act the same
    drawn_from = (state,) if policy == "random" else ()
    return int(hits(ids, objects, capacity, warmup, *drawn_from, _NOTHING))
