"""A pool of threads, first come, first served, compiled.

A pool is an array: free threads, clients who wait, and then who they are, the longest first.
"""

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.event_heap import push

_FREE, _WAITING, _QUEUE = range(3)


@compiled
def new_pools(first, second, clients):
    """Return two pools of so many threads, for so many clients."""
    pools = np.zeros((2, _QUEUE + clients), np.int64)
    pools[0, _FREE], pools[1, _FREE] = first, second
    return pools


@compiled
def enter(pool, client):
    """Take a thread of the pool, or stand in its queue and return False."""
    if pool[_FREE] > 0:
        pool[_FREE] -= 1
        return True
    pool[_QUEUE + pool[_WAITING]] = client
    pool[_WAITING] += 1
    return False


@compiled
def leave(pool, events, size, now):
    """Give the thread back, or to the first in the queue, who goes on now.

    Returns the new size of the heap of events.
    """
    if pool[_WAITING] == 0:
        pool[_FREE] += 1
        return size
    size = push(*events, size, now, pool[_QUEUE])
    pool[_WAITING] -= 1
    for place in range(_QUEUE, _QUEUE + pool[_WAITING]):
        pool[place] = pool[place + 1]
    return size
