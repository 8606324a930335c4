"""What chapter 6's stage replays: runs and timers of the loop, and neighbours' hold timers."""

import numpy as np

from tunables.chapters.work_queues.experiment import draw_costs, loop_of, moments_ns
from tunables.simulators.compiled import compiled
from tunables.simulators.draws import randoms, seeded
from tunables.simulators.event_loop_kernel import RUN_COLUMNS, run_loop


@compiled
def _fill_costs(state, costs_ns, mean_s, shape):
    """Fill in costs and return their sum in seconds; a shape of 0 stands for costs all the same."""
    if shape > 0:
        return draw_costs(state, costs_ns, mean_s, shape)
    for i in range(len(costs_ns)):
        costs_ns[i] = np.int64(np.rint(mean_s * 1e9))
    return mean_s * len(costs_ns)


@compiled
def slice_trace(
    seed, items, mean_s, quantum_ns, factor, ramp, granularity, queues, shape, dear_from,
    dear_mean_s, most_granularity, timers, rows,
):  # fmt: skip
    """Return (runs, looks, begin_s, ... late_s): how many there were, and `LoopEvents` of them.

    The first so many rows of runs, and twice as many of looks, are kept. From item dear_from on
    an item of a queue costs dear_mean_s on average; timers fall due at random moments.
    """
    state, total_s = seeded(seed), 0.0
    costs_ns = np.empty(queues * items, np.int64)
    for queue in range(queues):
        own_ns = costs_ns[queue * items : (queue + 1) * items]
        total_s += _fill_costs(state, own_ns[:dear_from], mean_s, shape)
        total_s += _fill_costs(state, own_ns[dear_from:], dear_mean_s, shape)
    shares = randoms(state, timers)
    shares.sort()
    due_ns, late_ns = moments_ns(shares, total_s), np.empty(timers, np.int64)
    events, loads = loop_of(due_ns, costs_ns, queues, 0, granularity)
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
    """Return (due_s, sent_s, dropped_s): of each keepalive, and when a neighbour drops a session.

    Keepalive m is due at (phase + m // sessions) keepalive_s and belongs to session m % sessions;
    their phases are random and rise. A queue begins at begin_s. A neighbour drops its session
    hold_s after the last keepalive that was sent, unless the next is sent by then; -1 if never.
    """
    phases = randoms(seeded(seed), sessions)
    phases.sort()
    costs_ns = np.empty(items, np.int64)
    total_s = _fill_costs(seeded(seed), costs_ns, mean_s, shape)
    rounds = int((begin_s + total_s + hold_s) / keepalive_s) + 1
    dues_s = np.empty(rounds * sessions)
    for m in range(len(dues_s)):
        dues_s[m] = (phases[m % sessions] + m // sessions) * keepalive_s
    due_ns, late_ns = moments_ns(dues_s, 1.0), np.empty(len(dues_s), np.int64)
    begin_ns = np.int64(np.rint(begin_s * 1e9))
    events, loads = loop_of(due_ns, costs_ns, 1, begin_ns, granularity)
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
