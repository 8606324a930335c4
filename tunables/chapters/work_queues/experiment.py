"""Chapter 6's compiled functions: work queues drained in slices or in one piece, and timers.

`slice_trace` and `hold_trace` are for the animations, the others for the simulations.
"""

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.draws import new_state, quick_gamma, randoms
from tunables.simulators.event_loop_kernel import RUN_COLUMNS, run_loop
from tunables.simulators.pcg64 import move_to, place_of
from tunables.simulators.work_queue_kernel import drain

UNBOUNDED = 2**31  # a granularity that no queue reaches


@compiled
def draw_costs(state, costs_ns, mean_s, shape):
    """Fill costs_ns with gamma costs; return their sum before rounding, in seconds."""
    total_s, scale_s = 0.0, mean_s / shape
    for i in range(len(costs_ns)):
        cost_s = scale_s * quick_gamma(state, shape)
        total_s += cost_s
        costs_ns[i] = np.int64(np.rint(cost_s * 1e9))
    return total_s


@compiled
def moments_ns(shares, longest_s):
    """Return the moments at these shares of a time, in nanoseconds."""
    moments = np.empty(len(shares), np.int64)
    for i in range(len(shares)):
        moments[i] = np.int64(np.rint(shares[i] * longest_s * 1e9))
    return moments


@compiled
def loop_arguments(timers_ns, costs_ns, queues, begins_ns, granularity):
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
    events, loads = loop_arguments(timers_ns, costs_ns, queues, 0, granularity)
    late_ns = np.empty(len(timers_ns), np.int64)
    nothing, no_runs = np.empty(0, np.int64), np.empty((RUN_COLUMNS, 0), np.int64)
    run_loop(events, loads, growth, (quantum_ns, 0), (late_ns, nothing, no_runs, nothing))
    total_ns = np.int64(0)
    for late in late_ns:
        total_ns += late
    return total_ns / 1e9 / len(late_ns)


@compiled
def simulate_loop(
    first_seed, skipped, place_0, place_1, place_2, place_3, items, mean_s, shape, quantum_ns,
    factor, ramp, granularity, queues, timers,
):  # fmt: skip
    """Return the outcome of one of several runs that share a stream of random numbers.

    That is: mean slice, mean lateness of a timer, time to drain all queues and one, mean lateness
    while one is drained in one piece, all in seconds; granularity and longest run of one queue at
    the end, and its runs; and the place in the stream at which the next run begins. Each queue
    holds `items` items of gamma costs. The stream is that of first_seed from the given place on
    (all 0: from its beginning), and the draws of `skipped` runs are skipped.
    """
    state, place = new_state(first_seed), (place_0, place_1, place_2, place_3)
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


@compiled
def drifting_lateness(seed, items, first_s, second_s, shape, quantum_ns, factor, ramp, granularity):
    """Return E[S^2]/(2 E[S]) over the slices S of a drain, in seconds.

    Each item of the first half costs first_s on average, each of the second half second_s.
    """
    state = new_state(seed)
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


@compiled
def _fill_costs(state, costs_ns, mean_s, shape):
    """Fill in costs and return their sum in seconds; with a shape of 0 all costs are the same."""
    if shape > 0:
        return draw_costs(state, costs_ns, mean_s, shape)
    for i in range(len(costs_ns)):
        costs_ns[i] = np.int64(np.rint(mean_s * 1e9))
    return mean_s * len(costs_ns)


@compiled
def slice_trace(
    seed, items, mean_s, quantum_ns, factor, ramp, granularity, queues, shape, costly_from,
    costly_mean_s, most_granularity, timers, rows,
):  # fmt: skip
    """Return (runs, looks, begin_s, ... late_s): their numbers, and the columns of `LoopEvents`.

    The first `rows` runs and twice as many looks are kept. From item costly_from on
    an item of a queue costs costly_mean_s on average; timers fall due at random moments.
    """
    state, total_s = new_state(seed), 0.0
    costs_ns = np.empty(queues * items, np.int64)
    for queue in range(queues):
        queue_ns = costs_ns[queue * items : (queue + 1) * items]
        total_s += _fill_costs(state, queue_ns[:costly_from], mean_s, shape)
        total_s += _fill_costs(state, queue_ns[costly_from:], costly_mean_s, shape)
    shares = randoms(state, timers)
    shares.sort()
    due_ns, late_ns = moments_ns(shares, total_s), np.empty(timers, np.int64)
    events, loads = loop_arguments(due_ns, costs_ns, queues, 0, granularity)
    columns, looks_ns = np.empty((RUN_COLUMNS, rows), np.int64), np.empty(2 * rows, np.int64)
    record = (late_ns, np.empty(0, np.int64), columns, looks_ns)
    growth = (factor, ramp, most_granularity)
    _, runs, looks = run_loop(events, loads, growth, (quantum_ns, 0), record)
    kept, seen = min(runs, rows), min(looks, 2 * rows)
    return (
        runs, looks, columns[0, :kept] / 1e9, columns[1, :kept] / 1e9, columns[2, :kept],
        columns[3, :kept], columns[4, :kept], columns[5, :kept], columns[6, :kept],
        looks_ns[:seen] / 1e9, due_ns / 1e9, late_ns / 1e9,
    )  # fmt: skip


@compiled
def hold_trace(
    seed, items, mean_s, quantum_ns, factor, ramp, granularity, shape, begin_s, sessions,
    keepalive_s, hold_s,
):  # fmt: skip
    """Return (due_s, sent_s) of each keepalive, and dropped_s of each session, -1 if never.

    Keepalive m is due at (phase + m // sessions) keepalive_s and belongs to session m % sessions;
    the phases are random and ascending. The queue starts at begin_s. A neighbour drops its session
    hold_s after the last keepalive that was sent, unless the next one is sent by then.
    """
    phases = randoms(new_state(seed), sessions)
    phases.sort()
    costs_ns = np.empty(items, np.int64)
    total_s = _fill_costs(new_state(seed), costs_ns, mean_s, shape)
    rounds = int((begin_s + total_s + hold_s) / keepalive_s) + 1
    dues_s = np.empty(rounds * sessions)
    for m in range(len(dues_s)):
        dues_s[m] = (phases[m % sessions] + m // sessions) * keepalive_s
    due_ns, late_ns = moments_ns(dues_s, 1.0), np.empty(len(dues_s), np.int64)
    begin_ns = np.int64(np.rint(begin_s * 1e9))
    events, loads = loop_arguments(due_ns, costs_ns, 1, begin_ns, granularity)
    nothing, no_runs = np.empty(0, np.int64), np.empty((RUN_COLUMNS, 0), np.int64)
    growth = (factor, ramp, items)
    run_loop(events, loads, growth, (quantum_ns, 0), (late_ns, nothing, no_runs, nothing))
    sent_s, dropped_s = (due_ns + late_ns) / 1e9, np.full(sessions, -1.0)
    for session in range(sessions):
        last_s = (phases[session] - 1) * keepalive_s
        for sent in sent_s[session::sessions]:
            if sent > last_s + hold_s:
                dropped_s[session] = last_s + hold_s
                break
            last_s = sent
    return due_ns / 1e9, sent_s, dropped_s
