"""Eviction policies that keep their objects in lists: SIEVE, 2Q, ARC.

A list is circular and doubly linked, and its end is one more node: NEWER of the end is the
list's oldest object, OLDER of the end its newest. Of an object, LIST is the end of the list
that it is in; of an end, SIZE is the number of objects there.
The functions are like those of `eviction`.
"""

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.eviction import HIT, NOBODY, note

NEWER, OLDER, LIST, SIZE = 0, 1, 2, 3  # the columns of a node: 16 bytes, one line of the cache
NOWHERE = -1


@compiled
def _empty_lists(objects, lists):
    nodes = np.zeros((objects + lists, 4), np.int32)
    nodes[:objects, LIST] = NOWHERE
    for end in range(objects, objects + lists):
        nodes[end, NEWER] = nodes[end, OLDER] = end
    return nodes


@compiled
def _move(nodes, x, end):
    """Take x out of its list, if it is in one, and make it the newest of another."""
    if nodes[x, LIST] != NOWHERE:
        newer, older = nodes[x, NEWER], nodes[x, OLDER]
        nodes[older, NEWER] = newer
        nodes[newer, OLDER] = older
        nodes[nodes[x, LIST], SIZE] -= 1
    nodes[x, LIST] = end
    if end != NOWHERE:
        newest = nodes[end, OLDER]
        nodes[x, OLDER], nodes[x, NEWER] = newest, end
        nodes[newest, NEWER] = x
        nodes[end, OLDER] = x
        nodes[end, SIZE] += 1


@compiled
def _move_oldest(nodes, end, other_end):
    """Move a list's oldest object to another list; return which that was."""
    oldest = nodes[end, NEWER]
    _move(nodes, oldest, other_end)
    return oldest


@compiled
def sieve_hits(ids, objects, capacity, warmup, left):
    """SIEVE: the hand moves from old to new and takes out the first object not visited.

    Unlike CLOCK it leaves the visited where they are, and new objects go to the queue's head.
    Source: Zhang, Yang, Yue, Vigfusson & Rashmi (2024), algorithm 1.
    """
    nodes = _empty_lists(objects, 1)
    queue = hand = objects
    visited = np.zeros(objects, np.bool_)
    hits = 0
    for now in range(len(ids)):
        x = ids[now]
        if nodes[x, LIST] == queue:
            visited[x] = True
            hits += now >= warmup
            note(left, now, HIT)
            continue
        victim = NOBODY
        if nodes[queue, SIZE] == capacity:
            if hand == queue:
                hand = nodes[queue, NEWER]
            while visited[hand]:
                visited[hand] = False
                hand = nodes[hand, NEWER]
                if hand == queue:
                    hand = nodes[queue, NEWER]
            victim = hand
            hand = nodes[victim, NEWER]
            _move(nodes, victim, NOWHERE)
        note(left, now, victim)
        _move(nodes, x, queue)
    return hits


@compiled
def two_queue_hits(ids, objects, capacity, warmup, left):
    """2Q: new objects pass a FIFO queue; those asked for again soon after it join an LRU one.

    A1in (cached, yields when above capacity/4) and A1out (ids alone, at most capacity/2) are
    FIFO queues, Am is LRU. An id leaves A1out before room is made for its object, as in
    libCacheSim; the paper leaves the order open.
    Source: Johnson & Shasha (1994), "2Q, full version".
    """
    nodes = _empty_lists(objects, 3)
    a1in, a1out, am = objects, objects + 1, objects + 2
    hits = 0
    for now in range(len(ids)):
        x = ids[now]
        found = nodes[x, LIST]
        if found == am:
            _move(nodes, x, am)
        if found in (am, a1in):
            hits += now >= warmup
            note(left, now, HIT)
            continue
        _move(nodes, x, NOWHERE)
        victim = NOBODY
        if nodes[a1in, SIZE] + nodes[am, SIZE] == capacity:
            if nodes[a1in, SIZE] > capacity // 4:
                victim = _move_oldest(nodes, a1in, a1out)
                if nodes[a1out, SIZE] > capacity // 2:
                    _move_oldest(nodes, a1out, NOWHERE)
            else:
                victim = _move_oldest(nodes, am, NOWHERE)
        note(left, now, victim)
        _move(nodes, x, am if found == a1out else a1in)
    return hits


@compiled
def arc_hits(ids, objects, capacity, warmup, left):
    """ARC: a list of objects seen once (T1) and one of those seen more often (T2) share the cache.

    B1 and B2 remember the ids that left T1 and T2, and a request for one of them moves the
    target size of T1. The target and its steps are real numbers, as in libCacheSim; the paper
    does not say how to round them.
    Source: Megiddo & Modha (2003), figure 4.
    """
    nodes = _empty_lists(objects, 4)
    t1, t2, b1, b2 = objects, objects + 1, objects + 2, objects + 3
    target = 0.0
    hits = 0
    for now in range(len(ids)):
        x = ids[now]
        found = nodes[x, LIST]
        if found in (t1, t2):
            hits += now >= warmup
            note(left, now, HIT)
            _move(nodes, x, t2)
            continue
        once, more = nodes[t1, SIZE], nodes[t2, SIZE]
        left_once, left_more = nodes[b1, SIZE], nodes[b2, SIZE]
        replace = once + more == capacity
        victim = NOBODY
        if found == b1:
            target = min(float(capacity), target + max(left_more / left_once, 1.0))
        elif found == b2:
            target = max(0.0, target - max(left_once / left_more, 1.0))
        elif once == capacity:
            victim = _move_oldest(nodes, t1, NOWHERE)
            replace = False
        elif once + left_once == capacity:
            _move_oldest(nodes, b1, NOWHERE)
        elif once + more + left_once + left_more == 2 * capacity:
            _move_oldest(nodes, b2, NOWHERE)
        if replace:
            if once > target or (once == target and once > 0 and found == b2):
                victim = _move_oldest(nodes, t1, b1)
            else:
                victim = _move_oldest(nodes, t2, b2)
        note(left, now, victim)
        _move(nodes, x, t1 if found == NOWHERE else t2)
    return hits
