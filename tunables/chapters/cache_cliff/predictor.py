"""Chapter 3's closed forms: how many graphs fit, the hit ratio, and the headroom on the card."""

import math

from tunables.base.arguments import choice, integer, number
from tunables.base.portable import round_up
from tunables.theory.caching import (
    CYCLIC_POLICIES,
    cycle_time,
    cyclic_hit_ratio,
    shuffled_hit_ratio,
    slowdown,
    zigzag_hit_ratio,
)

GIB_BYTES = 2**30
# bytes_per_graph is measured at this setting. At another, the room scales in proportion.
REFERENCE_USAGE_PERCENT = 98
LRU_ORDERS = {"lru, zigzag": zigzag_hit_ratio, "lru, shuffled": shuffled_hit_ratio}
SCHEMES = CYCLIC_POLICIES + tuple(sorted(LRU_ORDERS))
# The closed forms of these are limits for many objects.
_LIMITS = ("random", "2q", "lru, shuffled")

# Thresholds of the card.
USED = 0.9  # share of the room and of the interval to use; the last tenth stays free
ALARM_SHORTFALL = 0.05  # alert this far below the hit ratio of the advice, so it does not flap
LEAST_SAVED = 1 / 3  # a cure that saves a smaller share of a scan's time is not worth the trouble
MILD_COST = 2  # hits; if a miss costs less, nobody notices the cliff


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

    scheme is a policy of `cyclic_hit_ratio` ("bypass" admits no more than fits), "lru, zigzag"
    (every second scan reversed) or "lru, shuffled" (a fresh random order each scan).
    Raises ValueError for an unknown scheme or sizes that `cyclic_hit_ratio` refuses.

    >>> scheme_hit_ratio(40_000, 36_000, "lru, zigzag")
    0.9
    """
    choice("scheme", scheme, SCHEMES)
    if scheme not in LRU_ORDERS:
        return cyclic_hit_ratio(graphs, capacity, scheme)
    n = integer("graphs", graphs, at_least=1)
    return LRU_ORDERS[scheme](min(1, number("capacity", capacity, at_least=0) / n))


def exact_hit_ratio(files, places, scheme):
    """Return the exact steady hit ratio of scans over a few files, or None if no form is exact.

    With n files and C places, n > C: "random" has (C - 1)/(C + 1) at n = C + 1 and "2q" has
    (C - 1)/(2n - C + 1) up to n = 1.5 C. For the other schemes `scheme_hit_ratio` is exact, except
    for "lru, shuffled". Raises ValueError as `scheme_hit_ratio` does.

    >>> exact_hit_ratio(13, 12, "random") == 11 / 13
    True
    """
    files = integer("objects", files, at_least=1)
    places = number("capacity", places, at_least=0)
    ratio = scheme_hit_ratio(files, places, scheme)
    if files <= places or scheme not in _LIMITS:
        return ratio
    if scheme == "random" and files == places + 1:
        return (places - 1) / (places + 1)
    if scheme == "2q" and files <= 1.5 * places:
        return (places - 1) / (2 * files - places + 1)
    return None


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
    hit_ratio = scheme_hit_ratio(integer("graphs", graphs, at_least=1), capacity, scheme)
    return {
        "capacity_graphs": float(capacity),
        "hit_ratio": hit_ratio,
        "slowdown": slowdown(hit_ratio, cost_ratio),
    }


def _side(graphs, capacity):
    return "Below" if graphs <= capacity else "Past"


def _verdict(state, side, late):
    if state == "mild":
        return side + " the knee. A miss costs less than two hits, so the cliff hardly shows."
    if side == "Past":
        if late:
            return (
                "Past the knee: no file is found in the cache, and the scan isn't done when the "
                "next one is due."
            )
        return "Past the knee: no file is found in the cache. The scan is slow, but ends in time."
    if state == "slow":
        return (
            "Below the knee, but even with every file found in the cache, a scan ends only just "
            "in time, or late."
        )
    if state == "tight":
        return (
            "Below the knee, but near it: every file is found in the cache, with no room to spare."
        )
    return "Below the knee: every file of the scan is found in the cache."


def _graphs_to_keep(capacity):
    """Return how many graphs may stay in the cache if a tenth of the room is to stay free."""
    return 0 if capacity == 0 else max(1, math.floor(USED * capacity))


def _bypass_limit(kept, capacity, reach, cost_ratio):
    """Return the most graphs for which a bypass ends in time and saves a third of a scan.

    A file that bypasses an LRU cache takes a place while it is written, so one must be free.
    """
    if kept == capacity:
        return 0
    in_time = kept + (reach - kept) / cost_ratio
    worth_it = kept * (1 - 1 / cost_ratio) / LEAST_SAVED
    return max(0, math.floor(min(in_time, worth_it)))


def _state(n, capacity, alarm, reach, cured, cost_ratio):
    if n > reach:
        return "slow" if n <= capacity else "far"
    if cost_ratio < MILD_COST and n * cost_ratio <= reach:
        return "mild"
    if n <= alarm:
        return "fits"
    if n <= capacity:
        return "tight"
    return "over" if n <= cured else "far"


def predict_headroom(
    *, graphs, memory_gib, bytes_per_graph, hit_ms, cost_ratio, interval_s
) -> dict:
    """Return the headroom of an LRU cache under a scan of n graphs, always in the same order.

    - "state": "fits", with room to spare; "tight", which fits without room to spare; "slow", which
      fits but takes more than 0.9 of the interval all the same; "over" the cliff, where a bypass
      is a cure; "far" over it, where only fewer graphs, more memory or another order can help;
      "mild", where a miss costs less than two hits and a scan without a hit ends in time
    - "capacity_graphs": C = memory / bytes_per_graph, rounded down
    - "spare_graphs": C - n, and "spare_percent", its share of n; both negative over the cliff
    - "alarm_graphs": the smaller of 0.9 C and of what the cache serves within 0.9 of the interval,
      rounded down; "surplus_graphs": how many graphs there are beyond that; "cured_graphs": the
      most for which a bypass ends within 0.9 of the interval and saves a third of a scan
    - "memory_needed_gib": for n graphs; "memory_wanted_gib": for n graphs and a tenth left free,
      rounded up as shown
    - "scan_s": seconds of a scan, n (h t + (1 - h) R t) with h = 1 up to C and 0 beyond
    - "scan_beyond_s": seconds of a scan of C + 1 graphs, none of which is found
    - "scan_found_s": seconds of a scan that finds every file, n t
    - "scan_bypass_s": if 0.9 C stay in the cache and the others bypass it, h = 0.9 C/n
    - "scan_zigzag_s": with every second scan reversed, h = min(1, C/n)
    - "alarm_hit_percent": five points below the h that the advice gives, which is the bypass's h in
      the state "over" and 1 otherwise; "alarm_reads": the misses of a scan at that hit ratio
    - "alarm_write_ms": the geometric mean of a write's mean time with that h and of a miss
    - "busy_s": 0.9 of the interval
    - "longest_gap_s": the longest time between two writes of one file if every second scan is
      reversed: the interval plus a scan
    - "late_graphs": the most graphs whose scan ends within interval_s although none is found
    - "verdict": which side of the cliff

    hit_ms = t, the time of a write that finds its file; cost_ratio = R.
    Raises ValueError if graphs is not a whole number at least 1, or another is not above 0.

    >>> card = {"memory_gib": 4, "bytes_per_graph": 2**20, "interval_s": 300}
    >>> tight = predict_headroom(graphs=4000, hit_ms=0.25, cost_ratio=20, **card)
    >>> tight["state"], tight["capacity_graphs"], tight["spare_graphs"], tight["scan_s"]
    ('tight', 4096.0, 96.0, 1.0)
    """
    n = integer("graphs", graphs, at_least=1)
    graph_bytes = number("bytes_per_graph", bytes_per_graph, above=0)
    capacity = capacity_graphs(memory_gib, REFERENCE_USAGE_PERCENT, graph_bytes)
    hit_s = number("hit_ms", hit_ms, above=0) / 1000
    ratio = number("cost_ratio", cost_ratio, above=0)
    miss_s = ratio * hit_s
    interval = number("interval_s", interval_s, above=0)
    late = math.floor(interval / miss_s)
    busy_s = USED * interval
    kept, reach = _graphs_to_keep(capacity), math.floor(busy_s / hit_s)
    alarm = min(kept, reach)
    cured = _bypass_limit(kept, capacity, reach, ratio)
    state = _state(n, capacity, alarm, reach, cured, ratio)

    found = cyclic_hit_ratio(n, capacity, "lru")
    bypassed = cyclic_hit_ratio(n, kept, "bypass")
    reversed_s = cycle_time(n, zigzag_hit_ratio(min(1.0, capacity / n)), hit_s, miss_s)
    advised = bypassed if state == "over" else 1.0
    alarm_hit = max(0.0, advised - ALARM_SHORTFALL)
    write_s = cycle_time(1, advised, hit_s, miss_s)
    return {
        "verdict": _verdict(state, _side(n, capacity), n > late),
        "state": state,
        "capacity_graphs": float(capacity),
        "spare_graphs": float(capacity - n),
        "spare_percent": 100 * (capacity / n - 1),
        "alarm_graphs": float(alarm),
        "surplus_graphs": float(max(0, n - alarm)),
        "cured_graphs": float(cured),
        "memory_needed_gib": n * graph_bytes / GIB_BYTES,
        "memory_wanted_gib": round_up((math.ceil(n / USED) + 1) * graph_bytes / GIB_BYTES),
        "scan_s": cycle_time(n, found, hit_s, miss_s),
        "scan_beyond_s": cycle_time(capacity + 1, 0.0, hit_s, miss_s),
        "scan_found_s": cycle_time(n, 1.0, hit_s, miss_s),
        "scan_bypass_s": cycle_time(n, bypassed, hit_s, miss_s),
        "scan_zigzag_s": reversed_s,
        "alarm_hit_percent": 100 * alarm_hit,
        "alarm_reads": n * (1 - alarm_hit),
        "alarm_write_ms": 1000 * math.sqrt(write_s * miss_s),
        "busy_s": busy_s,
        "longest_gap_s": interval + reversed_s,
        "late_graphs": float(late),
    }
