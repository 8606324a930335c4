"""A binary heap of events, compiled: smallest key first, equal keys by their tie.

A heap is three arrays (keys, ties, names), made by `new_heap`, and its size, which `push` and
`pop` return.
"""

import numpy as np

from tunables.simulators.compiled import compiled


@compiled
def new_heap(capacity):
    """Return the arrays of a heap of at most capacity entries; its size is 0."""
    return np.empty(capacity), np.empty(capacity), np.empty(capacity, np.int64)


@compiled
def push(heap, size, key, tie, name):
    """Add an entry to a heap of that size; return the new size."""
    keys, ties, names = heap
    place = size
    while place > 0:
        parent = (place - 1) // 2
        if keys[parent] < key or (keys[parent] == key and ties[parent] <= tie):
            break
        keys[place], ties[place], names[place] = keys[parent], ties[parent], names[parent]
        place = parent
    keys[place], ties[place], names[place] = key, tie, name
    return size + 1


@compiled
def pop(heap, size):
    """Take the first entry out of a heap of that size; return its name and the new size."""
    keys, ties, names = heap
    first = names[0]
    size -= 1
    key, tie, name = keys[size], ties[size], names[size]
    place = 0
    child = 1
    while child < size:
        other = child + 1
        if other < size and (
            keys[other] < keys[child] or (keys[other] == keys[child] and ties[other] < ties[child])
        ):
            child = other
        if key < keys[child] or (key == keys[child] and tie <= ties[child]):
            break
        keys[place], ties[place], names[place] = keys[child], ties[child], names[child]
        place = child
        child = 2 * place + 1
    keys[place], ties[place], names[place] = key, tie, name
    return first, size
