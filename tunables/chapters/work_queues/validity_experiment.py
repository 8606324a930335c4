"""Chapter 6's run of a map in numbers alone: a queue whose items grow dearer, or cheaper."""

import numpy as np

from tunables.chapters.work_queues.experiment import draw_costs
from tunables.simulators.compiled import compiled
from tunables.simulators.draws import seeded
from tunables.simulators.work_queue_kernel import drain


@compiled
def drifting_lateness(seed, items, first_s, second_s, shape, quantum_ns, factor, ramp, granularity):
    """Return E[S^2]/(2 E[S]) over the slices S of a drain, seconds.

    The first half of the items costs first_s each on average, the rest second_s.
    """
    state = seeded(seed)
    costs_ns = np.empty(items, np.int64)
    draw_costs(state, costs_ns[: items // 2], first_s, shape)
    draw_costs(state, costs_ns[items // 2 :], second_s, shape)
    rows = np.empty((5, items), np.int64)
    nothing = np.empty(0, np.int64)
    runs, _, _ = drain(costs_ns, quantum_ns, factor, ramp, granularity, 0, rows, nothing)
    total_s = squares = 0.0
    for run in range(runs):
        slice_s = rows[3, run] / 1e9
        total_s += slice_s
        squares += slice_s * slice_s
    return squares / (2 * total_s)
