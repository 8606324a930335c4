"""Chapter 6's simulation: the exact drain of a work queue, and the timers beside it."""

import numpy as np

from tunables.simulators.event_loop import Queue, simulate_event_loop
from tunables.simulators.interval import confidence_interval
from tunables.simulators.work_queue import drain_work_queue
from tunables.theory.slicing import least_longest_run

RUNS = 10
TIMERS = 2_000


def _run(rng, items, cost_s, shape, quantum_s, rule, granularity, queues) -> dict[str, float]:
    """Drain the queues once, in slices and in one piece, with timers due all the while."""
    costs = [rng.gamma(shape, cost_s / shape, items) for _ in range(queues)]
    drain = drain_work_queue(costs[0], quantum_s, rule, granularity)
    total_s = float(np.sum(costs))
    due_s = np.sort(rng.uniform(0, 1, TIMERS))
    sliced = simulate_event_loop(
        [Queue(each, granularity=granularity) for each in costs],
        timers_s=due_s * total_s,
        quantum_s=quantum_s,
        rule=rule,
    )
    blocked_s = float(costs[0].sum())
    whole = simulate_event_loop(
        [Queue(costs[0], granularity=items)], timers_s=due_s * blocked_s, rule="fixed"
    )
    return {
        "slice_s": float(drain.slice_s.mean()),
        "lateness_s": float(sliced.timer_lateness_s.mean()),
        "drain_s": total_s,
        "blocked_s": blocked_s,
        "blocked_lateness_s": float(whole.timer_lateness_s.mean()),
        "granularity": float(drain.granularity[-1]),
        "best": float(max(drain.best[-1], least_longest_run(granularity, rule))),
        "runs": float(len(drain.cycles)),
    }


def simulate(
    seed,
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
):
    """Return outputs of `predict` as (mean, half-width) over RUNS simulated drains."""
    items, granularity, queues = int(items), int(granularity), int(queues)
    rng = np.random.default_rng(seed)
    arguments = (items, item_cost_s, cost_shape, quantum_s, rule, granularity, queues)
    runs = [_run(rng, *arguments) for _ in range(RUNS)]
    for run in runs:
        run["runs"] += runs_before
        run["mean_cycles"] = float((items_before + items) // run["runs"])
    return {name: confidence_interval([run[name] for run in runs]) for name in runs[0]}
