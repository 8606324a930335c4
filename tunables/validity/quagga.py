"""Chapter 6: the closed form takes the costs of items as drawn afresh; a queue may drift."""

import numpy as np

from tunables.cases.quagga import CASE
from tunables.simulators.work_queue import drain_work_queue
from tunables.validity.map import Axis, ValidityMap

RUNS = 8
ITEMS = 20_000


def simulate(seed, settings, drift) -> list[float]:
    """Return the mean lateness of a timer, E[S^2]/(2 E[S]) over the slices of each drain.

    The second half of the items costs drift times as much as the first, at the same mean.
    """
    items, shape = int(settings["items"]), settings["cost_shape"]
    first_s = 2 * settings["item_cost_s"] / (1 + drift)
    mean_s = np.where(np.arange(items) < items // 2, first_s, drift * first_s)
    lateness = []
    for each in range(RUNS * seed, RUNS * (seed + 1)):
        costs_s = np.random.default_rng(each).gamma(shape, mean_s / shape)
        slice_s = drain_work_queue(
            costs_s, settings["quantum_s"], settings["rule"], int(settings["granularity"])
        ).slice_s
        lateness.append(float((slice_s**2).sum() / (2 * slice_s.sum())))
    return lateness


MAP = ValidityMap(
    case=CASE,
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
    simulate=simulate,
    why="The closed form draws every item's cost from one distribution, so that the granularity "
    "it climbs to fits the items to come. It never comes down. If cheap items go first it is "
    "set by them, and the dear ones that follow are taken in slices many times the quantum. "
    "Dear ones first do less harm.",
)
