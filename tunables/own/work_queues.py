"""Chapter 6 with a reader's own daemon: its counters tell how long its slices last."""

import math
from typing import NamedTuple

from scipy.optimize import brentq

from tunables.evidence.quagga import parse_thread_cpu, parse_work_queues
from tunables.own.fit import (
    ASSUMED,
    FITTED,
    Fit,
    HeldOut,
    Model,
    Parameter,
    elasticities,
    judged,
)
from tunables.own.text import text_of
from tunables.theory.granularity import granularity_runs
from tunables.theory.slicing import GROWTH_RULES

QUANTUM_S = 0.010  # compiled into Quagga and FRRouting
SHAPE = 1.0
MODEL = Model(
    chapter=6,
    law="a run takes items until 10 ms have passed, and looks every g items",
    baseline="every slice lasts 10 ms, and the granularity stays",
    band=0.15,
)
_FEWEST_RUNS = 30
_MOSTLY = 0.9  # of the runs of all queues


class Snapshot(NamedTuple):
    """One moment: the queue's counters, and the mean slice that `show thread cpu` tells."""

    runs: int
    items: float
    granularity: int
    slice_s: float


def read_snapshots(source) -> tuple[str, list[Snapshot]]:
    """Return the name of the queue that ran most, and its snapshots in order.

    source: a text with `show work-queues` and `show thread cpu` (or `show event cpu`), once
    or several times, each pair at about the same moment.
    Items done are the column of that name, or runs times the printed average, which is
    rounded down, plus a half.
    Raises ValueError for what the parsers refuse, other numbers of one table than of the
    other, and a queue that is not responsible for nine tenths of the runs or ran less than
    30 times.
    """
    text = text_of(source)
    tables = parse_work_queues(text)
    workers = [
        row
        for table in parse_thread_cpu(text)
        for row in table
        if row["thread"].strip("()") == "work_queue_run"
    ]
    if len(workers) != len(tables):
        raise ValueError(
            f"{len(tables)} tables of 'show work-queues' and {len(workers)} rows work_queue_run of "
            "'show thread cpu' (or 'show event cpu'): paste both commands of one daemon (vtysh -d "
            "bgpd), one after the other, as often as you like"
        )
    busiest = max(tables[-1], key=lambda row: row["runs"])["name"]
    snapshots = []
    for table, worker in zip(tables, workers, strict=True):
        row = next((row for row in table if row["name"] == busiest), None)
        if row is None or row["runs"] < _FEWEST_RUNS:
            raise ValueError(
                f"queue {busiest!r} ran less than {_FEWEST_RUNS} times in one of the printouts: "
                "leave that one out, or print after more work"
            )
        if row["runs"] < _MOSTLY * worker["invoked"]:
            raise ValueError(
                f"queue {busiest!r} has {row['runs']} of {worker['invoked']} runs: the times are "
                "those of all queues together; print while one queue does nearly all the work"
            )
        items = row.get("cycles") or row["runs"] * (row["cycles_per_run"] + 0.5)
        wall_s = worker["wall_avg_us"] / 1e6
        snapshots.append(Snapshot(row["runs"], items, row["granularity"], wall_s))
    return busiest, snapshots


def _chain(items, cost_s, quantum_s, shape, rule):
    """Return (runs, mean slice in s, likeliest granularity) after so many items."""
    runs, chances, _ = granularity_runs(round(items), cost_s, shape, quantum_s, rule)
    total = sum(runs.values())
    return total, items * cost_s / total, max(chances, key=lambda g: chances[g])


def _calibrate(snapshot):
    """Return (rule, c): for each rule the cost that gives the runs, and the rule nearest in g."""
    a_run = snapshot.items / snapshot.runs
    found = []
    for order, rule in enumerate(GROWTH_RULES):

        def gap(log_cost, rule=rule):
            total = _chain(snapshot.items, math.exp(log_cost), QUANTUM_S, SHAPE, rule)[0]
            return math.log(total / snapshot.runs)

        low, high = math.log(QUANTUM_S / a_run / 50), math.log(QUANTUM_S / a_run * 4)
        if gap(low) * gap(high) > 0:
            continue
        cost_s = math.exp(brentq(gap, low, high, xtol=1e-4))
        granularity = _chain(snapshot.items, cost_s, QUANTUM_S, SHAPE, rule)[2]
        found.append((abs(math.log(granularity / snapshot.granularity)), order, rule, cost_s))
    if not found:
        raise ValueError(
            f"{a_run:.1f} items a run: no cost of an item gives that; print after more work"
        )
    return min(found)[2:]


def _reason(rows):
    slices = [row.measured / row.predicted for row in rows if row.unit == "s"]
    ratio = sum(slices) / len(slices)
    if abs(math.log(ratio)) > math.log(1 + MODEL.band):
        return (
            f"A run lasts {ratio:.1f} times what the counts say: the quantum is not 10 ms, other "
            "programs have the processor, or the cost of an item is very uneven."
        )
    return "The counters grow otherwise than this rule: the cost of an item changes meanwhile."


def fit_work_queues(source) -> Fit:
    """Fit the mean cost of an item to a daemon's counts, and predict its times.

    The cost c is the one with which the granularity chain makes the printed number of runs
    of the items done by the first snapshot; the growth rule the one whose granularity is then
    nearest. Times are never fitted. Held out: the mean length of a run in every snapshot, and
    from the second on the runs since the first and the granularity.
    Raises ValueError as `read_snapshots` does, and where no cost gives the counts.
    """
    queue, snapshots = read_snapshots(source)
    first = snapshots[0]
    rule, cost_s = _calibrate(first)
    rows = []
    for number, snapshot in enumerate(snapshots, start=1):
        runs, slice_s, granularity = _chain(snapshot.items, cost_s, QUANTUM_S, SHAPE, rule)
        name = f"printout {number}"
        rows.append(
            HeldOut(f"{name}: mean length of a run", "s", snapshot.slice_s, slice_s, QUANTUM_S)
        )
        if snapshot.runs > first.runs:
            naive = (snapshot.items - first.items) * first.runs / first.items
            since = snapshot.runs - first.runs
            rows += [
                HeldOut(f"{name}: runs since the first", "", since, runs - first.runs, naive),
                HeldOut(
                    f"{name}: granularity", "", snapshot.granularity, granularity, first.granularity
                ),
            ]
    items = snapshots[-1].items
    return judged(
        MODEL,
        (
            Parameter("c", "cost of an item", cost_s, "s", FITTED),
            Parameter("Q", "quantum", QUANTUM_S, "s", ASSUMED),
            Parameter("shape", "of the gamma costs", SHAPE, "", ASSUMED),
        ),
        rows,
        _reason(rows),
        "mean length of a run",
        elasticities(
            lambda c, Q, shape: _chain(items, c, Q, shape, rule)[1],
            {"c": cost_s, "Q": QUANTUM_S, "shape": SHAPE},
        ),
        (f"Queue {queue}; growth rule nearest to its granularity: {rule}.",),
    )
