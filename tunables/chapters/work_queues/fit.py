"""The fit of chapter 6 to a daemon's counters, read from its printouts; in the page too."""

import math

from tunables.base.portable import plain_sum
from tunables.base.roots import root
from tunables.base.user_data.columns import quote, shorten
from tunables.base.user_data.daemon_tables import THREAD_CPU, WORK_QUEUES, tables_of
from tunables.core.fit import (
    ASSUMED,
    FITTED,
    Fit,
    FittedModel,
    FittedParameter,
    HeldOut,
    elasticities,
    judge,
)
from tunables.theory.granularity import granularity_runs
from tunables.theory.slicing import GROWTH_RULES

COLUMNS = "the output of show work-queues and show thread cpu, as text, not a CSV table"
BRING = "a daemon's printout"
QUANTUM_S = 0.010  # compiled into Quagga and FRRouting; FRRouting's process_queue has 50 ms
SHAPE = 1.0
MODEL = FittedModel(
    chapter="work_queues",
    law="a run takes items until 10 ms have passed, and checks the clock every g items",
    baseline="every slice lasts 10 ms, and the granularity stays the same",
    band=0.15,
)
_MOST_IN_PAGE = 25  # printouts whose result a link can hold
_MOST_ITEMS_PER_RUN = 1e6  # items of 10 ns each; more take too long to calculate
_FEWEST_RUNS = 30
_LEAST_SHARE = 0.9  # of all runs that the queue must have
_MOST_COUNTED = 10**12  # no daemon counts this far


def wanted() -> dict:
    """Return what the page needs to know to read printouts."""
    return {"kind": "text", "most": _MOST_IN_PAGE, "rows": "printouts"}


def _tables(text):
    """Return the tables of queues, and for each the row of the thread that runs the queues."""
    tables = tables_of(text, WORK_QUEUES)
    threads = [row for table in tables_of(text, THREAD_CPU) for row in table]
    workers = [row for row in threads if row["thread"].strip("()") == "work_queue_run"]
    if len(workers) != len(tables):
        raise ValueError(
            f"there are {len(tables)} tables of 'show work-queues', and {len(workers)} rows "
            "named work_queue_run in 'show thread cpu' (or 'show event cpu'): paste what both "
            "commands print for one daemon (vtysh -d bgpd), one after the other; you can paste "
            "several such pairs"
        )
    return tables, workers


def _check(queue, what, value):
    if not 1 <= value <= _MOST_COUNTED:
        raise ValueError(
            f"queue {queue} has {what} = {shorten(value)}, but that number must be from 1 to "
            f"{_MOST_COUNTED:g}: omit that printout"
        )


def _snapshot(table, worker, queue):
    """Return [runs, items done, granularity, mean slice in s] of one printout."""
    rows = [row for row in table if row["name"] == queue]
    name = shorten(quote(queue))
    if not rows or rows[0]["runs"] < _FEWEST_RUNS:
        raise ValueError(
            f"queue {name} ran fewer than {_FEWEST_RUNS} times in one of the printouts: omit "
            "that printout, or make a new one after the queue has done more work"
        )
    row, runs = rows[0], rows[0]["runs"]
    if runs < _LEAST_SHARE * worker["invoked"]:
        raise ValueError(
            f"queue {name} made only {runs} of the {worker['invoked']} runs, but the times cover "
            "all queues together: make the printout while one queue does nearly all the work"
        )
    items = row.get("cycles") or runs * (row["cycles_per_run"] + 0.5)
    _check(name, "items done", items)
    _check(name, "granularity", row["granularity"])
    _check(name, "mean wall time in us", worker["wall_avg_us"])
    return [runs, items, row["granularity"], worker["wall_avg_us"] / 1e6]


def count(text) -> dict:
    """Return {"queue": the name of the queue with the most runs, "rows": its snapshots in order}.

    text: the output of `show work-queues` and `show thread cpu` (or `show event cpu`), once or
    several times, each pair at about the same moment. A snapshot is [runs, items done, granularity,
    mean slice in s]. Items done are the column of that name, or runs times the printed
    average, which is rounded down, plus one half.
    Raises ValueError for what the parsers refuse, if the two tables occur a different number of
    times, and for a queue that has less than nine tenths of all runs or fewer than 30.
    """
    tables, workers = _tables(text)
    busiest = max(tables[-1], key=lambda row: row["runs"])["name"]
    rows = [_snapshot(table, worker, busiest) for table, worker in zip(tables, workers)]
    return {"queue": busiest, "rows": rows}


def _chain(items, cost_s, quantum_s, shape, rule):
    """Return (runs, mean slice in s, likeliest granularity) after this number of items."""
    runs, chances, _ = granularity_runs(round(items), cost_s, shape, quantum_s, rule)
    total = plain_sum([runs[g] for g in sorted(runs)])
    return total, items * cost_s / total, max(sorted(chances), key=lambda g: chances[g])


def _calibrate(runs, items, granularity):
    """Return (rule, c): c gives the runs under that rule, whose granularity is then the nearest."""
    items_per_run = items / runs
    low, high = math.log(QUANTUM_S / items_per_run / 50), math.log(QUANTUM_S / items_per_run * 4)
    found = []
    rules = sorted(GROWTH_RULES) if items_per_run <= _MOST_ITEMS_PER_RUN else []
    for order, rule in enumerate(rules):

        def gap(log_cost, rule=rule):
            return math.log(_chain(items, math.exp(log_cost), QUANTUM_S, SHAPE, rule)[0] / runs)

        if gap(low) * gap(high) > 0:
            continue
        cost_s = math.exp(root(gap, low, high))
        likeliest = _chain(items, cost_s, QUANTUM_S, SHAPE, rule)[2]
        found.append((abs(math.log(likeliest / granularity)), order, rule, cost_s))
    if not found:
        raise ValueError(
            f"{items_per_run:.1f} items per run: no mean cost of an item gives that number. Make a "
            "new printout after the queue has done more work"
        )
    return min(found)[2:]


def solve(counted) -> dict:
    """Return the fit in numbers, from which `report` makes its text.

    counted: what `count` returns. Raises ValueError if no cost gives the counts.
    """
    snapshots = counted["rows"]
    first_runs, first_items, first_granularity, _ = snapshots[0]
    rule, cost_s = _calibrate(first_runs, first_items, first_granularity)
    rows = []
    for number, (runs, items, granularity, measured_s) in enumerate(snapshots):
        total_runs, slice_s, likeliest = _chain(items, cost_s, QUANTUM_S, SHAPE, rule)
        rows.append([number + 1, "slice", measured_s, slice_s, QUANTUM_S])
        if runs > first_runs:
            naive = (items - first_items) * first_runs / first_items
            rows.append([number + 1, "runs", runs - first_runs, total_runs - first_runs, naive])
            rows.append([number + 1, "granularity", granularity, likeliest, first_granularity])
    items = snapshots[-1][1]
    found = elasticities(
        lambda c, Q, shape: _chain(items, c, Q, shape, rule)[1],
        [("c", cost_s), ("Q", QUANTUM_S), ("shape", SHAPE)],
    )
    return {
        "queue": counted["queue"],
        "rule": rule,
        "c": cost_s,
        "rows": rows,
        "sensitivity": [[name, elasticity] for name, elasticity in found],
    }


def _reason(rows):
    slices = [row.measured / row.predicted for row in rows if row.unit == "s"]
    ratio = plain_sum(slices) / len(slices)
    if abs(math.log(ratio)) > math.log(1 + MODEL.band):
        return (
            f"A run lasts {ratio:.1f} times as long as the counts imply. Perhaps the quantum "
            "is not 10 ms, other programs use the processor, or items differ greatly in cost."
        )
    return "The counters do not follow this rule, because the cost of an item changes over time."


_WHAT = {
    "slice": ("mean length of a run", "s"),
    "runs": ("runs since the first printout", ""),
    "granularity": ("granularity", ""),
}


def report(result) -> Fit:
    """Return the Fit whose numbers `solve` gave."""
    rows = []
    for number, kind, *numbers in result["rows"]:
        what, unit = _WHAT[kind]
        rows.append(HeldOut(f"printout {number}: {what}", unit, *numbers))
    return judge(
        MODEL,
        (
            FittedParameter("c", "cost of an item", result["c"], "s", FITTED),
            FittedParameter("Q", "quantum", QUANTUM_S, "s", ASSUMED),
            FittedParameter("shape", "shape of the cost distribution (gamma)", SHAPE, "", ASSUMED),
        ),
        rows,
        _reason(rows),
        "mean length of a run",
        result["sensitivity"],
        (
            f"Queue: {result['queue']}. The growth rule that comes closest to its granularity: "
            f"{result['rule']}.",
        ),
    )
