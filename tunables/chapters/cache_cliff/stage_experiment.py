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
def hits(seed, files, capacity, policy, order, scans):
    """Return of each request whether it is a hit, a byte each: for the full size."""
    _, left = _scanned(seed, files, capacity, policy, order, scans)
    hit = np.empty(len(left), np.bool_)
    for now in range(len(left)):
        hit[now] = left[now] == HIT
    return hit
