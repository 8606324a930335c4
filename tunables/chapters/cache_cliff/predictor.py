"""Chapter 3: how many graphs fit in the cache, and what happens beyond."""

import math

from tunables.plain.arguments import choice, number, whole
from tunables.theory.caching import (
    CYCLIC_POLICIES,
    cyclic_hit_ratio,
    shuffled_hit_ratio,
    slowdown,
    zigzag_hit_ratio,
)

GIB_BYTES = 2**30
# bytes_per_graph is what a graph takes at this setting; at another the pool scales with it.
REFERENCE_USAGE_PERCENT = 98
LRU_ORDERS = {"lru, zigzag": zigzag_hit_ratio, "lru, shuffled": shuffled_hit_ratio}
SCHEMES = CYCLIC_POLICIES + tuple(sorted(LRU_ORDERS))


def capacity_graphs(memory_gib, usage_maximum_percent, bytes_per_graph) -> int:
    """Return how many graphs fit: C = floor(memory u / (98 bytes_per_graph)).

    u = usage_maximum_percent (PoolUsageMaximum): eviction starts at this share of the pool.
    Raises ValueError if memory_gib or bytes_per_graph is not above 0 or u is not in (0, 100].

    >>> capacity_graphs(3.25, 98, 8 * 2**30 / 90_000)
    36562
    """
    memory_bytes = number("memory_gib", memory_gib, above=0) * GIB_BYTES
    percent = number("usage_maximum_percent", usage_maximum_percent, above=0, at_most=100)
    graph_bytes = number("bytes_per_graph", bytes_per_graph, above=0)
    graphs = memory_bytes / graph_bytes * (percent / REFERENCE_USAGE_PERCENT)
    return math.floor(graphs * (1 + 1e-12))  # the margin absorbs the rounding of the division


def scheme_hit_ratio(graphs, capacity, scheme) -> float:
    """Return the steady hit ratio of an eviction policy (and, for LRU, a scan order).

    scheme is a policy of `cyclic_hit_ratio`, "lru, zigzag" (every second scan reversed) or
    "lru, shuffled" (a fresh random order each scan).
    Raises ValueError for an unknown scheme or sizes that `cyclic_hit_ratio` refuses.

    >>> scheme_hit_ratio(40_000, 36_000, "lru, zigzag")
    0.9
    """
    choice("scheme", scheme, SCHEMES)
    if scheme not in LRU_ORDERS:
        return cyclic_hit_ratio(graphs, capacity, scheme)
    n = whole("graphs", graphs, at_least=1)
    return LRU_ORDERS[scheme](min(1, number("capacity", capacity, at_least=0) / n))


def predict(
    *, graphs, memory_gib, usage_maximum_percent, bytes_per_graph, cost_ratio, scheme
) -> dict:
    """Return {"capacity_graphs", "hit_ratio", "slowdown"} for one server and one load.

    Raises ValueError for a parameter outside its range, by its name.

    >>> server = {"memory_gib": 3.25, "usage_maximum_percent": 98, "bytes_per_graph": 95_444}
    >>> predict(graphs=40_000, cost_ratio=20, scheme="lru", **server)["slowdown"]
    20.0
    """
    capacity = capacity_graphs(memory_gib, usage_maximum_percent, bytes_per_graph)
    hit_ratio = scheme_hit_ratio(whole("graphs", graphs, at_least=1), capacity, scheme)
    return {
        "capacity_graphs": float(capacity),
        "hit_ratio": hit_ratio,
        "slowdown": slowdown(hit_ratio, cost_ratio),
    }
