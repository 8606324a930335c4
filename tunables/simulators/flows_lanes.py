"""Which lane of the port's kernels each user waits in, compiled.

Each function takes cycles (see `tunables.simulators.cycles`) and the seconds of the whole server
that a job of each pool takes, and returns the records of the pools when all is done.
"""

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.cycles import new_pools
from tunables.simulators.flows_kernel import LANE, NOBODY, USER, serve_one, serve_shared
from tunables.simulators.least_attained import serve_least_attained
from tunables.simulators.records import records


@compiled
def _place(known, count, value):
    """Return the first of the count values in order that is not below this one."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if known[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def ranked(values):
    """Return the distinct values in order, and the rank of each value among them."""
    known, rank, count = np.empty_like(values), np.empty(len(values), np.int64), 0
    for value in values:
        place = _place(known, count, value)
        if place == count or known[place] != value:
            for later in range(count, place, -1):
                known[later] = known[later - 1]
            known[place] = value
            count += 1
    for i in range(len(values)):
        rank[i] = _place(known, count, values[i])
    return known[:count], rank


@compiled
def _new_lane(lanes, place, service_s):
    lanes[place].head, lanes[place].due, lanes[place].service_s = NOBODY, np.inf, service_s


@compiled
def _new_users(pool_of, lane_of):
    """Return users none of whom waits; lane_of: the lane of each pool."""
    users = records(len(pool_of), USER)
    for user in range(len(pool_of)):
        users[user].pool, users[user].lane = pool_of[user], lane_of[pool_of[user]]
    return users


@compiled
def serve_levels(cycles, service_s, ahead_s):
    """Processor sharing on two levels: the first ahead_s[p] of a job of pool p go ahead."""
    sizes_s, size_of = ranked(service_s)
    limits_s, limit_of = ranked(ahead_s)
    limits = len(limits_s)
    pair_of = np.empty_like(size_of)  # by a loop: numba's array expressions name their file
    for pool in range(len(size_of)):
        pair_of[pool] = size_of[pool] * limits + limit_of[pool]
    pairs, lane_of = ranked(pair_of)
    lanes = records(2 * len(pairs), LANE)
    for place in range(len(pairs)):
        size_s = sizes_s[pairs[place] // limits]
        first_s = min(size_s, limits_s[pairs[place] % limits])
        _new_lane(lanes, place, first_s)
        _new_lane(lanes, place + len(pairs), size_s - first_s)
    pools = new_pools(cycles)
    serve_shared(cycles[0], pools, _new_users(cycles[3], lane_of), lanes)
    return pools


@compiled
def serve_in_turn(cycles, service_s, preempts):
    """One job at a time: the first that came or, where they preempt, that with the least left."""
    sizes_s, lane_of = ranked(service_s if preempts else np.zeros(len(service_s)))
    lanes = records(len(sizes_s), LANE)
    for place in range(len(sizes_s)):
        _new_lane(lanes, place, sizes_s[place])
    pools = new_pools(cycles)
    serve_one(cycles[0], pools, _new_users(cycles[3], lane_of), lanes, service_s, preempts)
    return pools


@compiled
def serve_groups(cycles, service_s):
    """Least attained service first."""
    pools = new_pools(cycles)
    users = _new_users(cycles[3], np.zeros(len(service_s), np.int64))
    serve_least_attained(cycles[0], pools, users, service_s)
    return pools
