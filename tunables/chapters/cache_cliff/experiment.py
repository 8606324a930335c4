"""Chapter 3's compiled functions: scans of the collector, in order or not, and the capacity test.

The page calls them as WebAssembly.
"""

import numpy as np

from tunables.simulators.caches_kernel import HIT, lru_hits, lru_hits_in, places_of, policy_hits
from tunables.simulators.compiled import compiled
from tunables.simulators.draws import new_state, random
from tunables.simulators.traces import CYCLIC, fill_with_scans

WARMUP_SCANS = 6
MEASURED_SCANS = 48  # with 2Q, a scan's hit ratio swings about its mean with a long period
SCANS = WARMUP_SCANS + MEASURED_SCANS
DISORDERED_SCANS = 6


@compiled
def hit_ratio(seed, graphs, capacity, policy, order):
    """Return the hit ratio of the measured scans in an exact simulation of the cache.

    policy: its number in `eviction_policies.POLICIES`; order: see `scans`.
    """
    if capacity == 0:
        return 0.0
    state = new_state(seed)
    ids = np.empty(SCANS * graphs, np.int32)
    fill_with_scans(ids, graphs, order, state)
    room, warmup = min(capacity, graphs), WARMUP_SCANS * graphs
    hits = policy_hits(policy, ids, graphs, room, warmup, state, np.empty(0, np.int64))
    return hits / (MEASURED_SCANS * graphs)


@compiled
def capacity_test(capacity):
    """Return the largest number of graphs whose second scan misses nothing, by bisection.

    This is the document's own experiment: a program updates more and more artificial graphs.
    """
    low, high = 0, 2 * capacity + 1
    ids, last_use = np.empty(2 * high, np.int32), np.empty(high, np.int32)
    left, state = np.empty(0, np.int64), new_state(0)
    while high - low > 1:
        graphs = (low + high) // 2
        two_scans = ids[: 2 * graphs]
        fill_with_scans(two_scans, graphs, CYCLIC, state)
        room = min(capacity, graphs)
        if lru_hits_in(last_use[:graphs], two_scans, room, graphs, left) == graphs:
            low = graphs
        else:
            high = graphs
    return low


@compiled
def experiment(seed, graphs, capacity, policy, order):
    """Return the capacity that the test finds, and the hit ratio; arguments: see `hit_ratio`."""
    return capacity_test(capacity), hit_ratio(seed, graphs, capacity, policy, order)


@compiled
def _sort_by_time(ids, late, coarse, starts):
    """Sort 0, 1, ..., n - 1 into ids by the times in `late`, stably.

    A counting sort into n coarse steps of time comes first, then an insertion sort, since few
    share a step. coarse and starts are work space for n and n + 1 numbers.
    """
    n, last = len(ids), 0.0
    for i in range(n):
        starts[i + 1], last = 0, max(last, late[i])
    starts[0] = 0
    for i in range(n):
        coarse[i] = min(int(late[i] * (n / (1.0 + last))), n - 1)
        starts[coarse[i] + 1] += 1
    for step in range(n):
        starts[step + 1] += starts[step]
    for i in range(n):
        ids[starts[coarse[i]]] = i
        starts[coarse[i]] += 1
    for end in range(1, n):
        x, place = ids[end], end
        while place > 0 and late[ids[place - 1]] > late[x]:
            ids[place] = ids[place - 1]
            place -= 1
        ids[place] = x


@compiled
def disordered_trace(seed, graphs, scans, disorder):
    """Return scans of 0, 1, ..., n - 1 in which each graph is late by up to disorder × n turns.

    Each scan sorts the graphs by i + disorder × n × u with a fresh u, uniform from 0 to 1. A
    disorder of 0 gives the cyclic scan; a large one gives a fresh random order each time.
    Shape (graphs * scans,).

    >>> disordered_trace(1, 3, 2, 0.0)
    array([0, 1, 2, 0, 1, 2], dtype=int32)
    """
    state = new_state(seed)
    ids, late = np.empty(scans * graphs, np.int32), np.empty(graphs)
    coarse, starts = np.empty(graphs, np.int32), np.empty(graphs + 1, np.int32)
    most = disorder * graphs
    for begin in range(0, len(ids), graphs):
        for i in range(graphs):
            late[i] = i + most * random(state)
        _sort_by_time(ids[begin : begin + graphs], late, coarse, starts)
    return ids


@compiled
def disordered_hit_ratio(seed, graphs, capacity, disorder):
    """Return LRU's hit ratio in the second half of the disordered scans."""
    if capacity == 0:
        return 0.0
    ids = disordered_trace(seed, graphs, DISORDERED_SCANS, disorder)
    warmup = DISORDERED_SCANS // 2 * graphs
    hits = lru_hits(ids, graphs, min(capacity, graphs), warmup, np.empty(0, np.int64))
    return hits / (len(ids) - warmup)


@compiled
def _trace_policy(seed, files, capacity, policy, order, scans):
    """Return the requested files, and the outcome of each request as `eviction` codes it."""
    state = new_state(seed)
    ids, left = np.empty(scans * files, np.int32), np.empty(scans * files, np.int64)
    fill_with_scans(ids, files, order, state)
    policy_hits(policy, ids, files, min(capacity, files), 0, state, left)
    return ids, left


@compiled
def trace(seed, files, capacity, policy, order, scans):
    """Return file, hit, victim and place of each request: see `caches.CacheTrace`.

    policy, order: as in `hit_ratio`; capacity: at least 1. Takes 28 bytes per request.
    """
    ids, left = _trace_policy(seed, files, capacity, policy, order, scans)
    hit, victim, place = places_of(ids, left, files)
    return ids, hit, victim, place


@compiled
def hit_runs(seed, files, capacity, policy, order, scans):
    """Return the run lengths of misses, hits, misses, ... in turn, for the full-size animation.

    The first is 0 if the first request is a hit. Arguments as in `trace`.
    """
    _, left = _trace_policy(seed, files, capacity, policy, order, scans)
    run = np.zeros(len(left) + 1, np.int32)
    last = 0
    for now in range(len(left)):
        if (left[now] == HIT) != (last % 2 == 1):
            last += 1
        run[last] += 1
    return run[: last + 1].copy()
