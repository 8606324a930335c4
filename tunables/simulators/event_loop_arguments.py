"""The arguments of `simulate_event_loop`, checked, as its kernel takes them."""

import reprlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tunables.plain.adding import added
from tunables.plain.arguments import choice, number, whole
from tunables.simulators.nanoseconds import LONGEST_S, nanosecond_array, nanoseconds
from tunables.theory.slicing import GROWTH_RULES

MOST_ITEMS = 2**31  # between two looks


class Queue(NamedTuple):
    """A background queue whose items are all added at time 0.

    It runs hold_s after that, and again delay_s after the end of each run that left items.
    """

    costs_s: Sequence[float] | np.ndarray
    hold_s: float = 0.0
    delay_s: float = 0.0
    granularity: int = 1


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
        place = int(late[0]) + 1
        raise ValueError(
            f"{name}[{place}] = {values[place]!r}: must be at least {name}[{place - 1}]"
        )
    return times


def _check_length(ready, handler_ns, costs, due, extra_ns) -> None:
    """Refuse a simulation that may last too long; extra_ns: of a queue's item, at most."""
    work = (float(c.sum()) + len(c) * extra for c, extra in zip(costs, extra_ns, strict=True))
    events = (
        len(moments) * cost + float(moments[-1] if moments.size else 0)
        for moments, cost in zip(ready, handler_ns, strict=True)
    )
    longest_s = (added(due) + added(work) + added(events)) / 1e9
    number("upper bound of the simulated time, s", longest_s, at_most=LONGEST_S)


def checked(
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
    """Return the first four arguments of `run_loop`; refuses what `simulate_event_loop` does."""
    if not isinstance(queues, (list, tuple)) or not all(isinstance(q, Queue) for q in queues):
        raise ValueError(f"queues = {reprlib.repr(queues)}: must be a list of Queue")
    kinds = {"timers_s": timers_s, "reads_s": reads_s, "writes_s": writes_s}
    ready = [_ordered(name, values) for name, values in kinds.items()]
    costs = [nanosecond_array(f"queues[{i}].costs_s", q.costs_s) for i, q in enumerate(queues)]
    due = [nanoseconds(f"queues[{i}].hold_s", q.hold_s) for i, q in enumerate(queues)]
    delays = [nanoseconds(f"queues[{i}].delay_s", q.delay_s) for i, q in enumerate(queues)]
    first = [
        whole(f"queues[{i}].granularity", q.granularity, 1, MOST_ITEMS)
        for i, q in enumerate(queues)
    ]
    handler_ns = [
        nanoseconds("timer_cost_s", timer_cost_s),
        nanoseconds("read_cost_s", read_cost_s),
        nanoseconds("write_cost_s", write_cost_s),
    ]
    limits = (nanoseconds("quantum_s", quantum_s), nanoseconds("check_cost_s", check_cost_s))
    most = whole("most_granularity", most_granularity, 1, MOST_ITEMS)
    growth = (*GROWTH_RULES[choice("rule", rule, GROWTH_RULES)], most)
    _check_length(ready, handler_ns, costs, due, [limits[1] + delay for delay in delays])
    events = (_joined(ready), _ends(ready), _whole_numbers(handler_ns))
    loads = (_joined(costs), _ends(costs), *map(_whole_numbers, (due, delays, first)))
    return events, loads, growth, limits
