"""Eviction policies that need no more than a table over the objects and a queue.

Each function takes ids (numbers below objects, one a request), a capacity from 1 to objects,
and a warm-up count, and returns the hits among the requests after the warm-up.
"""

import numpy as np

from tunables.simulators.compiled import compiled


@compiled
def lru_hits(ids, objects, capacity, warmup):
    """Least recently used leaves first.

    The past requests are the queue. One of them is stale if its object was asked for again;
    the oldest that is not stale belongs to the object that has to leave.
    """
    last_use = np.full(objects, -1, np.int32)
    oldest = 0  # an object is cached if its last use is not before this
    room = capacity
    hits = 0
    for now in range(len(ids)):
        x = ids[now]
        hit = last_use[x] >= oldest
        last_use[x] = now
        if hit:
            hits += now >= warmup
        elif room > 0:
            room -= 1
        else:
            while last_use[ids[oldest]] != oldest:
                oldest += 1
            oldest += 1
    return hits


@compiled
def fifo_hits(ids, objects, capacity, warmup):
    """First in, first out: cached are the objects that the last capacity misses brought in."""
    brought_in = np.full(objects, -capacity, np.int32)  # the misses when the object came in
    misses = 0
    hits = 0
    for now in range(len(ids)):
        x = ids[now]
        if misses - brought_in[x] < capacity:
            hits += now >= warmup
        else:
            misses += 1
            brought_in[x] = misses
    return hits


@compiled
def mru_hits(ids, objects, capacity, warmup):
    """Most recently used leaves first: the object of the request before."""
    cached = np.zeros(objects, np.bool_)
    room = capacity
    hits = 0
    for now in range(len(ids)):
        x = ids[now]
        if cached[x]:
            hits += now >= warmup
            continue
        if room > 0:
            room -= 1
        else:
            cached[ids[now - 1]] = False
        cached[x] = True
    return hits


@compiled
def clock_hits(ids, objects, capacity, warmup):
    """The hand spares each object asked for since it last came by (Corbató 1968), once."""
    absent, present, referenced = 0, 1, 2
    state = np.zeros(objects, np.int8)
    frames = np.empty(capacity, np.int32)
    room = capacity
    hand = 0
    hits = 0
    for now in range(len(ids)):
        x = ids[now]
        if state[x] != absent:
            state[x] = referenced
            hits += now >= warmup
            continue
        if room > 0:
            room -= 1
        else:
            while state[frames[hand]] == referenced:
                state[frames[hand]] = present
                hand = (hand + 1) % capacity
            state[frames[hand]] = absent
        frames[hand] = x
        state[x] = present
        hand = (hand + 1) % capacity
    return hits


@compiled
def random_hits(ids, objects, capacity, warmup, frame_draws):
    """The k-th eviction empties the frame that the k-th draw names, uniform over the frames."""
    cached = np.zeros(objects, np.bool_)
    frames = np.empty(capacity, np.int32)
    room = capacity
    evictions = 0
    hits = 0
    for now in range(len(ids)):
        x = ids[now]
        if cached[x]:
            hits += now >= warmup
            continue
        if room > 0:
            room -= 1
            frame = room
        else:
            frame = frame_draws[evictions]
            evictions += 1
            cached[frames[frame]] = False
        frames[frame] = x
        cached[x] = True
    return hits
