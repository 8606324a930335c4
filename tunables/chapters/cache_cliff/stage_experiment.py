"""What chapter 3's stage draws, compiled: each request of the scans, and what it did."""

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.draws import seeded
from tunables.simulators.eviction import HIT
from tunables.simulators.eviction_policies import places_of, policy_hits
from tunables.simulators.scans import fill_with_scans


@compiled
def _scanned(seed, files, capacity, policy, order, scans):
    """Return the files asked for, and what each request did, as in `eviction`."""
    state = seeded(seed)
    ids, left = np.empty(scans * files, np.int32), np.empty(scans * files, np.int64)
    fill_with_scans(ids, files, order, state)
    policy_hits(policy, ids, files, min(capacity, files), 0, state, left)
    return ids, left


@compiled
def trace(seed, files, capacity, policy, order, scans):
    """Return file, hit, victim and place of each request: see `caches.CacheTrace`.

    policy, order: as in `experiment`; capacity: 1 at least. 28 bytes a request.
    """
    ids, left = _scanned(seed, files, capacity, policy, order, scans)
    hit, victim, place = places_of(ids, left, files)
    return ids, hit, victim, place


@compiled
def hit_runs(seed, files, capacity, policy, order, scans):
    """Return how many misses, then hits, then misses, ... follow each other: for the full size.

    The first is 0 if the first request is a hit. Arguments as in `trace`.
    """
    _, left = _scanned(seed, files, capacity, policy, order, scans)
    run = np.zeros(len(left) + 1, np.int32)
    last = 0
    for now in range(len(left)):
        if (left[now] == HIT) != (last % 2 == 1):
            last += 1
        run[last] += 1
    return run[: last + 1].copy()
