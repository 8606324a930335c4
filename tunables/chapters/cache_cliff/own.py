"""Chapter 3 with a reader's own key trace: independent requests with a scan among them."""

import numpy as np

from tunables.chapters.cache_cliff.own_fit import (
    BRING,
    COLUMNS,
    FEWEST_REQUESTS,
    MODEL,
    capacities,
    solved,
    told,
)
from tunables.chapters.cache_cliff.own_traffic import FEWEST_INTERVALS
from tunables.parts.fit import Fit, Wanted
from tunables.parts.key_words import HEADER_WORDS
from tunables.parts.text import delimiter_of, rows_of, text_of
from tunables.parts.trace import read_keys
from tunables.plain.arguments import text
from tunables.plain.own.words import listed, refuse, shown
from tunables.simulators.stack import stack_distances

_MOST_DIGITS = 10  # of a column's number


def _column(line, first, wished):
    """Return the column of the keys, as `read_keys` takes it: a name, an index, or None."""
    if wished is not None:
        if text("column", wished) in first:
            return wished
        if wished.isdecimal() and len(wished) < _MOST_DIGITS and int(wished) < len(first):
            return int(wished)
        refuse(line, f"the columns found are {listed(first)}; none is {shown(repr(wished))}")
    if len(first) == 1:
        return None
    named = [cell for cell in first if cell.lower() in HEADER_WORDS]
    if len(named) != 1:
        refuse(
            line,
            f"the columns found are {listed(first)}; wanted is one of the name key "
            f"(or {', '.join(sorted(HEADER_WORDS - {'key'}))}): choose it, --column NAME",
        )
    return named[0]


def read_trace(source, column=None) -> np.ndarray:
    """Return the requests of a trace as ids; a column is found by its heading (key, url, ...).

    column: the heading of another, or its number from 0, as text.
    Raises ValueError for what `read_keys` refuses, for a column that is not there, and for
    several columns of which not exactly one is called as a key is.
    """
    lines = text_of(source)
    delimiter = delimiter_of(lines)
    line, first = next(rows_of(lines, delimiter, "keys"))
    ids = read_keys(lines + "\n", _column(line, first, column), delimiter).ids
    if len(ids) < FEWEST_REQUESTS:
        raise ValueError(
            f"{len(ids)} requests are too few: this fit needs at least {FEWEST_REQUESTS}"
        )
    return ids


def _gaps(ids, count):
    """Return [count, sum of gaps, sum of squares] of each key that is asked for often."""
    order = np.argsort(ids, kind="stable")
    gaps = np.diff(order)
    same = ids[order][1:] == ids[order][:-1]
    keys, gaps = ids[order][1:][same], gaps[same].astype(float)
    sums = [np.bincount(keys, gaps**power, len(count)) for power in (1, 2)]
    return np.column_stack([count, *sums])[count > FEWEST_INTERVALS].tolist()


def counted(ids) -> dict:
    """Return what `solved` takes: the first half of a trace counted, and the second measured."""
    split = len(ids) // 2
    first, count = ids[:split], np.bincount(ids[:split])
    values, number = np.unique(count[count > 0], return_counts=True)
    depths = stack_distances(ids)[split:]
    at = capacities(int(number.sum()))
    return {
        "requests": split,
        "counts": np.column_stack([values, number]).tolist(),
        "often": _gaps(first, count),
        "new": float(np.mean(~np.isin(ids[split:], first))),
        "measured": [[c, float(np.mean((depths == 0) | (depths > c)))] for c in at],
    }


def fit_key_trace(source, column=None) -> Fit:
    """Learn the traffic from the first half of a trace; predict LRU's misses in the second.

    Held out: the exact miss ratio of the second half (stack distances, the cache warmed by
    the first) at ten capacities, 5 %, 15 %, ..., 95 % of the keys.
    Raises ValueError as `read_trace` does.
    """
    return told(solved(counted(read_trace(source, column))))


WANTED = Wanted(fit_key_trace, MODEL, BRING, COLUMNS)
