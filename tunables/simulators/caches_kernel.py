"""Ten eviction policies, compiled.

Each function takes ids (numbers below objects, one per request), a capacity from 1 to objects,
a warm-up count and an array `left`, and returns the number of hits among the requests after the
warm-up. What each request did is written into `left` as far as it reaches (it may be empty): HIT,
NOBODY for a miss for which there was room, BYPASSED for a miss that was not brought in, or the
evicted object.
"""

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.draws import integers

NOBODY, HIT, BYPASSED = -1, -2, -3


@compiled
def note(left, now, what):
    """Record what request now did, if there is room."""
    if now < len(left):
        left[now] = what


@compiled
def lru_hits(ids, objects, capacity, warmup, left):
    """LRU: the least recently used object leaves first."""
    return lru_hits_in(np.empty(objects, np.int32), ids, capacity, warmup, left)


@compiled
def lru_hits_in(last_use, ids, capacity, warmup, left):
    """`lru_hits` with a given table over the objects, last_use, to write into.

    The past requests are the queue. A request is stale if its object was requested again later;
    the oldest request that isn't stale belongs to the object that has to leave.
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
    """FIFO: the cache holds the objects that the last capacity misses brought in."""
    brought_in = np.full(objects, -capacity, np.int32)  # number of misses when the object came in
    frames = np.full(capacity, NOBODY, np.int32)  # index: misses modulo the capacity
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
    """MRU: the most recently used object, that of the previous request, leaves first."""
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
    """CLOCK: the hand spares, once, each object requested since it last passed (Corbató 1968)."""
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
    """Random: an eviction empties a uniformly random frame; state: see `draws`."""
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


@compiled
def bypass_hits(ids, objects, capacity, warmup, left):
    """Bypass: a missed object is brought in while there is room, and nothing is ever evicted.

    So no more is admitted than fits; requests for other objects bypass the cache.
    """
    cached = np.zeros(objects, np.bool_)
    room = capacity
    hits = 0
    for now in range(len(ids)):
        x = ids[now]
        if cached[x]:
            hits += now >= warmup
            note(left, now, HIT)
        elif room > 0:
            room -= 1
            cached[x] = True
            note(left, now, NOBODY)
        else:
            note(left, now, BYPASSED)
    return hits


# SIEVE, 2Q and ARC keep their objects in lists. A list is circular and doubly linked, and its end
# is one more node: NEWER of the end is the list's oldest object, OLDER of the end its newest. LIST
# of an object is the end of its list; SIZE of an end is the number of objects in the list.
NEWER, OLDER, LIST, SIZE = 0, 1, 2, 3  # the columns of a node: 16 bytes, a part of one cache line
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
    """Remove x from its list, if it is in one, and make it the newest of another."""
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
    """Move a list's oldest object to another list and return it."""
    oldest = nodes[end, NEWER]
    _move(nodes, oldest, other_end)
    return oldest


@compiled
def sieve_hits(ids, objects, capacity, warmup, left):
    """SIEVE: the hand moves from old to new and evicts the first object not visited.

    Unlike CLOCK it leaves visited objects where they are, and new objects join at the queue's head.
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
    """2Q: new objects pass through a FIFO queue; those requested again soon after join an LRU one.

    A1in (cached, yields when above capacity/4) and A1out (ids only, at most capacity/2) are
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

    B1 and B2 remember the ids that left T1 and T2, and a request for one of these changes the
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


# OPT: no two objects have their next use at the same request, so the cache is a set of times: one
# bit for each future request whose object is cached. A tree of bits over the words that aren't
# empty finds the last one.
_WORD = 32  # bits per word


@compiled
def _next_uses(ids, objects):
    """Return when each request's object is requested next; len(ids) if never."""
    following = np.full(objects, len(ids), np.int32)
    next_use = np.empty(len(ids), np.int32)
    for now in range(len(ids) - 1, -1, -1):
        next_use[now] = following[ids[now]]
        following[ids[now]] = now
    return next_use


@compiled
def _levels(times):
    """Return the offset of each level in the tree's words, the level of times first."""
    offsets = np.zeros(8, np.int64)
    used = 1
    words = (times + _WORD - 1) // _WORD
    while words > 1:
        offsets[used] = offsets[used - 1] + words
        words = (words + _WORD - 1) // _WORD
        used += 1
    return offsets[:used]


@compiled
def _insert(tree, offsets, key):
    for offset in offsets:
        word = offset + key // _WORD
        before = tree[word]
        tree[word] |= 1 << (key % _WORD)
        if before != 0:
            break
        key //= _WORD


@compiled
def _remove(tree, offsets, key):
    for offset in offsets:
        word = offset + key // _WORD
        tree[word] ^= 1 << (key % _WORD)
        if tree[word] != 0:
            break
        key //= _WORD


@compiled
def _highest_bit(word):
    """Return the position of a word's highest set bit: the exponent of its value as a double."""
    return (np.float64(word).view(np.int64) >> 52) - 1023


@compiled
def _last(tree, offsets):
    key = 0
    for level in range(len(offsets) - 1, -1, -1):
        key = key * _WORD + _highest_bit(tree[offsets[level] + key])
    return key


@compiled
def opt_hits(ids, objects, capacity, warmup, left):
    """OPT (MIN): the victim is the cached object whose next use is furthest, or never.

    A missed object is always brought in, even if it is never requested again. Of several objects
    that are never requested again the last used leaves.
    Source: Belady (1966).
    """
    next_use = _next_uses(ids, objects)
    never = len(ids)
    offsets = _levels(never)
    tree = np.zeros(offsets[-1] + 1, np.int64)
    room = capacity
    over = np.empty(objects, np.int32)  # cached objects that are never requested again: no bit
    done = 0  # how many of those there are
    hits = 0
    for now in range(len(ids)):
        if (tree[now // _WORD] >> (now % _WORD)) & 1:
            hits += now >= warmup
            note(left, now, HIT)
            _remove(tree, offsets, now)
        elif room > 0:
            room -= 1
            note(left, now, NOBODY)
        elif done > 0:
            done -= 1
            note(left, now, over[done])
        else:
            furthest = _last(tree, offsets)
            note(left, now, ids[furthest])
            _remove(tree, offsets, furthest)
        if next_use[now] < never:
            _insert(tree, offsets, int(next_use[now]))
        else:
            over[done] = ids[now]
            done += 1
    return hits


KERNELS = {
    "lru": lru_hits,
    "fifo": fifo_hits,
    "clock": clock_hits,
    "random": random_hits,
    "mru": mru_hits,
    "sieve": sieve_hits,
    "arc": arc_hits,
    "2q": two_queue_hits,
    "opt": opt_hits,
    "bypass": bypass_hits,
}
POLICIES = tuple(KERNELS)


@compiled
def policy_hits(policy, ids, objects, capacity, warmup, state, left):
    """Return the hits of a policy, by its index in POLICIES; only "random" uses state.

    The other arguments are those of each policy.
    """
    if policy == 0:
        return lru_hits(ids, objects, capacity, warmup, left)
    if policy == 1:
        return fifo_hits(ids, objects, capacity, warmup, left)
    if policy == 2:
        return clock_hits(ids, objects, capacity, warmup, left)
    if policy == 3:
        return random_hits(ids, objects, capacity, warmup, state, left)
    if policy == 4:
        return mru_hits(ids, objects, capacity, warmup, left)
    if policy == 5:
        return sieve_hits(ids, objects, capacity, warmup, left)
    if policy == 6:
        return arc_hits(ids, objects, capacity, warmup, left)
    if policy == 7:
        return two_queue_hits(ids, objects, capacity, warmup, left)
    if policy == 8:
        return opt_hits(ids, objects, capacity, warmup, left)
    return bypass_hits(ids, objects, capacity, warmup, left)


@compiled
def places_of(ids, left, objects):
    """Return (hit, victim, place) of each request, from what `policy_hits` wrote into left.

    victim: the evicted object, or NOBODY; place: where in the cache the requested object is from
    now on: its victim's place, or the first empty one; NOBODY if the object was not brought in.
    """
    hit, victim, place = np.empty_like(left), np.empty_like(left), np.empty_like(left)
    stands = np.empty(objects, np.int64)
    filled = 0
    for now in range(len(left)):
        x = ids[now]
        hit[now] = left[now] == HIT
        victim[now] = max(left[now], NOBODY)
        if left[now] == BYPASSED:
            place[now] = NOBODY
            continue
        if victim[now] != NOBODY:
            stands[x] = stands[victim[now]]
        elif not hit[now]:
            stands[x] = filled
            filled += 1
        place[now] = stands[x]
    return hit, victim, place
