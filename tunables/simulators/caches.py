"""Exact simulation of caches that hold a given number of equally large objects.

Ten eviction policies, what each request of a trace does under them, and (from `stack` and
`traces`) LRU at every capacity in one pass, and traces to feed the caches.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from tunables.base.arguments import choice, integer, number
from tunables.simulators.arrays import Integers, describe
from tunables.simulators.caches_kernel import KERNELS, NOBODY, POLICIES, places_of, policy_hits
from tunables.simulators.draws import from_seed
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


def simulate_policy(
    trace: ArrayLike, capacity: int, policy: str, warmup: int = 0, seed: int = 0
) -> int:
    """Return the number of hits of a cache that starts empty and holds at most capacity objects.

    policy is one of `POLICIES`: "lru", "fifo", "clock" (one bit), "random" (uniform), "mru",
    "sieve", "arc", "2q" (Kin = C/4, Kout = C/2), "opt" (Belady; every miss is brought in),
    "bypass" (brings in an object if there is room, and evicts nothing). Hits of the first warmup
    requests are not counted. Only "random" uses the seed: the same seed evicts the same frames.
    The sources are at each policy's function in `caches_kernel`. For a warm start let the trace
    begin with the warm cycles of `grown_trace`, and include them in warmup.

    Raises ValueError unless trace is a one-dimensional, non-empty sequence of whole numbers,
    capacity a whole number at least 0, policy a known name, warmup a whole number from 0 to
    the number of requests, and seed a whole number at least 0.

    >>> frames = [1, 2, 3, 4, 1, 2, 5, 1, 2, 3, 4, 5]
    >>> [12 - simulate_policy(frames, capacity, "fifo") for capacity in (3, 4)]
    [9, 10]
    >>> simulate_policy([1, 2, 3, 1, 2, 4] * 3, 2, "random", warmup=3, seed=1)
    2
    """
    capacity = integer("capacity", capacity)
    hits = KERNELS[choice("policy", policy, POLICIES)]
    state = from_seed(integer("seed", seed))
    ids, objects = number_objects(trace)
    warmup = integer("warmup", warmup, at_most=len(ids))
    if capacity == 0:
        return 0
    capacity = min(capacity, objects)  # all fit: a larger cache would behave the same
    drawn_from = (state,) if policy == "random" else ()
    return int(hits(ids, objects, capacity, warmup, *drawn_from, _NOTHING))


class CacheTrace(NamedTuple):
    """What each request of a trace did: one integer per request in each column.

    file: the requested object; hit: 1 or 0; victim: the object evicted for it, or -1; place: the
    file's place in the cache from now on, from 0: its victim's, or the first empty one; -1 if the
    file was not brought in, which only "bypass" does.
    So at any time each place of the cache holds the file of that place's last request.
    """

    file: Integers
    hit: Integers
    victim: Integers
    place: Integers

    def __repr__(self) -> str:
        return describe(self)


def trace_policy(trace: ArrayLike, capacity: int, policy: str, seed: int = 0) -> CacheTrace:
    """Return what each request does under `simulate_policy`; the sum of `hit` is its result.

    Raises ValueError where `simulate_policy` does, and for an object below 0 or above 2^53 or a
    capacity of 0.

    >>> from tunables.simulators.traces import cyclic_trace
    >>> thirteen = trace_policy(cyclic_trace(13, 2), 12, "lru")
    >>> thirteen.file[12:16].tolist(), thirteen.victim[12:16].tolist()
    ([12, 0, 1, 2], [0, 1, 2, 3])
    """
    policy_number = POLICIES.index(choice("policy", policy, POLICIES))
    capacity = integer("capacity", capacity, at_least=1)
    state = from_seed(integer("seed", seed))
    ids, objects = number_objects(trace)
    for name, of in (("smallest", np.min), ("largest", np.max)):
        number(f"{name} object of trace", of(trace), at_least=0, at_most=2**53)
    file = np.asarray(trace).astype(np.int64)
    left = np.empty(len(ids), np.int64)
    policy_hits(policy_number, ids, objects, min(capacity, objects), 0, state, left)
    hit, victim, place = places_of(ids, left, objects)
    named = np.empty(objects, np.int64)
    named[ids] = file
    return CacheTrace(file, hit, np.where(victim < 0, NOBODY, named[victim]), place)
