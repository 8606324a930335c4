"""Belady's optimal eviction: the object that is asked for again last leaves first.

No two objects have their next use at the same request, so the cache is a set of times: a bit
for each request to come whose object is cached. A tree of bits over the words that are not
empty finds the last one.
"""

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.eviction import HIT, NOBODY, note

_WORD = 32  # bits a word


@compiled
def _next_uses(ids, objects):
    """Return when each request's object is asked for next; len(ids) if never."""
    following = np.full(objects, len(ids), np.int32)
    next_use = np.empty(len(ids), np.int32)
    for now in range(len(ids) - 1, -1, -1):
        next_use[now] = following[ids[now]]
        following[ids[now]] = now
    return next_use


@compiled
def _levels(times):
    """Return the offset of each level in the tree's words, the bits over times first."""
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
    """Return the place of a word's highest set bit: the exponent of the double of that value."""
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

    A missed object is always brought in, even if it is never asked for again. Of several that
    are never asked for again the last used leaves.
    Source: Belady (1966).
    """
    next_use = _next_uses(ids, objects)
    never = len(ids)
    offsets = _levels(never)
    tree = np.zeros(offsets[-1] + 1, np.int64)
    room = capacity
    over = np.empty(objects, np.int32)  # cached objects that are never asked for again: no bit
    done = 0  # how many those are
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
