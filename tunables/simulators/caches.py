"""Exact simulation of caches that hold a given number of objects of one size.

Traces to feed them, LRU at every capacity from one pass, and nine eviction policies.
"""

import numpy as np

from tunables.arguments import choice, whole
from tunables.simulators.eviction import clock_hits, fifo_hits, lru_hits, mru_hits, random_hits
from tunables.simulators.eviction_lists import arc_hits, sieve_hits, two_queue_hits
from tunables.simulators.eviction_optimal import opt_hits
from tunables.simulators.object_ids import number_objects
from tunables.simulators.stack import miss_ratio_curve, stack_distances
from tunables.simulators.traces import (
    cyclic_trace,
    mixed_trace,
    shuffled_trace,
    zigzag_trace,
    zipf_trace,
)

__all__ = [
    "POLICIES",
    "cyclic_trace",
    "miss_ratio_curve",
    "mixed_trace",
    "shuffled_trace",
    "simulate_policy",
    "stack_distances",
    "zigzag_trace",
    "zipf_trace",
]

_HITS = {
    "lru": lru_hits,
    "fifo": fifo_hits,
    "clock": clock_hits,
    "random": random_hits,
    "mru": mru_hits,
    "sieve": sieve_hits,
    "arc": arc_hits,
    "2q": two_queue_hits,
    "opt": opt_hits,
}
POLICIES = tuple(_HITS)


def simulate_policy(trace, capacity, policy, warmup=0, seed=0) -> int:
    """Return the hits of a cache that starts empty and holds at most capacity objects.

    policy is one of `POLICIES`: "lru", "fifo", "clock" (one bit), "random" (uniform), "mru",
    "sieve", "arc", "2q" (Kin = C/4, Kout = C/2), "opt" (Belady; no bypass). Hits of the first
    warmup requests are not counted. seed is for "random" alone: the same seed evicts the same
    frames. Sources: at each policy's function.

    Raises ValueError unless trace is a one-dimensional, non-empty sequence of whole numbers,
    capacity a whole number at least 0, policy a known name, warmup a whole number from 0 to
    the number of requests, and seed a whole number at least 0.

    >>> frames = [1, 2, 3, 4, 1, 2, 5, 1, 2, 3, 4, 5]
    >>> [12 - simulate_policy(frames, capacity, "fifo") for capacity in (3, 4)]
    [9, 10]
    """
    capacity = whole("capacity", capacity)
    hits = _HITS[choice("policy", policy, POLICIES)]
    seed = whole("seed", seed)
    ids, objects = number_objects(trace)
    warmup = whole("warmup", warmup, at_most=len(ids))
    if capacity == 0:
        return 0
    capacity = min(capacity, objects)  # all fit: a larger cache would act the same
    if policy == "random":
        generator = np.random.default_rng(seed)
        draws = generator.integers(capacity, size=len(ids), dtype=np.int32)
        return int(random_hits(ids, objects, capacity, warmup, draws))
    return int(hits(ids, objects, capacity, warmup))
