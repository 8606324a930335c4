"""Chapter 6: how long the slices of a work queue last, and how late the timers run."""

from tunables.arguments import number, whole
from tunables.theory.granularity import granularity_runs
from tunables.theory.slicing import limiting_granularity


def predict(*, items, item_cost_s, cost_shape, quantum_s, rule, granularity, queues) -> dict:
    """Return what one event loop does with so many equal work queues of so many items each.

    Costs are independent and gamma distributed (mean item_cost_s, shape cost_shape); the
    queues start at the given granularity and follow the rule of `GROWTH_RULES`.

    - "granularity": likeliest at the end; "limiting_granularity": for a constant cost
    - "runs": of one queue; "cycles_per_run", "slice_s": means of a run
    - "lateness_s": mean wait of a timer, E[C^2]/(2 E[C]) for turns C of one slice a queue
    - "drain_s": until all queues are empty; "blocked_s": one queue in one piece
    - "blocked_lateness_s": mean wait of a timer that falls due in that piece

    Raises ValueError for a parameter outside its range, by its name.

    >>> clear = {"items": 320_975, "item_cost_s": 0.00033, "cost_shape": 0.8, "queues": 1}
    >>> result = predict(quantum_s=0.010, rule="2005-05-06", granularity=1, **clear)
    >>> result["granularity"], round(1000 * result["slice_s"], 1), round(result["blocked_s"])
    (29.0, 15.4, 106)
    """
    items = whole("items", items, at_least=1)
    cost_s = number("item_cost_s", item_cost_s, at_least=1e-9)
    shape = number("cost_shape", cost_shape, above=0)
    quantum_s = number("quantum_s", quantum_s, at_least=0)
    n = whole("queues", queues, at_least=1)
    limit = limiting_granularity(cost_s, quantum_s, rule, granularity)
    runs, chances, square = granularity_runs(items, cost_s, shape, quantum_s, rule, granularity)
    total = sum(runs.values())
    blocked_s = items * cost_s
    mean = blocked_s / total
    variance = square - mean * mean
    if total < 1:  # the whole queue fits into one slice
        total, mean, variance = 1.0, blocked_s, items * cost_s * cost_s / shape
    return {
        "granularity": float(max(chances, key=chances.get)),
        "limiting_granularity": float(limit),
        "runs": total,
        "cycles_per_run": mean / cost_s,
        "slice_s": mean,
        "lateness_s": n * mean / 2 + variance / (2 * mean),
        "drain_s": n * blocked_s,
        "blocked_s": blocked_s,
        "blocked_lateness_s": blocked_s / 2,
    }
