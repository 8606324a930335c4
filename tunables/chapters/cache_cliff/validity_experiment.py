"""Chapter 3's scan whose order wavers, compiled."""

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.draws import random, seeded
from tunables.simulators.eviction import lru_hits

SCANS = 6


@compiled
def _sort(ids, late, coarse, starts):
    """Sort 0, 1, ..., n - 1 into ids by their times late, stably; coarse and starts: n, n + 1.

    First into n coarse steps of time, by counting, then by insertion: few share a step.
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
    """Return scans of 0, 1, ..., n - 1 in which each graph comes late by up to disorder n turns.

    Each scan sorts the graphs by i + disorder n u with fresh u, uniform from 0 to 1; a disorder
    of 0 is the cyclic scan, and a large one a fresh random order each time.
    Shape (graphs * scans,).

    >>> disordered_trace(1, 3, 2, 0.0)
    array([0, 1, 2, 0, 1, 2], dtype=int32)
    """
    state = seeded(seed)
    ids, late = np.empty(scans * graphs, np.int32), np.empty(graphs)
    coarse, starts = np.empty(graphs, np.int32), np.empty(graphs + 1, np.int32)
    most = disorder * graphs
    for begin in range(0, len(ids), graphs):
        for i in range(graphs):
            late[i] = i + most * random(state)
        _sort(ids[begin : begin + graphs], late, coarse, starts)
    return ids


@compiled
def experiment(seed, graphs, capacity, disorder):
    """Return LRU's hit ratio of the second half of the disordered scans."""
    if capacity == 0:
        return 0.0
    ids = disordered_trace(seed, graphs, SCANS, disorder)
    warmup = SCANS // 2 * graphs
    hits = lru_hits(ids, graphs, min(capacity, graphs), warmup, np.empty(0, np.int64))
    return hits / (len(ids) - warmup)
