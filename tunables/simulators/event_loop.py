"""A cooperative event loop: timers, reads, writes, and one slice of each background queue."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tunables.base.arguments import choice, in_short, integer, number
from tunables.base.kinds import Numbers
from tunables.base.portable import plain_sum
from tunables.base.refusals import refusal
from tunables.simulators.arrays import Floats, Integers, describe
from tunables.simulators.event_loop_kernel import RUN_COLUMNS, run_loop
from tunables.simulators.limits import shorten
from tunables.simulators.nanoseconds import LONGEST_S, nanosecond_array, nanoseconds
from tunables.theory.slicing import GROWTH_RULES

MOST_ITEMS = 2**31  # between two looks at the clock


class Queue(NamedTuple):
    """A background queue whose items are all added at time 0.

    It runs hold_s after that, and again delay_s after the end of each run that left items.
    costs_s: the time that each item takes, in their order; granularity: how many items the first
    run takes between two looks at the clock.
    """

    costs_s: Sequence[float] | np.ndarray
    hold_s: float = 0.0
    delay_s: float = 0.0
    granularity: int = 1


def _integers(values) -> np.ndarray:
    return np.array(values, dtype=np.int64)


def _concatenate(parts: list[np.ndarray]) -> np.ndarray:
    return np.concatenate([*parts, _integers([])])


def _ends(parts: list[np.ndarray]) -> np.ndarray:
    return np.cumsum(_integers([len(part) for part in parts]))


def _check_order(name: str, values) -> np.ndarray:
    times = nanosecond_array(name, values, empty=True)
    late = np.flatnonzero(np.diff(times) < 0)
    if late.size:
        place = int(late[0]) + 1
        raise refusal(
            f"{name}[{place}] = {in_short(values[place])}: must be at least {name}[{place - 1}]"
        )
    return times


def _check_length(ready, handler_ns, costs, due, extra_ns) -> None:
    """Refuse a simulation that may last too long; extra_ns: at most, per item of each queue."""
    work = (float(c.sum()) + len(c) * extra for c, extra in zip(costs, extra_ns, strict=True))
    events = (
        len(moments) * cost + float(moments[-1] if moments.size else 0)
        for moments, cost in zip(ready, handler_ns, strict=True)
    )
    longest_s = (plain_sum(due) + plain_sum(work) + plain_sum(events)) / 1e9
    number("upper bound on the simulated seconds", longest_s, at_most=LONGEST_S)


def check_arguments(
    queues,
    timers_s,
    reads_s,
    writes_s,
    timer_cost_s,
    read_cost_s,
    write_cost_s,
    quantum_s,
    rule,
    check_cost_s,
    most_granularity,
) -> tuple:
    """Check the arguments of `simulate_event_loop`; return the first four of `run_loop`."""
    if not isinstance(queues, (list, tuple)) or not all(isinstance(q, Queue) for q in queues):
        raise refusal(f"queues = {shorten(queues)}: must be a list of Queue objects")
    kinds = {"timers_s": timers_s, "reads_s": reads_s, "writes_s": writes_s}
    ready = [_check_order(name, values) for name, values in kinds.items()]
    costs = [nanosecond_array(f"queues[{i}].costs_s", q.costs_s) for i, q in enumerate(queues)]
    due = [nanoseconds(f"queues[{i}].hold_s", q.hold_s) for i, q in enumerate(queues)]
    delays = [nanoseconds(f"queues[{i}].delay_s", q.delay_s) for i, q in enumerate(queues)]
    first = [
        integer(f"queues[{i}].granularity", q.granularity, 1, MOST_ITEMS)
        for i, q in enumerate(queues)
    ]
    handler_ns = [
        nanoseconds("timer_cost_s", timer_cost_s),
        nanoseconds("read_cost_s", read_cost_s),
        nanoseconds("write_cost_s", write_cost_s),
    ]
    limits = (nanoseconds("quantum_s", quantum_s), nanoseconds("check_cost_s", check_cost_s))
    most = integer("most_granularity", most_granularity, 1, MOST_ITEMS)
    growth = (*GROWTH_RULES[choice("rule", rule, GROWTH_RULES)], most)
    _check_length(ready, handler_ns, costs, due, [limits[1] + delay for delay in delays])
    events = (_concatenate(ready), _ends(ready), _integers(handler_ns))
    loads = (_concatenate(costs), _ends(costs), *map(_integers, (due, delays, first)))
    return events, loads, growth, limits


__all__ = ["EventLoopTrace", "LoopEvents", "Queue", "simulate_event_loop", "trace_event_loop"]


class EventLoopTrace(NamedTuple):
    """What happened, in seconds.

    `timer_lateness_s`, `read_lateness_s`, `write_lateness_s`: the time from the moment at which a
    timer was due, or input or output was ready, to the start of its handler, one entry each in the
    order given. `turn_s`: lengths of the turns. `slice_s`, `slice_queue` (index of the queue) and
    `slice_cycles`: one entry per run.
    """

    timer_lateness_s: Floats
    read_lateness_s: Floats
    write_lateness_s: Floats
    turn_s: Floats
    slice_s: Floats
    slice_queue: Integers
    slice_cycles: Integers

    def __repr__(self) -> str:
        return describe(self)


class LoopEvents(NamedTuple):
    """What happened in detail, in seconds.

    One entry per run: `begin_s`, `length_s`, `queue`, `items`, `granularity` in force, `looks` at
    the clock, `first_item` from 0 in its queue. `look_s`: time of each look since its run began,
    run after run. `due_s`, `late_s`: when each timer, then each read, then each write fell due,
    and how much later its handler began.
    """

    begin_s: Floats
    length_s: Floats
    queue: Integers
    items: Integers
    granularity: Integers
    looks: Integers
    first_item: Integers
    look_s: Floats
    due_s: Floats
    late_s: Floats

    def __repr__(self) -> str:
        return describe(self)


def simulate_event_loop(
    queues: Sequence[Queue],
    timers_s: Numbers = (),
    reads_s: Numbers = (),
    writes_s: Numbers = (),
    timer_cost_s: float = 0.0,
    read_cost_s: float = 0.0,
    write_cost_s: float = 0.0,
    quantum_s: float = 0.010,
    rule: str = "2005-05-06",
    check_cost_s: float = 0.0,
    most_granularity: int = MOST_ITEMS,
) -> EventLoopTrace:
    """Run an event loop until every queue is empty and every event is handled.

    Each turn reads the clock once, and then handles what was ready at that moment: timers,
    then reads, then writes, each in the order of their times, then one slice (see
    `drain_work_queue`) of each background queue that is due, earliest first. With nothing
    ready the clock jumps to the next event. timers_s, reads_s, writes_s are the moments at
    which a timer falls due or a descriptor becomes ready; each kind of handler has its own cost.
    Times are rounded to nanoseconds and then added exactly. No queue's granularity grows beyond
    most_granularity.

    Raises ValueError for queues that aren't a list of Queue, moments that decrease, an empty queue,
    a time that is negative or not finite, an unknown rule, or a granularity that is not a whole
    number at least 1.
    Source: Quagga, lib/thread.c (thread_fetch) and lib/workqueue.c.

    >>> queue = Queue(costs_s=[0.004] * 6)
    >>> trace = simulate_event_loop([queue], timers_s=[0.001, 0.013])
    >>> trace.slice_s.tolist(), trace.timer_lateness_s.tolist()
    ([0.012, 0.012], [0.011, 0.011])
    >>> costs = {"timer_cost_s": 0.001, "read_cost_s": 0.001, "write_cost_s": 0.001}
    >>> costs |= {"check_cost_s": 1e-6, "quantum_s": 0.010, "most_granularity": 100}
    >>> events = {"timers_s": [0.001, 0.013], "reads_s": [0.002], "writes_s": [0.003]}
    >>> queues = [Queue([0.004] * 6, 0.001, 0.002, 1), Queue([0.001] * 9)]
    >>> trace = simulate_event_loop(queues, rule="2005-05-06", **events, **costs)
    >>> trace.slice_queue.tolist(), trace.slice_cycles.tolist()
    ([1, 0, 0], [9, 3, 3])
    """
    loop = check_arguments(
        queues, timers_s, reads_s, writes_s, timer_cost_s, read_cost_s, write_cost_s, quantum_s,
        rule, check_cost_s, most_granularity,
    )  # fmt: skip
    lateness, turns, runs, _ = _run(loop, 0)
    timers, reads, writes = np.split(lateness / 1e9, loop[0][1][:-1])
    return EventLoopTrace(timers, reads, writes, turns / 1e9, runs[1] / 1e9, runs[2], runs[3])


def trace_event_loop(
    queues: Sequence[Queue],
    timers_s: Numbers = (),
    reads_s: Numbers = (),
    writes_s: Numbers = (),
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
    loop = check_arguments(
        queues, timers_s, reads_s, writes_s, timer_cost_s, read_cost_s, write_cost_s, quantum_s,
        rule, check_cost_s, most_granularity,
    )  # fmt: skip
    lateness, _, runs, looks_ns = _run(loop, len(loop[1][0]))
    times = (looks_ns / 1e9, loop[0][0] / 1e9, lateness / 1e9)
    return LoopEvents._make((*runs[:2] / 1e9, *runs[2:], *times))


def _run(loop, looks):
    """Return lateness, turns, runs and the first looks of a loop."""
    (ready, *_), (costs, *_) = loop[:2]
    record = (
        np.empty(len(ready), dtype=np.int64),
        np.empty(len(ready) + len(costs), dtype=np.int64),
        np.empty((RUN_COLUMNS, len(costs)), dtype=np.int64),
        np.empty(looks, dtype=np.int64),
    )
    turns, runs, seen = run_loop(*loop, record)
    return record[0], record[1][:turns], record[2][:, :runs].copy(), record[3][:seen]
