"""Chapter 3's simulation: the collector's scans over an exact cache, and its capacity test."""

from tunables.predictors.rrd import capacity_graphs
from tunables.simulators.caches import (
    cyclic_trace,
    shuffled_trace,
    simulate_policy,
    zigzag_trace,
)
from tunables.simulators.interval import confidence_interval
from tunables.theory.caching import slowdown

WARMUP_SCANS = 6
MEASURED_SCANS = 48  # single scans of 2Q swing about their mean with a long period
RUNS = 5  # of the schemes that draw random numbers; the others give the same result each time
SEEDED = ("random", "lru, shuffled")


def _scans(graphs: int, scheme: str, seed: int):
    """Return the policy and the requests of a warm-up and the measured scans."""
    scans = WARMUP_SCANS + MEASURED_SCANS
    if scheme == "lru, zigzag":
        return "lru", zigzag_trace(graphs, scans)
    if scheme == "lru, shuffled":
        return "lru", shuffled_trace(graphs, scans, seed)
    return scheme, cyclic_trace(graphs, scans)


def simulated_hit_ratio(graphs: int, capacity: int, scheme: str, seed: int) -> float:
    """Return the hit ratio of the measured scans in an exact simulation of the cache."""
    policy, trace = _scans(graphs, scheme, seed)
    hits = simulate_policy(trace, capacity, policy, warmup=WARMUP_SCANS * graphs, seed=seed)
    return hits / (MEASURED_SCANS * graphs)


def capacity_test(capacity: int) -> int:
    """Return the largest number of graphs whose second scan misses nothing, by bisection.

    This is the document's own experiment: a program updates ever more artificial graphs.
    """

    def fits(graphs: int) -> bool:
        return simulate_policy(cyclic_trace(graphs, 2), capacity, "lru", warmup=graphs) == graphs

    low, high = 0, 2 * capacity + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def _interval(samples: list[float]) -> tuple[float, float]:
    return confidence_interval(samples) if len(samples) > 1 else (samples[0], 0.0)


def simulate(
    seed, *, graphs, memory_gib, usage_maximum_percent, bytes_per_graph, cost_ratio, scheme
):
    """Return each output of `predict` as (mean, half-width) from the exact cache."""
    capacity = capacity_graphs(memory_gib, usage_maximum_percent, bytes_per_graph)
    seeds = range(RUNS * seed, RUNS * (seed + 1)) if scheme in SEEDED else [seed]
    ratios = [simulated_hit_ratio(int(graphs), capacity, scheme, each) for each in seeds]
    slowdowns = [slowdown(ratio, cost_ratio) for ratio in ratios]
    return {
        "capacity_graphs": (float(capacity_test(capacity)), 0.0),
        "hit_ratio": _interval(ratios),
        "slowdown": _interval(slowdowns),
    }
