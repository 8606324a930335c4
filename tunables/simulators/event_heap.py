"""A compiled heap of events: smallest key first, equal keys by name, four children per node.

A heap is two arrays, keys and names, made by `new_heap`, and its size, which `push` and `pop`
return. keys[0] is the smallest key, or inf if the heap is empty. Four children per node make fewer
levels than two. Nobody can predict which child leaves first, so `pop` computes it without a
branch: a mispredicted branch takes longer than the rest of a level.
"""

import numpy as np

from tunables.simulators.compiled import compiled

_U = np.uint64  # numba checks other indices for being negative, each time
_0, _1, _2 = _U(0), _U(1), _U(2)


@compiled
def new_heap(capacity):
    """Return the arrays of an empty heap for at most capacity entries."""
    # The entries are followed by inf, so that a node always has four children to compare.
    return np.full(capacity + 4, np.inf), np.empty(capacity + 4, np.int64)


@compiled
def _before(key, name, other_key, other_name):
    """Return whether an entry leaves before another."""
    return (key < other_key) | ((key == other_key) & (name < other_name))


@compiled
def _first_of_two(keys, names, place):
    """Return key, name and place of the entry that leaves first: at place, or the next."""
    key, other_key = keys[place], keys[place + _1]
    name, other_name = names[place], names[place + _1]
    swap = _before(other_key, other_name, key, name)
    least = other_key if other_key < key else key
    return least, other_name if swap else name, place + _U(swap)


@compiled
def push(keys, names, size, key, name):
    """Add an entry to a heap of the given size; return the new size."""
    place = _U(size)
    while place > _0:
        parent = (place - _1) >> _2
        if keys[parent] < key or (keys[parent] == key and names[parent] <= name):
            break
        keys[place] = keys[parent]
        names[place] = names[parent]
        place = parent
    keys[place] = key
    names[place] = name
    return size + 1


@compiled
def pop(keys, names, size):
    """Remove the first entry of a heap of the given size; return its name and the new size."""
    first = names[0]
    last = _U(size - 1)
    key = keys[last]
    name = names[last]
    place, child = _0, _1
    while child < last:
        key_a, name_a, a = _first_of_two(keys, names, child)
        key_b, name_b, b = _first_of_two(keys, names, child + _2)
        child = b if _before(key_b, name_b, key_a, name_a) else a
        least = key_b if key_b < key_a else key_a
        if key < least or (key == least and name <= names[child]):
            break
        keys[place] = least
        names[place] = names[child]
        place, child = child, (child << _2) + _1
    keys[place] = key
    names[place] = name
    keys[last] = np.inf
    return first, size - 1
