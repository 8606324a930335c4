"""The calendar of events against the library's heap."""

import heapq

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.simulators.event_heap import pop, push

steps = st.lists(st.one_of(st.none(), st.tuples(st.integers(0, 5), st.integers(0, 9))))


@settings(deadline=None, derandomize=True, max_examples=200)
@given(steps)
def test_same_order_as_heapq_with_many_equal_times(steps):
    """None takes an event out, anything else puts one in."""
    times, items = np.empty(len(steps)), np.empty(len(steps), np.int64)
    size = 0
    expected: list[tuple[float, int]] = []
    for step in steps:
        if step is not None:
            size = push(times, items, size, float(step[0]), step[1])
            heapq.heappush(expected, (float(step[0]), step[1]))
        elif expected:
            first = times[0]
            item, size = pop(times, items, size)
            assert (first, item) == heapq.heappop(expected)
        assert size == len(expected)
