"""The event heap against sorting."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.simulators.tied_heap import new_heap, pop, push


@settings(deadline=None, max_examples=100, derandomize=True)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=60))
def test_entries_leave_by_key_then_by_tie(entries):
    heap, size = new_heap(len(entries)), 0
    for name, (key, tie) in enumerate(entries):
        size = push(heap, size, float(key), float(tie), name)
    left = []
    while size:
        name, size = pop(heap, size)
        left.append(entries[name])
    assert left == sorted(entries)


@settings(deadline=None, max_examples=100, derandomize=True)
@given(st.lists(st.one_of(st.floats(0, 1), st.none()), max_size=60))
def test_pushes_and_pops_in_any_order(steps):
    heap, size = new_heap(len(steps)), 0
    waiting = []
    for name, key in enumerate(steps):
        if key is not None:
            size = push(heap, size, key, 0.0, name)
            waiting.append(key)
        elif waiting:
            popped, size = pop(heap, size)
            assert steps[popped] == min(waiting)
            waiting.remove(steps[popped])
    assert size == len(waiting)
