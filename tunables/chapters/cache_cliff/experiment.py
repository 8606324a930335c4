"""Chapter 3's experiments, compiled: the collector's scans, and the capacity test."""

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.draws import seeded
from tunables.simulators.eviction import lru_hits_in
from tunables.simulators.eviction_policies import policy_hits
from tunables.simulators.scans import CYCLIC, fill_with_scans

WARMUP_SCANS = 6
MEASURED_SCANS = 48  # single scans of 2Q swing about their mean with a long period
SCANS = WARMUP_SCANS + MEASURED_SCANS


@compiled
def hit_ratio(seed, graphs, capacity, policy, order):
    """Return the hit ratio of the measured scans in an exact simulation of the cache.

    policy: its number in `eviction_policies.POLICIES`; order: see `scans`.
    """
    if capacity == 0:
        return 0.0
    state = seeded(seed)
    ids = np.empty(SCANS * graphs, np.int32)
    fill_with_scans(ids, graphs, order, state)
    room, warmup = min(capacity, graphs), WARMUP_SCANS * graphs
    hits = policy_hits(policy, ids, graphs, room, warmup, state, np.empty(0, np.int64))
    return hits / (MEASURED_SCANS * graphs)


@compiled
def capacity_test(capacity):
    """Return the largest number of graphs whose second scan misses nothing, by bisection.

    This is the document's own experiment: a program updates ever more artificial graphs.
    """
    low, high = 0, 2 * capacity + 1
    ids, last_use = np.empty(2 * high, np.int32), np.empty(high, np.int32)
    left, state = np.empty(0, np.int64), seeded(0)
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
