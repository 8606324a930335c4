"""Chapter 6: the closed form takes the costs of items as drawn afresh; a queue may drift."""

from functools import cache

from tunables.chapters.work_queues.case import case
from tunables.chapters.work_queues.validity_simulation import ITEMS, RUNS, run
from tunables.parts.replication import Simulation
from tunables.parts.validity import Axis, ValidityMap


@cache
def validity() -> ValidityMap:
    """Return the map of an item's cost and its drift."""
    return ValidityMap(
        case=case(),
        title="Lateness of a timer when the queue's items grow dearer",
        x=Axis(
            "item_cost_s",
            "Mean cost of an item",
            "the cost of an item",
            "s",
            (1e-5, 5e-5, 1e-4, 2e-4, 3e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01),
        ),
        y=Axis(
            "drift",
            "Cost in the second half over cost in the first",
            "the ratio",
            "1",
            (0.03, 0.1, 0.3, 1, 2, 3, 5, 10, 30, 100),
            assumed=1,
        ),
        output="lateness_s",
        settings={"items": float(ITEMS)},
        simulation=Simulation(run, RUNS),
        why="The closed form draws every item's cost from one distribution, so that the "
        "granularity it climbs to fits the items to come. It never comes down. If cheap items go "
        "first it is set by them, and the dear ones that follow are taken in slices many times the "
        "quantum. Dear ones first do less harm.",
    )
