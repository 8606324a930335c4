"""Chapter 7's compiled functions: reads of rows by a database with a page cache.

The page calls them as WebAssembly.
"""

import numpy as np

from tunables.simulators.caches_kernel import HIT, lru_hits
from tunables.simulators.compiled import compiled
from tunables.simulators.draws import new_state, shuffle

MOST_LEVELS = 32


@compiled
def tree_of(rows, per_leaf, fanout):
    """Return how many pages each level of the tree has, from the leaves up to the root.

    A tree of one leaf has no other level. Shape (levels,).

    >>> tree_of(1000, 1, 113)
    array([1000,    9,    1])
    """
    pages = np.empty(MOST_LEVELS, np.int64)
    count, levels = (rows + per_leaf - 1) // per_leaf, 0
    pages[0] = count
    while count > 1 and levels + 1 < MOST_LEVELS:
        count = (count + fanout - 1) // fanout
        levels += 1
        pages[levels] = count
    return pages[: levels + 1].copy()


@compiled
def page_trace(seed, rows, per_leaf, fanout, overflow, passes):
    """Return the pages that the reads ask for, one after the other: root, ..., leaf, overflow.

    Each pass reads every row once, in a random order. Page numbers begin at 0 with the leaves,
    then come the upper levels, then the overflow pages, row by row.
    Shape (passes * rows * pages of a read,).

    >>> page_trace(1, 2, 1, 113, 2, 1)
    array([2, 0, 3, 4, 2, 1, 5, 6], dtype=int32)
    """
    state, tree = new_state(seed), tree_of(rows, per_leaf, fanout)
    order = np.empty(passes * rows, np.int64)
    for begin in range(0, len(order), rows):
        turn = order[begin : begin + rows]
        for i in range(rows):
            turn[i] = i
        shuffle(state, turn)
    levels, first = len(tree), np.zeros(len(tree) + 1, np.int64)
    for level in range(levels):
        first[level + 1] = first[level] + tree[level]
    width = levels + overflow
    ids = np.empty(len(order) * width, np.int32)
    for i in range(len(order)):
        row, at = order[i], i * width
        place = row // per_leaf
        for level in range(levels):
            ids[at + levels - 1 - level] = first[level] + place
            place //= fanout
        for k in range(overflow):
            ids[at + levels + k] = first[levels] + row * overflow + k
    return ids


@compiled
def page_reads(seed, rows, per_leaf, fanout, overflow, capacity):
    """Return how many pages a read finds missing from an LRU cache, on average over a second pass.

    The first pass fills the cache, which holds capacity pages. Arguments: see `page_trace`.
    """
    ids = page_trace(seed, rows, per_leaf, fanout, overflow, 2)
    warmup, pages = len(ids) // 2, 0
    for i in range(len(ids)):
        pages = max(pages, ids[i] + 1)
    hits = lru_hits(ids, pages, min(capacity, pages), warmup, np.empty(0, np.int64))
    return (len(ids) - warmup - hits) / rows


@compiled
def trace(seed, rows, per_leaf, fanout, overflow, capacity, shown):
    """Return the pages that the last reads of a second pass ask for, and whether each is cached.

    shown: how many reads, at most rows. Other arguments: see `page_reads`.
    """
    ids = page_trace(seed, rows, per_leaf, fanout, overflow, 2)
    pages = 0
    for i in range(len(ids)):
        pages = max(pages, ids[i] + 1)
    left = np.empty(len(ids), np.int64)
    lru_hits(ids, pages, min(capacity, pages), 0, left)
    count = shown * (len(ids) // (2 * rows))
    first = len(ids) - count
    hit = np.empty(count, np.int32)
    for i in range(count):
        hit[i] = left[first + i] == HIT
    return ids[first:].copy(), hit
