"""A binary heap of events in two arrays that the caller owns; compiled.

The earliest time comes first, and of equal times the least item, so that a simulation does not
depend on the order in which events were pushed.
"""

from tunables.simulators.compiled import compiled


@compiled
def push(times, items, size, time, item):
    """Add an event to a heap of the given size; return its new size."""
    place = size
    while place > 0:
        parent = (place - 1) // 2
        if times[parent] < time or (times[parent] == time and items[parent] <= item):
            break
        times[place], items[place] = times[parent], items[parent]
        place = parent
    times[place], items[place] = time, item
    return size + 1


@compiled
def pop(times, items, size):
    """Take the first event, whose time is times[0], out of the heap; return item and new size."""
    first = items[0]
    size -= 1
    time, item = times[size], items[size]
    place = 0
    child = 1
    while child < size:
        right = child + 1
        if right < size and (
            times[right] < times[child]
            or (times[right] == times[child] and items[right] < items[child])
        ):
            child = right
        if time < times[child] or (time == times[child] and item <= items[child]):
            break
        times[place], items[place] = times[child], items[child]
        place = child
        child = 2 * place + 1
    times[place], items[place] = time, item
    return first, size
