"""A calendar of events on two arrays, compiled: the earliest time first, then the least item."""

import numpy as np

from tunables.simulators.compiled import compiled


@compiled
def calendar(capacity):
    """Return empty arrays of times and items for at most capacity events."""
    return np.empty(capacity), np.empty(capacity, np.int64)


@compiled
def push(times, items, size, time, item):
    """Add an event to a calendar of the given size, and return the new size."""
    place = size
    while place > 0:
        parent = (place - 1) // 2
        if times[parent] < time or (times[parent] == time and items[parent] < item):
            break
        times[place], items[place] = times[parent], items[parent]
        place = parent
    times[place], items[place] = time, item
    return size + 1


@compiled
def pop(times, items, size):
    """Remove the first event, which stands at index 0, and return the new size."""
    size -= 1
    time, item = times[size], items[size]
    place = 0
    while True:
        child = 2 * place + 1
        if child >= size:
            break
        right = child + 1
        if right < size and (
            times[right] < times[child]
            or (times[right] == times[child] and items[right] < items[child])
        ):
            child = right
        if time < times[child] or (time == times[child] and item < items[child]):
            break
        times[place], items[place] = times[child], items[child]
        place = child
    times[place], items[place] = time, item
    return size
