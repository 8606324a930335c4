"""Chapter 6: what a work queue's counters show next, and how late the timers run meanwhile."""

import math

from tunables.plain.adding import added
from tunables.plain.arguments import number, whole
from tunables.theory.granularity import granularity_runs
from tunables.theory.slicing import least_longest_run, limiting_granularity

MIB_BYTES = 2**20


def predict(
    *,
    items,
    item_cost_s,
    cost_shape,
    quantum_s,
    rule,
    granularity,
    queues,
    runs_before,
    items_before,
    entry_bytes,
) -> dict:
    """Return what one event loop does with so many equal work queues of so many items each.

    Costs are independent and gamma distributed (mean item_cost_s, shape cost_shape); the
    queues start at the given granularity, with runs_before and items_before on their
    counters, and follow the rule of `GROWTH_RULES`.

    - "slice_s": mean length of a run
    - "lateness_s": mean wait of a timer, E[C^2]/(2 E[C]) for turns C of one slice a queue
    - "drain_s": until all queues are empty; "blocked_s": one queue in one piece
    - "blocked_lateness_s": mean wait of a timer that falls due in that piece
    - "granularity": likeliest at the end; "limiting_granularity": for a constant cost
    - "best": least that the longest run can have been, see `least_longest_run`
    - "runs": counter of one queue at the end; "mean_cycles": items over runs, rounded down
    - "memory_mib": of one queue's items, entry_bytes each

    Raises ValueError for a parameter outside its range, by its name.

    >>> clear = {"items": 320_975, "item_cost_s": 0.00033, "cost_shape": 0.8, "queues": 1}
    >>> clear.update(granularity=1, runs_before=0, items_before=0, entry_bytes=20)
    >>> result = predict(quantum_s=0.010, rule="2005-05-06", **clear)
    >>> result["granularity"], round(1000 * result["slice_s"], 1), round(result["blocked_s"])
    (29.0, 15.4, 106)
    """
    items = whole("items", items, at_least=1)
    cost_s = number("item_cost_s", item_cost_s, at_least=1e-9)
    shape = number("cost_shape", cost_shape, above=0)
    quantum_s = number("quantum_s", quantum_s, at_least=0)
    n = whole("queues", queues, at_least=1)
    runs_before = whole("runs_before", runs_before, at_least=0)
    items_before = whole("items_before", items_before, at_least=0)
    entry_bytes = whole("entry_bytes", entry_bytes, at_least=1)
    limit = limiting_granularity(cost_s, quantum_s, rule, granularity)
    runs, chances, square = granularity_runs(items, cost_s, shape, quantum_s, rule, granularity)
    likeliest = max(chances, key=chances.get)
    total = added(runs.values())
    blocked_s = items * cost_s
    mean = blocked_s / total
    variance = square - mean * mean
    if total < 1:  # the whole queue fits into one slice
        total, mean, variance = 1.0, blocked_s, items * cost_s * cost_s / shape
    return {
        "slice_s": mean,
        "lateness_s": n * mean / 2 + variance / (2 * mean),
        "drain_s": n * blocked_s,
        "blocked_s": blocked_s,
        "blocked_lateness_s": blocked_s / 2,
        "granularity": float(likeliest),
        "limiting_granularity": float(limit),
        "best": float(least_longest_run(likeliest, rule)),
        "runs": runs_before + total,
        "mean_cycles": float(math.floor((items_before + items) / (runs_before + total))),
        "memory_mib": items * entry_bytes / MIB_BYTES,
    }
