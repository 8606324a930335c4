"""The turns of `simulate_event_loop`, compiled; times in nanoseconds."""

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.work_queue_kernel import grow, run_slice

RUN_COLUMNS = 7


@compiled
def _next_moment(ready, served, stops, due):
    """Return the earliest event of any kind or due time of any queue (-1: empty), or -1."""
    moment = np.int64(-1)
    for kind in range(len(stops)):
        if served[kind] < stops[kind] and (moment < 0 or ready[served[kind]] < moment):
            moment = ready[served[kind]]
    for queue in range(len(due)):
        if due[queue] >= 0 and (moment < 0 or due[queue] < moment):
            moment = due[queue]
    return moment


@compiled
def _next_queue(due, turn_start, last_turn, turn):
    """Return the index of the first due queue that has not run in this turn, or -1."""
    first = -1
    for queue in range(len(due)):
        is_ready = 0 <= due[queue] <= turn_start and last_turn[queue] < turn
        if is_ready and (first < 0 or due[queue] < due[first]):
            first = queue
    return first


@compiled
def _starts(stops):
    """Return the start of each of several lists stored one after another."""
    starts = np.zeros_like(stops)
    for i in range(1, len(stops)):
        starts[i] = stops[i - 1]
    return starts


@compiled
def _write_run(column, begin, length, queue, items, granularity, looks, first_item):
    column[0] = begin
    column[1] = length
    column[2] = queue
    column[3] = items
    column[4] = granularity
    column[5] = looks
    column[6] = first_item


@compiled
def run_loop(events, queues, growth, limits, record):
    """Run the loop until nothing is pending; return the numbers of turns, runs and looks.

    events: moments at which they are ready, the end of each kind in these, cost of each kind.
    queues: costs of all items, the end of each queue in these, and for each queue its due time,
    its delay, and its granularity; due time and granularity are changed. growth: a value of
    GROWTH_RULES, and the largest granularity. limits: quantum, cost of a look at the clock.
    record is filled as far as it has room: lateness of each event, length of each turn, one
    column per run (begin, length, queue, items, granularity in force, looks, first item from 0
    in its queue), time of each look since its run began. There is room for all events.
    """
    ready, kinds, handler_ns = events
    costs, ends, due, delays, granularity = queues
    factor, ramp, most_granularity = growth
    quantum_ns, check_ns = limits
    lateness, turns, runs, looks_ns = record
    served, position, first = _starts(kinds), _starts(ends), _starts(ends)
    last_turn = np.full(len(due), -1)
    turn = run = seen = 0
    now = np.int64(0)
    while True:
        moment = _next_moment(ready, served, kinds, due)
        if moment < 0:
            return turn, run, seen
        start = now = max(now, moment)
        for kind in range(len(kinds)):
            while served[kind] < kinds[kind] and ready[served[kind]] <= start:
                lateness[served[kind]] = now - ready[served[kind]]
                now += handler_ns[kind]
                served[kind] += 1
        queue = _next_queue(due, start, last_turn, turn)
        while queue >= 0:
            g, item = granularity[queue], position[queue]
            cycles, elapsed, looks = run_slice(
                costs, item, ends[queue], g, quantum_ns, check_ns, looks_ns, seen
            )
            if run < runs.shape[1]:
                in_queue = item - first[queue]
                _write_run(runs[:, run], now, elapsed, queue, cycles, g, looks, in_queue)
            run += 1
            seen += looks
            granularity[queue] = max(g, min(grow(cycles, g, factor, ramp), most_granularity))
            position[queue] += cycles
            now += elapsed
            due[queue] = now + delays[queue] if position[queue] < ends[queue] else -1
            last_turn[queue] = turn
            queue = _next_queue(due, start, last_turn, turn)
        if turn < len(turns):
            turns[turn] = now - start
        turn += 1
