"""The nine eviction policies by name, and by number in one compiled function."""

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.eviction import (
    HIT,
    NOBODY,
    clock_hits,
    fifo_hits,
    lru_hits,
    mru_hits,
    random_hits,
)
from tunables.simulators.eviction_lists import arc_hits, sieve_hits, two_queue_hits
from tunables.simulators.eviction_optimal import opt_hits

KERNELS = {
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
POLICIES = tuple(KERNELS)


@compiled
def policy_hits(policy, ids, objects, capacity, warmup, state, left):
    """The hits of the policy of that number in POLICIES; state: of `draws`, for "random" alone.

    The other arguments are those of `eviction`.
    """
    if policy == 0:
        return lru_hits(ids, objects, capacity, warmup, left)
    if policy == 1:
        return fifo_hits(ids, objects, capacity, warmup, left)
    if policy == 2:
        return clock_hits(ids, objects, capacity, warmup, left)
    if policy == 3:
        return random_hits(ids, objects, capacity, warmup, state, left)
    if policy == 4:
        return mru_hits(ids, objects, capacity, warmup, left)
    if policy == 5:
        return sieve_hits(ids, objects, capacity, warmup, left)
    if policy == 6:
        return arc_hits(ids, objects, capacity, warmup, left)
    if policy == 7:
        return two_queue_hits(ids, objects, capacity, warmup, left)
    return opt_hits(ids, objects, capacity, warmup, left)


@compiled
def places_of(ids, left, objects):
    """Return (hit, victim, place) of each request, from what `policy_hits` left of it.

    victim: the object that left, or NOBODY; place: the one in the cache at which the request's
    object now stands, which is its victim's, or the first that was still empty.
    """
    hit, victim, place = np.empty_like(left), np.empty_like(left), np.empty_like(left)
    stands = np.empty(objects, np.int64)
    filled = 0
    for now in range(len(left)):
        x = ids[now]
        hit[now] = left[now] == HIT
        victim[now] = max(left[now], NOBODY)
        if victim[now] != NOBODY:
            stands[x] = stands[victim[now]]
        elif not hit[now]:
            stands[x] = filled
            filled += 1
        place[now] = stands[x]
    return hit, victim, place
