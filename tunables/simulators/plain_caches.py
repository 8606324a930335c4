"""The same policies and stack distances in readable Python, to hold the compiled ones against.

Each policy is written from its paper and yields whether each request of the trace is a hit.
Queues are ordered dictionaries, oldest first.
"""

from collections import OrderedDict

import numpy as np

from tunables.simulators.plain_lists import arc, sieve, two_queue


def _one_queue(trace, capacity, renew, newest_leaves):
    queue: OrderedDict = OrderedDict()
    for x in trace:
        yield x in queue
        if x in queue:
            if renew:
                queue.move_to_end(x)
            continue
        if len(queue) == capacity:
            queue.popitem(last=newest_leaves)
        queue[x] = None


def fifo(trace, capacity):
    """Belady (1966)."""
    return _one_queue(trace, capacity, renew=False, newest_leaves=False)


def lru(trace, capacity):
    """Mattson, Gecsei, Slutz & Traiger (1970)."""
    return _one_queue(trace, capacity, renew=True, newest_leaves=False)


def mru(trace, capacity):
    """Chou & DeWitt (1985)."""
    return _one_queue(trace, capacity, renew=True, newest_leaves=True)


def clock(trace, capacity):
    """Corbató (1968) as a queue: an object referenced since it joined goes to its end again."""
    referenced: OrderedDict = OrderedDict()
    for x in trace:
        yield x in referenced
        if x in referenced:
            referenced[x] = True
            continue
        while len(referenced) == capacity:
            oldest, spare = referenced.popitem(last=False)
            if spare:
                referenced[oldest] = False
        referenced[x] = False


def random(trace, capacity, seed=0):
    """One of the frames at random is emptied; they fill from the last to the first."""
    trace = list(trace)
    draws = np.random.default_rng(seed).integers(capacity, size=len(trace), dtype=np.int32)
    draw = iter(draws.tolist())
    frames = [None] * capacity
    room = capacity
    for x in trace:
        yield x in frames
        if x not in frames:
            room -= 1
            frames[room if room >= 0 else next(draw)] = x


def opt(trace, capacity):
    """Belady (1966): the victim's next use is furthest, or never."""
    trace = list(trace)
    cached: set = set()
    for now, x in enumerate(trace):
        yield x in cached
        if x not in cached and len(cached) == capacity:
            to_come = trace[now + 1 :]
            waits = {y: to_come.index(y) if y in to_come else len(trace) for y in cached}
            cached.remove(max(waits, key=waits.__getitem__))
        cached.add(x)


PLAIN = {
    "lru": lru,
    "fifo": fifo,
    "clock": clock,
    "random": random,
    "mru": mru,
    "sieve": sieve,
    "arc": arc,
    "2q": two_queue,
    "opt": opt,
}


def plain_stack_distances(trace):
    """Return each request's depth in a list with the last used first (1-based), 0 if absent."""
    stack: list = []
    distances = []
    for x in trace:
        distances.append(stack.index(x) + 1 if x in stack else 0)
        if x in stack:
            stack.remove(x)
        stack.insert(0, x)
    return distances
