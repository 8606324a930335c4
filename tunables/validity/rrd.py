"""Chapter 3: the formula is exact for a scan that repeats; the map gives up that it does."""

from functools import lru_cache

import numpy as np

from tunables.cases.rrd import CASE
from tunables.predictors.rrd import capacity_graphs
from tunables.simulators.stack import stack_distances
from tunables.theory.caching import slowdown
from tunables.validity.map import Axis, ValidityMap

RUNS = 2
SCANS = 6


def disordered_trace(graphs, scans, disorder, seed) -> np.ndarray:
    """Return scans of 0, 1, ..., n - 1 in which each graph comes late by up to disorder n turns.

    Each scan sorts the graphs by i + disorder n u with fresh u, uniform from 0 to 1; a disorder
    of 0 is the cyclic scan, and a large one a fresh random order each time.
    Shape (graphs * scans,).

    >>> disordered_trace(3, 2, 0.0, seed=1)
    array([0, 1, 2, 0, 1, 2])
    """
    late = disorder * graphs * np.random.default_rng(seed).random((scans, graphs))
    return np.argsort(np.arange(graphs) + late, axis=1, kind="stable").ravel()


@lru_cache(maxsize=RUNS)
def _hit_ratios(graphs: int, disorder: float, seed: int) -> np.ndarray:
    """Return LRU's hit ratio of the second half of the scans, at each capacity 0, 1, ..., n."""
    trace = disordered_trace(graphs, SCANS, disorder, seed)
    depths = stack_distances(trace)[SCANS // 2 * graphs :]
    return np.cumsum(np.bincount(depths, minlength=graphs + 1)) / len(depths)


def simulate(seed, settings, disorder) -> list[float]:
    """Return the slowdown of each run of an exact LRU cache under the disordered scan."""
    graphs = int(settings["graphs"])
    capacity = capacity_graphs(
        *(settings[name] for name in ("memory_gib", "usage_maximum_percent", "bytes_per_graph"))
    )
    return [
        slowdown(
            float(_hit_ratios(graphs, disorder, each)[min(capacity, graphs)]),
            settings["cost_ratio"],
        )
        for each in range(RUNS * seed, RUNS * (seed + 1))
    ]


MAP = ValidityMap(
    case=CASE,
    title="Slowdown of LRU when the scan's order wavers",
    x=Axis(
        "memory_gib",
        "Usable memory",
        "memory",
        "GiB",
        (1, 1.5, 2, 2.25, 2.5, 2.75, 3, 3.125, 3.25, 3.375, 3.5, 3.625, 4, 5),
    ),
    y=Axis(
        "disorder",
        "Disorder: a graph comes late by up to this share of the scan",
        "disorder",
        "1",
        (0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 2, 5),
        assumed=0,
    ),
    output="slowdown",
    simulate=simulate,
    why="While the order repeats, the formula is exact, at every memory: the lowest row. It rests "
    "on that order alone. A graph that comes early may meet its file before the cache has "
    "dropped it, and the cliff becomes a slope: the more memory, the less disorder it takes.",
)
