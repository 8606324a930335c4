"""The event heap against sorting."""

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.simulators.event_heap import new_heap, pop, push

SETTINGS = settings(deadline=None, max_examples=100, derandomize=True)


@SETTINGS
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=60, unique=True))
def test_entries_leave_by_key_then_by_name(entries):
    keys, names = new_heap(len(entries))
    size = 0
    for key, name in entries:
        size = push(keys, names, size, float(key), name)
    left = []
    while size:
        smallest = keys[0]
        name, size = pop(keys, names, size)
        left.append((smallest, name))
    assert left == sorted(entries)
    assert keys[0] == math.inf


@SETTINGS
@given(st.lists(st.one_of(st.floats(0, 1), st.none()), max_size=80))
def test_pushes_and_pops_in_any_order(steps):
    keys, names = new_heap(len(steps))
    size = 0
    waiting = []
    for name, key in enumerate(steps):
        if key is not None:
            size = push(keys, names, size, key, name)
            waiting.append(key)
        elif waiting:
            popped, size = pop(keys, names, size)
            assert steps[popped] == min(waiting)
            waiting.remove(steps[popped])
        assert keys[0] == min(waiting, default=math.inf)
        assert size == len(waiting)
