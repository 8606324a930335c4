"""A compiled heap of events: smallest key first, equal keys by name, four children per node.

A heap is two arrays, keys and names, made by `new_heap`, and its size, which `push` and `pop`
return. keys[0] is the smallest key, or inf if the heap is empty. Four children per node make fewer
levels than two, and each level costs about one mispredicted branch.
"""

import numpy as np

from tunables.simulators.compiled import compiled


@compiled
def new_heap(capacity):
    """Return the arrays of an empty heap for at most capacity entries."""
    # The entries are followed by inf, so that a node always has four children to compare.
    return np.full(capacity + 4, np.inf), np.empty(capacity + 4, np.int64)


@compiled
def _before(keys, names, one, other):
    """Return whether the entry at one place leaves before the entry at the other."""
    if keys[one] == keys[other]:  # rare: the other comparison needs no branch
        return names[one] < names[other]
    return keys[one] < keys[other]


@compiled
def push(keys, names, size, key, name):
    """Add an entry to a heap of the given size; return the new size."""
    place = size
    while place > 0:
        parent = (place - 1) >> 2
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
    size -= 1
    key = keys[size]
    name = names[size]
    place = 0
    while 4 * place + 1 < size:
        a = 4 * place + 1
        b = a + 2
        a += _before(keys, names, a + 1, a)
        b += _before(keys, names, b + 1, b)
        child = b if _before(keys, names, b, a) else a
        if key < keys[child] or (key == keys[child] and name <= names[child]):
            break
        keys[place] = keys[child]
        names[place] = names[child]
        place = child
    keys[place] = key
    names[place] = name
    keys[size] = np.inf
    return first, size
