"""Chapter 3: the formula is exact for a scan that repeats; the map gives up that it does."""

from functools import cache

from tunables.chapters.cache_cliff.case import case
from tunables.chapters.cache_cliff.validity_simulation import RUNS, run
from tunables.parts.replication import Simulation
from tunables.parts.validity import Axis, ValidityMap


@cache
def validity() -> ValidityMap:
    """Return the map of memory and disorder."""
    return ValidityMap(
        case=case(),
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
        simulation=Simulation(run, RUNS),
        why="While the order repeats, the formula is exact, at every memory: the lowest row. It "
        "rests on that order alone. A graph that comes early may meet its file before the cache "
        "has dropped it, and the cliff becomes a slope: the more memory, the less disorder it "
        "takes.",
    )
