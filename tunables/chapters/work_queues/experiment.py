"""Chapter 6's experiment in numbers alone: queues drained in slices, in one piece, and timers."""

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.draws import randoms, seeded
from tunables.simulators.event_loop_kernel import RUN_COLUMNS, run_loop
from tunables.simulators.pcg64 import move_to, place_of
from tunables.simulators.quick_gamma import quick_gamma
from tunables.simulators.work_queue_kernel import drain

UNBOUNDED = 2**31  # a granularity that no queue reaches


@compiled
def draw_costs(state, costs_ns, mean_s, shape):
    """Fill in gamma costs in nanoseconds, and return their sum before rounding, in seconds."""
    total_s, scale_s = 0.0, mean_s / shape
    for i in range(len(costs_ns)):
        cost_s = scale_s * quick_gamma(state, shape)
        total_s += cost_s
        costs_ns[i] = np.int64(np.rint(cost_s * 1e9))
    return total_s


@compiled
def moments_ns(shares, longest_s):
    """Return moments at such shares of a time, in nanoseconds."""
    moments = np.empty(len(shares), np.int64)
    for i in range(len(shares)):
        moments[i] = np.int64(np.rint(shares[i] * longest_s * 1e9))
    return moments


@compiled
def loop_of(timers_ns, costs_ns, queues, begins_ns, granularity):
    """Return the first two arguments of `run_loop`: timers that take no time, and equal queues."""
    events = (timers_ns, np.full(1, len(timers_ns)), np.zeros(1, np.int64))
    items = len(costs_ns) // queues
    ends = np.empty(queues, np.int64)
    for i in range(queues):
        ends[i] = (i + 1) * items
    due, delays = np.full(queues, begins_ns), np.zeros(queues, np.int64)
    return events, (costs_ns, ends, due, delays, np.full(queues, granularity))


@compiled
def _mean_lateness_s(timers_ns, costs_ns, queues, granularity, growth, quantum_ns):
    events, loads = loop_of(timers_ns, costs_ns, queues, 0, granularity)
    late_ns = np.empty(len(timers_ns), np.int64)
    nothing, no_runs = np.empty(0, np.int64), np.empty((RUN_COLUMNS, 0), np.int64)
    run_loop(events, loads, growth, (quantum_ns, 0), (late_ns, nothing, no_runs, nothing))
    total_ns = np.int64(0)
    for late in late_ns:
        total_ns += late
    return total_ns / 1e9 / len(late_ns)


@compiled
def experiment(
    first_seed, skipped, place_0, place_1, place_2, place_3, items, mean_s, shape, quantum_ns,
    factor, ramp, granularity, queues, timers,
):  # fmt: skip
    """Return what one run of several that share a stream of random numbers finds.

    That is: mean slice, mean lateness of a timer, time to drain all queues and one, mean lateness
    beside that one in one piece, all in seconds; its granularity and longest run at the end, and
    its runs; and the place in the stream at which the next run begins. The queues hold so many
    items each, of gamma costs. The stream is first_seed's, from that place on (all 0: from its
    beginning), and the draws of so many runs are skipped.
    """
    state, place = seeded(first_seed), (place_0, place_1, place_2, place_3)
    if max(place) > 0:
        move_to(state, place)
    costs_ns = np.empty(queues * items, np.int64)
    for _ in range(skipped):
        draw_costs(state, costs_ns, mean_s, shape)
        randoms(state, timers)
    one_ns = costs_ns[:items]
    one_s = draw_costs(state, one_ns, mean_s, shape)
    all_s = one_s + draw_costs(state, costs_ns[items:], mean_s, shape)
    shares = randoms(state, timers)
    shares.sort()
    next_place = place_of(state)
    nothing, no_runs = np.empty(0, np.int64), np.empty((5, 0), np.int64)
    runs, last, best = drain(one_ns, quantum_ns, factor, ramp, granularity, 0, no_runs, nothing)
    one_total_ns = np.int64(0)
    for cost in one_ns:
        one_total_ns += cost
    growth = (factor, ramp, UNBOUNDED)
    sliced_s = _mean_lateness_s(
        moments_ns(shares, all_s), costs_ns, queues, granularity, growth, quantum_ns
    )
    fixed = (0, False, UNBOUNDED)
    whole_s = _mean_lateness_s(moments_ns(shares, one_s), one_ns, 1, items, fixed, quantum_ns)
    means_s = one_total_ns / 1e9 / runs, sliced_s, all_s, one_s, whole_s
    return (*means_s, last, best, runs, *next_place)
