"""Calibrate the clear queue of chapter 6: a mean cost for each interval between snapshots.

The daemon printed the queue's counters five times while it drained. Between two prints the
mean cost of an item is the one for which the granularity chain, from the first printed
granularity to the second in the printed number of runs, takes the items that left the queue.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from tunables.evidence.published import Record, published
from tunables.plain.arguments import number, numbers, whole
from tunables.simulators.work_queue import drain_work_queue
from tunables.theory.granularity_paths import mean_cost_between, runs_between
from tunables.theory.slicing import GROWTH_RULES, can_have_made

QUANTUM_S = 0.010  # THREAD_YIELD_TIME_SLOT in lib/thread.h of Quagga, May 2005


def rule_that_made(granularities: Iterable[float]) -> str:
    """Return the one growth rule under which a queue can show all these granularities.

    Raises ValueError where none or more than one can.

    >>> rule_that_made([1, 23, 29])
    '2005-05-06'
    """
    seen = sorted({int(each) for each in numbers("granularities", granularities, at_least=1)})
    able = [rule for rule in GROWTH_RULES if all(can_have_made(g, rule) for g in seen)]
    if len(able) != 1:
        raise ValueError(f"granularities = {seen}: must point to one rule, not to {able or 'none'}")
    return able[0]


@cache
def rule() -> str:
    """Return the rule that made all granularities of the document."""
    records = published("quagga-work-queues").values()
    return rule_that_made(each.value for each in records if each.quantity == "granularity")


class Snapshot(NamedTuple):
    """Counters of a queue at one moment: items left, runs so far, and the cycle counts."""

    items: int
    runs: int
    best: int
    granularity: int
    cycles_per_run: int


class Calibration(NamedTuple):
    """Items at the start, a mean cost (s) for each interval, and how probable the printed
    granularities then are."""

    items: int
    mean_costs_s: tuple[float, ...]
    probability: float


def read_snapshots(records: Mapping[str, Record], queue: str) -> list[Snapshot]:
    """Return the snapshots of a queue, from the first print to the first with no item left."""
    fields = ("items", "runs", "best", "granularity", "mean-cycles")
    snapshots: list[Snapshot] = []
    while not snapshots or snapshots[-1].items > 0:
        row = f"snapshot-{len(snapshots) + 1}-{queue}"
        snapshots.append(Snapshot(*(int(records[f"{row}-{name}"].value) for name in fields)))
    return snapshots


def item_bounds(snapshots: Sequence[Snapshot]) -> tuple[int, int]:
    """Return the least and the most items that the queue held at the start.

    The printed average a = floor(cycles/runs) leaves runs a <= cycles < runs (a + 1), and the
    items taken and those left are the items at the start in every snapshot.
    """
    least = max(s.items + s.runs * s.cycles_per_run for s in snapshots)
    most = min(s.items + s.runs * (s.cycles_per_run + 1) - 1 for s in snapshots)
    return least, most


def intervals(snapshots: Sequence[Snapshot], items: int) -> list[tuple[Snapshot, Snapshot]]:
    """Return each snapshot with the one before it; the first is that of the full queue."""
    return list(pairwise([Snapshot(items, 0, 0, 1, 0), *snapshots]))


def calibrate(snapshots: Sequence[Snapshot], shape: float, items: int | None = None) -> Calibration:
    """Return the mean cost of each interval for gamma costs of this shape.

    items (at the start) is by default the middle of `item_bounds`.
    Raises ValueError for a shape that is not above 0 or items outside the bounds.
    """
    least, most = item_bounds(snapshots)
    items = whole("items", (least + most + 1) // 2 if items is None else items, least, most)
    costs = []
    probability = 1.0
    for a, b in intervals(snapshots, items):
        runs, rest = b.runs - a.runs, (shape, QUANTUM_S, rule())
        cost_s = mean_cost_between(a.items - b.items, runs, a.granularity, b.granularity, *rest)
        probability *= runs_between(a.granularity, b.granularity, runs, cost_s, *rest)[0]
        costs.append(cost_s)
    return Calibration(items, tuple(costs), probability)


def calibrate_shape(snapshots: Sequence[Snapshot]) -> float:
    """Return the shape, to one decimal, under which the printed granularities are likeliest.

    Climbs in tenths from 1 (exponential costs).
    """

    def probability(tenths: int) -> float:
        return calibrate(snapshots, tenths / 10).probability

    tenths, best = 10, probability(10)
    for step in (-1, 1):
        while tenths + step > 0 and (near := probability(tenths + step)) > best:
            tenths, best = tenths + step, near
    return tenths / 10


def simulate_snapshots(
    snapshots: Sequence[Snapshot], calibration: Calibration, shape: float, seed: int
) -> tuple[list[Snapshot], np.ndarray]:
    """Drain a queue of the calibrated costs, and print it after as many runs as published.

    The last snapshot is that of the empty queue. Returns (snapshots, slice lengths in s).
    """
    taken = [a.items - b.items for a, b in intervals(snapshots, calibration.items)]
    rng = np.random.default_rng(seed)
    draws = rng.standard_gamma(shape, calibration.items) / shape
    costs_s = draws * np.repeat(calibration.mean_costs_s, taken)
    drain = drain_work_queue(costs_s, QUANTUM_S, rule())
    total = np.cumsum(drain.cycles)
    runs = [min(s.runs, len(total)) for s in snapshots[:-1]] + [len(total)]
    simulated = [
        Snapshot(
            calibration.items - int(total[n - 1]),
            n,
            int(drain.best[n - 1]),
            int(drain.granularity[n - 1]),
            int(total[n - 1]) // n,
        )
        for n in runs
    ]
    return simulated, drain.slice_s


def split_bounds(
    wall_s: float, first_runs: int, quantum_s: float = QUANTUM_S
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Bound how two queues shared wall_s of slices, when only the sum was printed.

    Every run of the first queue but its last lasted more than the quantum; those of the
    second may have emptied it early, and so have no lower bound.
    Returns ((least, most) of the first, (least, most) of the second), seconds.

    >>> split_bounds(202.8, 7632)
    ((76.31, 202.8), (0.0, 126.49))
    """
    quantum_s = number("quantum_s", quantum_s, at_least=0)
    least = (whole("first_runs", first_runs, at_least=1) - 1) * quantum_s
    wall_s = number("wall_s", wall_s, at_least=least)
    return (least, wall_s), (0.0, round(wall_s - least, 9))
