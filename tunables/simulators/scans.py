"""Scans over all objects, one after the other, in the order that a collector takes; compiled."""

from tunables.simulators.compiled import compiled
from tunables.simulators.draws import shuffle

CYCLIC, ZIGZAG, SHUFFLED = range(3)


@compiled
def fill_with_scans(requests, objects, order, state):
    """Fill an array of a whole number of scans with the objects 0, 1, ..., objects - 1 of each.

    order: CYCLIC, ZIGZAG (every second scan reversed) or SHUFFLED (a fresh random order each
    scan, drawn from state: see `draws`).
    """
    for begin in range(0, len(requests), objects):
        back = order == ZIGZAG and (begin // objects) % 2 == 1
        for x in range(objects):
            requests[begin + x] = objects - 1 - x if back else x
        if order == SHUFFLED:
            shuffle(state, requests[begin : begin + objects])
