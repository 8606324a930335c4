"""The fit of chapter 6 to a daemon's counters, from its printouts; the page runs it, too."""

import math

from tunables.chapters.work_queues import own_printouts
from tunables.parts.fit import (
    ASSUMED,
    FITTED,
    Fit,
    HeldOut,
    Model,
    Parameter,
    elasticities,
    judged,
)
from tunables.plain.adding import added
from tunables.plain.own.roots import root
from tunables.theory.granularity import granularity_runs
from tunables.theory.slicing import GROWTH_RULES

COLUMNS = "the text of show work-queues and show thread cpu, not a table"
BRING = "a daemon's printout"
QUANTUM_S = 0.010  # compiled into Quagga and FRRouting
SHAPE = 1.0
MODEL = Model(
    chapter="work_queues",
    law="a run takes items until 10 ms have passed, and looks every g items",
    baseline="every slice lasts 10 ms, and the granularity stays",
    band=0.15,
)
_MOST_IN_PAGE = 25  # printouts, whose result a link can hold

counted = own_printouts.counted


def wanted() -> dict:
    """Return what the page that reads printouts must know."""
    return {"kind": "text", "most": _MOST_IN_PAGE, "rows": "printouts"}


_MOST_A_RUN = 1e6  # items: of 10 ns each, and more take long to calculate


def _chain(items, cost_s, quantum_s, shape, rule):
    """Return (runs, mean slice in s, likeliest granularity) after so many items."""
    runs, chances, _ = granularity_runs(round(items), cost_s, shape, quantum_s, rule)
    total = added([runs[g] for g in sorted(runs)])
    return total, items * cost_s / total, max(sorted(chances), key=lambda g: chances[g])


def _calibrate(runs, items, granularity):
    """Return (rule, c): for each rule the cost that gives the runs, and the rule nearest in g."""
    a_run = items / runs
    low, high = math.log(QUANTUM_S / a_run / 50), math.log(QUANTUM_S / a_run * 4)
    found = []
    rules = sorted(GROWTH_RULES) if a_run <= _MOST_A_RUN else []
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
            f"{a_run:.1f} items a run: no cost of an item gives that; print after more work"
        )
    return min(found)[2:]


def solved(counted) -> dict:
    """Return the fit in numbers: all that its words are made of.

    counted: of `own_printouts.counted`. Raises ValueError where no cost gives the counts.
    """
    snapshots = counted["rows"]
    first_runs, first_items, first_granularity, _ = snapshots[0]
    rule, cost_s = _calibrate(first_runs, first_items, first_granularity)
    rows = []
    for number, (runs, items, granularity, measured_s) in enumerate(snapshots):
        made, slice_s, likeliest = _chain(items, cost_s, QUANTUM_S, SHAPE, rule)
        rows.append([number + 1, "slice", measured_s, slice_s, QUANTUM_S])
        if runs > first_runs:
            naive = (items - first_items) * first_runs / first_items
            rows.append([number + 1, "runs", runs - first_runs, made - first_runs, naive])
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
    ratio = added(slices) / len(slices)
    if abs(math.log(ratio)) > math.log(1 + MODEL.band):
        return (
            f"A run lasts {ratio:.1f} times what the counts say: the quantum is not 10 ms, other "
            "programs have the processor, or the cost of an item is very uneven."
        )
    return "The counters grow otherwise than this rule: the cost of an item changes meanwhile."


_WHAT = {
    "slice": ("mean length of a run", "s"),
    "runs": ("runs since the first", ""),
    "granularity": ("granularity", ""),
}


def told(result) -> Fit:
    """Return the Fit whose numbers `solved` gave."""
    rows = []
    for number, kind, *numbers in result["rows"]:
        what, unit = _WHAT[kind]
        rows.append(HeldOut(f"printout {number}: {what}", unit, *numbers))
    return judged(
        MODEL,
        (
            Parameter("c", "cost of an item", result["c"], "s", FITTED),
            Parameter("Q", "quantum", QUANTUM_S, "s", ASSUMED),
            Parameter("shape", "of the gamma costs", SHAPE, "", ASSUMED),
        ),
        rows,
        _reason(rows),
        "mean length of a run",
        result["sensitivity"],
        (f"Queue {result['queue']}; growth rule nearest to its granularity: {result['rule']}.",),
    )
