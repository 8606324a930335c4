"""LRU stack distances of a trace, and from them its miss ratio at every capacity.

Mattson, Gecsei, Slutz & Traiger (1970): an LRU cache of capacity C holds the top C objects of
one stack, so a request hits exactly if its object is at depth C or less. The depth is the number
of distinct objects requested since then, including itself. It is counted on a line of bits in
order of time, one bit for the last request of each object, with a Fenwick tree (1994) over the
counts per word. When the line is full, its set bits move to its start, which keeps it short
enough for the processor's cache.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tunables.simulators.arrays import Floats
from tunables.simulators.compiled import compiled
from tunables.simulators.halves import both, is_halved, of_halves
from tunables.simulators.object_ids import number_objects

_WORD = 32  # bits per word


@compiled
def _bit_count(word):
    """Return the number of set bits (the compiler turns these lines into one instruction)."""
    word = word - ((word >> 1) & 0x5555555555555555)
    word = (word & 0x3333333333333333) + ((word >> 2) & 0x3333333333333333)
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((word * 0x0101010101010101) >> 56) & 0xFF


@compiled
def _add(tree, word, count):
    """Add count to a word's number of bits."""
    node = word + 1
    while node < len(tree):
        tree[node] += count
        node += node & -node


@compiled
def _count_before(tree, word):
    """Return the number of bits in the words before this one."""
    count = 0
    while word > 0:
        count += tree[word]
        word &= word - 1
    return count


@compiled
def _move_up(places, words, tree):
    """Close the gaps between set bits; return their number, which is the next free place."""
    before = np.zeros(len(words) + 1, np.int32)
    for word in range(len(words)):
        before[word + 1] = before[word] + _bit_count(int(words[word]))
    for x in range(len(places)):
        place = int(places[x])
        if place >= 0:
            lower = int(words[place // _WORD]) & ((1 << (place % _WORD)) - 1)
            places[x] = before[place // _WORD] + _bit_count(lower)
    live = int(before[-1])
    words[:] = 0
    tree[:] = 0
    for word in range(live // _WORD):
        words[word] = 0xFFFFFFFF
        _add(tree, word, _WORD)
    words[live // _WORD] = (1 << (live % _WORD)) - 1
    return live


@compiled
def _empty_line(objects, length):
    """Return the words, the tree and the objects' places of an empty line of length places."""
    words = np.zeros(length // _WORD + 1, np.uint32)
    tree = np.zeros(len(words) + 1, np.int32)  # the word being filled is not in it yet
    return words, tree, np.full(objects, -1, np.int32)


@compiled
def _measure(ids, words, tree, places, depths):
    """Fill depths with the stack distances; return the number of objects now in the line."""
    length = (len(words) - 1) * _WORD
    free = live = 0
    for now in range(len(ids)):
        x = ids[now]
        if free == length:
            free = _move_up(places, words, tree)
        elif free % _WORD == 0 and free > 0:
            _add(tree, free // _WORD - 1, _bit_count(int(words[free // _WORD - 1])))
        place = int(places[x])
        if place < 0:
            depths[now] = 0
            live += 1
        else:
            word = place // _WORD
            bit = 1 << (place % _WORD)
            bits = int(words[word])
            depths[now] = live - _count_before(tree, word) - _bit_count(bits & (bit - 1))
            words[word] = bits ^ bit
            if word < free // _WORD:
                _add(tree, word, -1)
        places[x] = free
        words[free // _WORD] |= 1 << (free % _WORD)
        free += 1
    return live


@compiled
def _depths(ids, objects, length, depths):
    """Fill depths with the stack distance of each request; the line has length places."""
    words, tree, places = _empty_line(objects, length)
    _measure(ids, words, tree, places, depths)
    return depths


@compiled
def _join(ids, words, tree, places, live, depths):
    """Correct the depths of a second half, which was measured as if nothing came before it.

    An object's first request in it reaches back into the first half, whose line is given. It is
    as deep as the objects since its last request there that were not seen again, and those seen
    in the second half so far. An object that is seen again leaves the line.
    """
    seen = 0
    for now in range(len(ids)):
        if depths[now] > 0:
            continue
        place = int(places[ids[now]])
        if place >= 0:
            word = place // _WORD
            bit = 1 << (place % _WORD)
            bits = int(words[word])
            before = _count_before(tree, word) + _bit_count(bits & (bit - 1))
            depths[now] = seen + live - before
            words[word] = bits ^ bit
            _add(tree, word, -1)
            live -= 1
        seen += 1


def _depths_in_halves(ids, objects, length, depths):
    """Do the same as `_depths`, on two threads (Niu, Dinan, Lu & Sadayappan 2012)."""
    middle = len(ids) // 2
    words, tree, places = _empty_line(objects, length)
    live, _ = both(
        lambda: _measure(ids[:middle], words, tree, places, depths[:middle]),
        lambda: _depths(ids[middle:], objects, length, depths[middle:]),
    )
    _join(ids[middle:], words, tree, places, live, depths[middle:])
    return depths


@compiled
def _count_depths(depths, counts):
    """Count the requests at each depth."""
    for now in range(len(depths)):
        counts[depths[now]] += 1
    return counts


def stack_distances(trace: ArrayLike) -> NDArray[np.int32]:
    """Return the LRU stack distance of each request.

    1 for the object requested last, 2 for the one before it, and so on; 0 for an object's
    first request (cold: no capacity hits it). Shape (requests,), int32.
    Raises ValueError unless trace is a one-dimensional, non-empty sequence of whole numbers.
    Source: Mattson, Gecsei, Slutz & Traiger (1970).

    >>> stack_distances([ord(letter) for letter in "abcbacda"])
    array([0, 0, 0, 2, 3, 3, 0, 3], dtype=int32)
    """
    ids, objects = number_objects(trace)
    length = max(64, 4 * objects // _WORD) * _WORD
    measure = _depths_in_halves if is_halved(len(ids)) else _depths
    return measure(ids, objects, length, np.empty(len(ids), dtype=np.int32))


def miss_ratio_curve(trace: ArrayLike) -> Floats:
    """Return LRU's miss ratio at each capacity 0, 1, ..., number of distinct objects.

    Entry C is 1 - (requests at depth 1 to C)/requests; a larger cache has the last ratio.
    Shape (distinct objects + 1,). One pass over the trace.
    Errors and source as in `stack_distances`.

    >>> miss_ratio_curve([1, 2, 3, 4, 1, 2, 5, 1, 2, 3, 4, 5]) * 12
    array([12., 12., 12., 10.,  8.,  5.])
    """
    depths = stack_distances(trace)
    cold = int(np.sum(of_halves(lambda half: np.count_nonzero(half == 0), depths)))
    counts = of_halves(lambda half: _count_depths(half, np.zeros(cold + 1, np.int64)), depths)
    at_depth = np.sum(counts, axis=0)
    at_depth[0] = 0
    return (len(depths) - np.cumsum(at_depth)) / len(depths)
