"""Eviction policies that need no more than a table over the objects and a queue.

Each function takes ids (numbers below objects, one a request), a capacity from 1 to objects,
a warm-up count and an array `left`, and returns the hits among the requests after the warm-up.
What each request did goes into `left`, as far as that reaches (it may be empty): HIT, NOBODY for
a miss for which there was room, or the object that left for it.
"""

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.draws import integers

NOBODY, HIT = -1, -2


@compiled
def note(left, now, what):
    """Keep what request now did, if there is room."""
    if now < len(left):
        left[now] = what


@compiled
def lru_hits(ids, objects, capacity, warmup, left):
    """Least recently used leaves first."""
    return lru_hits_in(np.empty(objects, np.int32), ids, capacity, warmup, left)


@compiled
def lru_hits_in(last_use, ids, capacity, warmup, left):
    """`lru_hits` with a table over the objects, last_use, to write into.

    The past requests are the queue. One of them is stale if its object was asked for again;
    the oldest that is not stale belongs to the object that has to leave.
    """
    for x in range(len(last_use)):
        last_use[x] = -1
    oldest = 0  # an object is cached if its last use is not before this
    room = capacity
    hits = 0
    for now in range(len(ids)):
        x = ids[now]
        hit = last_use[x] >= oldest
        last_use[x] = now
        if hit:
            hits += now >= warmup
            note(left, now, HIT)
        elif room > 0:
            room -= 1
            note(left, now, NOBODY)
        else:
            while last_use[ids[oldest]] != oldest:
                oldest += 1
            note(left, now, ids[oldest])
            oldest += 1
    return hits


@compiled
def fifo_hits(ids, objects, capacity, warmup, left):
    """First in, first out: cached are the objects that the last capacity misses brought in."""
    brought_in = np.full(objects, -capacity, np.int32)  # the misses when the object came in
    frames = np.full(capacity, NOBODY, np.int32)  # its turn: misses modulo the capacity
    misses = 0
    hand = 0
    hits = 0
    for now in range(len(ids)):
        x = ids[now]
        if misses - brought_in[x] < capacity:
            hits += now >= warmup
            note(left, now, HIT)
            continue
        misses += 1
        brought_in[x] = misses
        note(left, now, frames[hand])
        frames[hand] = x
        hand = hand + 1 if hand + 1 < capacity else 0
    return hits


@compiled
def mru_hits(ids, objects, capacity, warmup, left):
    """Most recently used leaves first: the object of the request before."""
    cached = np.zeros(objects, np.bool_)
    room = capacity
    hits = 0
    for now in range(len(ids)):
        x = ids[now]
        if cached[x]:
            hits += now >= warmup
            note(left, now, HIT)
            continue
        if room > 0:
            room -= 1
            note(left, now, NOBODY)
        else:
            cached[ids[now - 1]] = False
            note(left, now, ids[now - 1])
        cached[x] = True
    return hits


@compiled
def clock_hits(ids, objects, capacity, warmup, left):
    """The hand spares each object asked for since it last came by (Corbató 1968), once."""
    absent, present, referenced = 0, 1, 2
    state = np.zeros(objects, np.int8)
    frames = np.full(capacity, NOBODY, np.int32)
    room = capacity
    hand = 0
    hits = 0
    for now in range(len(ids)):
        x = ids[now]
        if state[x] != absent:
            state[x] = referenced
            hits += now >= warmup
            note(left, now, HIT)
            continue
        if room > 0:
            room -= 1
        else:
            while state[frames[hand]] == referenced:
                state[frames[hand]] = present
                hand = (hand + 1) % capacity
            state[frames[hand]] = absent
        note(left, now, frames[hand])
        frames[hand] = x
        state[x] = present
        hand = (hand + 1) % capacity
    return hits


@compiled
def random_hits(ids, objects, capacity, warmup, state, left):
    """An eviction empties a frame at random, uniform over the frames; state: see `draws`."""
    cached = np.zeros(objects, np.bool_)
    frames = np.full(capacity, NOBODY, np.int32)
    room = capacity
    hits = 0
    for now in range(len(ids)):
        x = ids[now]
        if cached[x]:
            hits += now >= warmup
            note(left, now, HIT)
            continue
        if room > 0:
            room -= 1
            frame = room
        else:
            frame = integers(state, capacity)
            cached[frames[frame]] = False
        note(left, now, frames[frame])
        frames[frame] = x
        cached[x] = True
    return hits
