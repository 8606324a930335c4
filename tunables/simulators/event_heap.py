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
def _before(keys, names, one, other):
    """Return whether the entry at one place leaves before the entry at the other."""
    same = keys[one] == keys[other]  # `and` would branch
    return (keys[one] < keys[other]) | (same & (names[one] < names[other]))


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
        a = child + _U(_before(keys, names, child + _1, child))
        b = child + _2
        b += _U(_before(keys, names, b + _1, b))
        child = b if _before(keys, names, b, a) else a
        if key < keys[child] or (key == keys[child] and name <= names[child]):
            break
        keys[place] = keys[child]
        names[place] = names[child]
        place, child = child, (child << _2) + _1
    keys[place] = key
    names[place] = name
    keys[last] = np.inf
    return first, size - 1
