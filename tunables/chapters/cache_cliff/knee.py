"""Operator's card of chapter 3: how many more graphs a cache takes before the cliff."""

import math

from tunables.chapters.cache_cliff.predictor import (
    GIB_BYTES,
    REFERENCE_USAGE_PERCENT,
    capacity_graphs,
)
from tunables.plain.arguments import number, whole
from tunables.theory.caching import cycle_time, cyclic_hit_ratio, zigzag_hit_ratio

ALARM_SHORTFALL = 0.05  # of the hit ratio that the advised order gives, so that it does not flap


def _verdict(graphs, capacity, late):
    if graphs <= capacity:
        return "Below the knee: every file of the scan is found in the cache."
    if graphs <= late:
        return "Over the knee: no file is found. The scan is slow, but ends in time."
    return "Over the knee: no file is found, and the scan is late for the next."


def predict(*, graphs, memory_gib, bytes_per_graph, hit_ms, cost_ratio, interval_s) -> dict:
    """Return the headroom of an LRU cache under a scan of so many graphs in the same order.

    - "capacity_graphs": C = memory / bytes_per_graph, rounded down
    - "spare_graphs": C - n, "spare_percent" of n; negative over the cliff
    - "alarm_graphs": 0.9 C, rounded down; "memory_needed_gib": for n graphs
    - "scan_s": seconds of a scan, n (h t + (1 - h) R t) with h = 1 up to C and 0 beyond
    - "scan_beyond_s": of a scan of one graph more than fit, none of them found
    - "scan_zigzag_s": with every second scan reversed, h = min(1, C/n)
    - "alarm_hit_percent": five points below that h; "alarm_reads": the misses of a scan that
      hits so much; "alarm_s" and "back_s": half as long again as that scan, and twice as long
    - "longest_gap_s": between two writes of one file if every second scan is reversed: the
      interval and a scan
    - "late_graphs": the most that end within interval_s although none is found
    - "verdict": which side of the cliff

    hit_ms = t of a write that finds its file, cost_ratio = R.
    Raises ValueError if graphs is not a whole number at least 1, or another is not above 0.

    >>> card = {"memory_gib": 4, "bytes_per_graph": 2**20, "interval_s": 300}
    >>> tight = predict(graphs=4000, hit_ms=0.25, cost_ratio=20, **card)
    >>> tight["capacity_graphs"], tight["spare_graphs"], tight["scan_s"]
    (4096.0, 96.0, 1.0)
    """
    n = whole("graphs", graphs, at_least=1)
    capacity = capacity_graphs(memory_gib, REFERENCE_USAGE_PERCENT, bytes_per_graph)
    hit_s = number("hit_ms", hit_ms, above=0) / 1000
    miss_s = number("cost_ratio", cost_ratio, above=0) * hit_s
    late = math.floor(number("interval_s", interval_s, above=0) / miss_s)
    found = cyclic_hit_ratio(n, capacity, "lru")
    reversed_found = zigzag_hit_ratio(min(1.0, capacity / n))
    reversed_s = cycle_time(n, reversed_found, hit_s, miss_s)
    alarm_hit = max(0.0, reversed_found - ALARM_SHORTFALL)
    return {
        "verdict": _verdict(n, capacity, late),
        "capacity_graphs": float(capacity),
        "spare_graphs": float(capacity - n),
        "spare_percent": 100 * (capacity / n - 1),
        "alarm_graphs": float(math.floor(0.9 * capacity)),
        "memory_needed_gib": n * bytes_per_graph / GIB_BYTES,
        "scan_s": cycle_time(n, found, hit_s, miss_s),
        "scan_beyond_s": cycle_time(capacity + 1, 0.0, hit_s, miss_s),
        "scan_zigzag_s": reversed_s,
        "alarm_hit_percent": 100 * alarm_hit,
        "alarm_reads": n * (1 - alarm_hit),
        "alarm_s": 1.5 * reversed_s,
        "back_s": 2 * reversed_s,
        "longest_gap_s": interval_s + reversed_s,
        "late_graphs": float(late),
    }
