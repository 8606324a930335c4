"""A heap of events, smallest key first, with four children a node; compiled.

A heap is two arrays, keys and names, made by `new_heap`, and its size, which `push` and `pop`
return. keys[0] is the smallest key, or inf if there is none. Four children make fewer levels
than two, and a level costs about one mispredicted branch.
"""

import numpy as np

from tunables.simulators.compiled import compiled


@compiled
def new_heap(capacity):
    """Return the arrays of a heap of at most capacity entries; its size is 0."""
    # Behind the entries stands inf, so that a node always has four children to compare.
    return np.full(capacity + 4, np.inf), np.empty(capacity + 4, np.int64)


@compiled
def push(keys, names, size, key, name):
    """Add an entry to a heap of that size; return the new size."""
    place = size
    while place > 0:
        parent = (place - 1) >> 2
        if keys[parent] <= key:
            break
        keys[place] = keys[parent]
        names[place] = names[parent]
        place = parent
    keys[place] = key
    names[place] = name
    return size + 1


@compiled
def pop(keys, names, size):
    """Take the first entry out of a heap of that size; return its name and the new size."""
    first = names[0]
    size -= 1
    key = keys[size]
    name = names[size]
    place = 0
    while 4 * place + 1 < size:
        a = 4 * place + 1
        b = a + 2
        a += keys[a + 1] < keys[a]
        b += keys[b + 1] < keys[b]
        child = b if keys[b] < keys[a] else a
        if key <= keys[child]:
            break
        keys[place] = keys[child]
        names[place] = names[child]
        place = child
    keys[place] = key
    names[place] = name
    keys[size] = np.inf
    return first, size
