"""What each request of a trace did to the cache, under each of the nine policies."""

from typing import NamedTuple

import numpy as np

from tunables.plain.arguments import choice, number, whole
from tunables.simulators.draws import from_seed
from tunables.simulators.eviction import NOBODY
from tunables.simulators.eviction_policies import POLICIES, places_of, policy_hits
from tunables.simulators.object_ids import number_objects


class CacheTrace(NamedTuple):
    """What each request of a trace did: a whole number a request in each column.

    file: the object asked for; hit: 1 or 0; victim: the object that left for it, or -1; place:
    where in the cache the file now stands, from 0: in its victim's, or the first still empty.
    So the cache holds at any time, at each place, the file of that place's last request.
    """

    file: np.ndarray
    hit: np.ndarray
    victim: np.ndarray
    place: np.ndarray


def trace_policy(trace, capacity, policy, seed=0) -> CacheTrace:
    """Return what each request does under `simulate_policy`, whose hits are the sum of `hit`.

    Raises ValueError for what `simulate_policy` refuses, an object that is below 0 or above
    2^53, or no capacity.

    >>> from tunables.simulators.traces import cyclic_trace
    >>> thirteen = trace_policy(cyclic_trace(13, 2), 12, "lru")
    >>> thirteen.file[12:16].tolist(), thirteen.victim[12:16].tolist()
    ([12, 0, 1, 2], [0, 1, 2, 3])
    """
    policy_number = POLICIES.index(choice("policy", policy, POLICIES))
    capacity = whole("capacity", capacity, at_least=1)
    state = from_seed(whole("seed", seed))
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
