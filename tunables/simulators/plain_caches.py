"""The same policies and stack distances in readable Python, to hold the compiled ones against.

Each policy is written from its paper and yields whether each request of the trace is a hit;
its twin in DONE yields what each request did, as in `eviction`.
Queues are ordered dictionaries, oldest first.
"""

from collections import OrderedDict

import numpy as np

from tunables.simulators.eviction import HIT, NOBODY
from tunables.simulators.plain_lists import arc, hits_of, sieve, two_queue


def _one_queue(trace, capacity, renew, newest_leaves):
    queue: OrderedDict = OrderedDict()
    for x in trace:
        if x in queue:
            yield HIT
            if renew:
                queue.move_to_end(x)
            continue
        full = len(queue) == capacity
        yield queue.popitem(last=newest_leaves)[0] if full else NOBODY
        queue[x] = None


@hits_of
def fifo(trace, capacity):
    """Belady (1966)."""
    return _one_queue(trace, capacity, renew=False, newest_leaves=False)


@hits_of
def lru(trace, capacity):
    """Mattson, Gecsei, Slutz & Traiger (1970)."""
    return _one_queue(trace, capacity, renew=True, newest_leaves=False)


@hits_of
def mru(trace, capacity):
    """Chou & DeWitt (1985)."""
    return _one_queue(trace, capacity, renew=True, newest_leaves=True)


@hits_of
def clock(trace, capacity):
    """Corbató (1968) as a queue: an object referenced since it joined goes to its end again."""
    referenced: OrderedDict = OrderedDict()
    for x in trace:
        if x in referenced:
            yield HIT
            referenced[x] = True
            continue
        victim = NOBODY
        while len(referenced) == capacity:
            oldest, spare = referenced.popitem(last=False)
            if spare:
                referenced[oldest] = False
            else:
                victim = oldest
        yield victim
        referenced[x] = False


@hits_of
def random(trace, capacity, seed=0):
    """One of the frames at random is emptied; they fill from the last to the first."""
    trace = list(trace)
    draws = np.random.default_rng(seed).integers(capacity, size=len(trace), dtype=np.int32)
    draw = iter(draws.tolist())
    frames = [NOBODY] * capacity
    room = capacity
    for x in trace:
        if x in frames:
            yield HIT
            continue
        room -= 1
        frame = room if room >= 0 else next(draw)
        yield frames[frame]
        frames[frame] = x


@hits_of
def opt(trace, capacity):
    """Belady (1966): the victim's next use is furthest, or never; of those the last used."""
    trace = list(trace)
    cached: list = []  # the last used first
    for now, x in enumerate(trace):
        if x in cached:
            yield HIT
            cached.remove(x)
        elif len(cached) == capacity:
            to_come = trace[now + 1 :]
            waits = {y: to_come.index(y) if y in to_come else len(trace) for y in cached}
            victim = max(waits, key=waits.__getitem__)
            yield victim
            cached.remove(victim)
        else:
            yield NOBODY
        cached.insert(0, x)


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
DONE = {name: policy.__wrapped__ for name, policy in PLAIN.items()}


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
