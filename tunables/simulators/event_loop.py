"""A cooperative event loop: timers, reads, writes, and one slice of each background queue."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tunables.arguments import choice, number, whole
from tunables.simulators.compiled import compiled
from tunables.simulators.nanoseconds import LONGEST_S, nanosecond_array, nanoseconds
from tunables.simulators.work_queue import grow_compiled, run_slice
from tunables.theory.slicing import GROWTH_RULES


class Queue(NamedTuple):
    """A background queue whose items are all added at time 0.

    It runs hold_s after that, and again delay_s after the end of each run that left items.
    """

    costs_s: Sequence[float] | np.ndarray
    hold_s: float = 0.0
    delay_s: float = 0.0
    granularity: int = 1


class EventLoopTrace(NamedTuple):
    """What happened, seconds.

    Lateness is from the moment that a timer was due, or input or output was ready, to the
    start of its handler, one entry each in the order given. `turn_s`: lengths of the turns.
    `slice_s`, `slice_queue` (index of the queue) and `slice_cycles`: one entry a run.
    """

    timer_lateness_s: np.ndarray
    read_lateness_s: np.ndarray
    write_lateness_s: np.ndarray
    turn_s: np.ndarray
    slice_s: np.ndarray
    slice_queue: np.ndarray
    slice_cycles: np.ndarray


@compiled
def _next_moment(ready, served, stops, due):
    """Earliest event of any kind or due time of any queue (-1: it is empty); -1 if none."""
    moment = np.int64(-1)
    for kind in range(len(stops)):
        if served[kind] < stops[kind] and (moment < 0 or ready[served[kind]] < moment):
            moment = ready[served[kind]]
    for queue in range(len(due)):
        if due[queue] >= 0 and (moment < 0 or due[queue] < moment):
            moment = due[queue]
    return moment


@compiled
def _next_queue(due, turn_start, ran):
    """Index of the queue that is due first and has not run in this turn, or -1."""
    first = -1
    for queue in range(len(due)):
        is_ready = 0 <= due[queue] <= turn_start and not ran[queue]
        if is_ready and (first < 0 or due[queue] < due[first]):
            first = queue
    return first


@compiled
def _simulate(ready, kinds, handler_ns, costs, ends, due, delays, granularity, growth, limits):
    """kinds and ends are where each kind of event ends in ready, and each queue in costs."""
    lateness = np.empty(len(ready), dtype=np.int64)
    turns = np.empty(len(ready) + len(costs), dtype=np.int64)
    slices = np.empty((3, len(costs)), dtype=np.int64)
    served, position = np.zeros_like(kinds), np.zeros_like(ends)
    served[1:], position[1:] = kinds[:-1], ends[:-1]
    turn = run = 0
    now = np.int64(0)
    while True:
        moment = _next_moment(ready, served, kinds, due)
        if moment < 0:
            return lateness, turns[:turn], slices[:, :run]
        start = now = max(now, moment)
        for kind in range(len(kinds)):
            while served[kind] < kinds[kind] and ready[served[kind]] <= start:
                lateness[served[kind]] = now - ready[served[kind]]
                now += handler_ns[kind]
                served[kind] += 1
        ran = np.zeros(len(due), dtype=np.bool_)
        queue = _next_queue(due, start, ran)
        while queue >= 0:
            cycles, elapsed, _ = run_slice(
                costs, position[queue], ends[queue], granularity[queue], limits[0], limits[1]
            )
            granularity[queue] = grow_compiled(cycles, granularity[queue], growth[0], growth[1])
            position[queue] += cycles
            now += elapsed
            due[queue] = now + delays[queue] if position[queue] < ends[queue] else -1
            ran[queue] = True
            slices[0, run], slices[1, run], slices[2, run] = elapsed, queue, cycles
            run += 1
            queue = _next_queue(due, start, ran)
        turns[turn] = now - start
        turn += 1


def _whole_numbers(values) -> np.ndarray:
    return np.array(values, dtype=np.int64)


def _joined(parts: list[np.ndarray]) -> np.ndarray:
    return np.concatenate([*parts, _whole_numbers([])])


def _ends(parts: list[np.ndarray]) -> np.ndarray:
    return np.cumsum(_whole_numbers([len(part) for part in parts]))


def _ordered(name: str, values) -> np.ndarray:
    times = nanosecond_array(name, values, empty=True)
    late = np.flatnonzero(np.diff(times) < 0)
    if late.size:
        raise ValueError(f"{name}[{late[0] + 1}]: must be at least {name}[{late[0]}]")
    return times


def simulate_event_loop(
    queues: Sequence[Queue],
    timers_s=(),
    reads_s=(),
    writes_s=(),
    timer_cost_s: float = 0.0,
    read_cost_s: float = 0.0,
    write_cost_s: float = 0.0,
    quantum_s: float = 0.010,
    rule: str = "2005-05-06",
    check_cost_s: float = 0.0,
) -> EventLoopTrace:
    """Run an event loop until every queue is empty and every event is served.

    Each turn reads the clock once, and then handles what was ready at that moment: timers,
    then reads, then writes, each in the order of their times, then one slice (see
    `drain_work_queue`) of each background queue that is due, earliest first. With nothing
    ready the clock jumps to the next event. timers_s, reads_s, writes_s are the moments at
    which a timer falls due or a descriptor becomes ready; a handler takes its kind's cost.
    Times are rounded to nanoseconds and then added exactly.

    Raises ValueError for moments that decrease, an empty queue, a time that is negative or
    not finite, an unknown rule, or a granularity that is not a whole number at least 1.
    Source: Quagga, lib/thread.c (thread_fetch) and lib/workqueue.c.

    >>> queue = Queue(costs_s=[0.004] * 6)
    >>> trace = simulate_event_loop([queue], timers_s=[0.001, 0.013])
    >>> trace.slice_s.tolist(), trace.timer_lateness_s.tolist()
    ([0.012, 0.012], [0.011, 0.011])
    """
    kinds = {"timers_s": timers_s, "reads_s": reads_s, "writes_s": writes_s}
    ready = [_ordered(name, values) for name, values in kinds.items()]
    costs = [nanosecond_array(f"queues[{i}].costs_s", q.costs_s) for i, q in enumerate(queues)]
    due = [nanoseconds(f"queues[{i}].hold_s", q.hold_s) for i, q in enumerate(queues)]
    delays = [nanoseconds(f"queues[{i}].delay_s", q.delay_s) for i, q in enumerate(queues)]
    first = [
        whole(f"queues[{i}].granularity", q.granularity, 1, 2**31) for i, q in enumerate(queues)
    ]
    handler_ns = [
        nanoseconds("timer_cost_s", timer_cost_s),
        nanoseconds("read_cost_s", read_cost_s),
        nanoseconds("write_cost_s", write_cost_s),
    ]
    limits = (nanoseconds("quantum_s", quantum_s), nanoseconds("check_cost_s", check_cost_s))
    growth = GROWTH_RULES[choice("rule", rule, GROWTH_RULES)]
    work = (float(c.sum()) + len(c) * (limits[1] + d) for c, d in zip(costs, delays, strict=True))
    events = (
        len(moments) * cost + float(moments[-1] if moments.size else 0)
        for moments, cost in zip(ready, handler_ns, strict=True)
    )
    longest_s = (sum(due) + sum(work) + sum(events)) / 1e9
    number("upper bound of the simulated time, s", longest_s, at_most=LONGEST_S)

    lateness, turns, slices = _simulate(
        _joined(ready),
        _ends(ready),
        _whole_numbers(handler_ns),
        _joined(costs),
        _ends(costs),
        _whole_numbers(due),
        _whole_numbers(delays),
        _whole_numbers(first),
        growth,
        limits,
    )
    timers, reads, writes = np.split(lateness / 1e9, _ends(ready)[:-1])
    slice_ns, slice_queue, slice_cycles = slices
    return EventLoopTrace(
        timers, reads, writes, turns / 1e9, slice_ns / 1e9, slice_queue, slice_cycles
    )
