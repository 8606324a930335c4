"""A cooperative event loop: timers, reads, writes, and one slice of each background queue."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tunables.simulators.event_loop_arguments import MOST_ITEMS, Queue, checked
from tunables.simulators.event_loop_kernel import RUN_COLUMNS, run_loop

__all__ = ["EventLoopTrace", "LoopEvents", "Queue", "simulate_event_loop", "trace_event_loop"]


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


class LoopEvents(NamedTuple):
    """What happened, in more detail; seconds.

    One entry a run: `begin_s`, `length_s`, `queue`, `items`, `granularity` in force, `looks` at
    the clock, `first_item` from 0 on in its queue. `look_s`: each look since its run began, those
    of one run after those of another. `due_s`, `late_s`: as each timer, then each read, then each
    write fell due, and how much later its handler began.
    """

    begin_s: np.ndarray
    length_s: np.ndarray
    queue: np.ndarray
    items: np.ndarray
    granularity: np.ndarray
    looks: np.ndarray
    first_item: np.ndarray
    look_s: np.ndarray
    due_s: np.ndarray
    late_s: np.ndarray


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
    most_granularity: int = MOST_ITEMS,
) -> EventLoopTrace:
    """Run an event loop until every queue is empty and every event is served.

    Each turn reads the clock once, and then handles what was ready at that moment: timers,
    then reads, then writes, each in the order of their times, then one slice (see
    `drain_work_queue`) of each background queue that is due, earliest first. With nothing
    ready the clock jumps to the next event. timers_s, reads_s, writes_s are the moments at
    which a timer falls due or a descriptor becomes ready; a handler takes its kind's cost.
    Times are rounded to nanoseconds and then added exactly. No queue's granularity grows beyond
    most_granularity.

    Raises ValueError for queues that are none, moments that decrease, an empty queue, a time
    that is negative or not finite, an unknown rule, or a granularity that is not a whole number
    at least 1.
    Source: Quagga, lib/thread.c (thread_fetch) and lib/workqueue.c.

    >>> queue = Queue(costs_s=[0.004] * 6)
    >>> trace = simulate_event_loop([queue], timers_s=[0.001, 0.013])
    >>> trace.slice_s.tolist(), trace.timer_lateness_s.tolist()
    ([0.012, 0.012], [0.011, 0.011])
    """
    loop = checked(
        queues, timers_s, reads_s, writes_s, timer_cost_s, read_cost_s, write_cost_s, quantum_s,
        rule, check_cost_s, most_granularity,
    )  # fmt: skip
    lateness, turns, runs, _ = _run(loop, 0)
    timers, reads, writes = np.split(lateness / 1e9, loop[0][1][:-1])
    return EventLoopTrace(timers, reads, writes, turns / 1e9, runs[1] / 1e9, runs[2], runs[3])


def trace_event_loop(
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
    most_granularity: int = MOST_ITEMS,
) -> LoopEvents:
    """Return what `simulate_event_loop` does with the same arguments, and when.

    Raises ValueError as it does.

    >>> events = trace_event_loop([Queue(costs_s=[0.004] * 6)], timers_s=[0.001, 0.013])
    >>> events.begin_s.tolist(), events.look_s.tolist()[:3], events.late_s.tolist()
    ([0.0, 0.012], [0.004, 0.008, 0.012], [0.011, 0.011])
    """
    loop = checked(
        queues, timers_s, reads_s, writes_s, timer_cost_s, read_cost_s, write_cost_s, quantum_s,
        rule, check_cost_s, most_granularity,
    )  # fmt: skip
    lateness, _, runs, looks_ns = _run(loop, len(loop[1][0]))
    times = (looks_ns / 1e9, loop[0][0] / 1e9, lateness / 1e9)
    return LoopEvents._make((*runs[:2] / 1e9, *runs[2:], *times))


def _run(loop, looks):
    """Return lateness, turns, runs and so many looks of a loop."""
    (ready, *_), (costs, *_) = loop[:2]
    record = (
        np.empty(len(ready), dtype=np.int64),
        np.empty(len(ready) + len(costs), dtype=np.int64),
        np.empty((RUN_COLUMNS, len(costs)), dtype=np.int64),
        np.empty(looks, dtype=np.int64),
    )
    turns, runs, seen = run_loop(*loop, record)
    return record[0], record[1][:turns], record[2][:, :runs].copy(), record[3][:seen]
