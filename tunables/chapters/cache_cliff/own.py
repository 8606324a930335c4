"""Chapter 3's fit to a user's key trace: reads the trace and counts it."""

import numpy as np

from tunables.base.arguments import text
from tunables.base.user_data.columns import HEADER_WORDS, join_names, refuse, shorten
from tunables.chapters.cache_cliff.fit import (
    BRING,
    COLUMNS,
    FEWEST_INTERVALS,
    FEWEST_REQUESTS,
    MODEL,
    capacities,
    report,
    solve,
)
from tunables.core.fit import Fit, FitRequest
from tunables.core.logs import as_table
from tunables.core.reading import delimiter_of, rows_of, text_of
from tunables.core.trace import read_keys
from tunables.simulators.stack import stack_distances

NEAR = 0.01  # a miss ratio this close to the least one is as good
_MOST_DIGITS = 10  # in the number of a column


def _key_column(line, first, column):
    """Return the column of the keys as `read_keys` takes it: a name, an index, or None."""
    if column is not None:
        if text("column", column) in first:
            return column
        if column.isdecimal() and len(column) < _MOST_DIGITS and int(column) < len(first):
            return int(column)
        refuse(
            line,
            f"the columns found are {join_names(first)}; none is called "
            f"{shorten(repr(column))}: choose one of these",
        )
    if len(first) == 1:
        return None
    named = [cell for cell in first if cell.lower() in HEADER_WORDS]
    if len(named) != 1:
        refuse(
            line,
            f"the columns found are {join_names(first)}; exactly one must be called key (or "
            f"{', '.join(sorted(HEADER_WORDS - {'key'}))}): rename your key column, or choose it "
            "with --column NAME",
        )
    return named[0]


def read_trace(source, column=None) -> np.ndarray:
    """Return the requests of a trace as ids. Their column is found by its heading (key, url, ...).

    column: the heading of another column, or its number from 0, as text.
    Raises ValueError for what `read_keys` refuses, for a column that does not exist, and for
    several columns unless exactly one has the heading of a key.

    >>> text = "\\n".join(["at,file", *(f"{n},{n % 100}" for n in range(600))])
    >>> ids = read_trace(text, column="file")
    >>> len(ids), len(set(ids.tolist()))
    (600, 100)
    """
    lines = as_table(text_of(source))
    delimiter = delimiter_of(lines)
    line, first = next(rows_of(lines, delimiter, "keys"))
    ids = read_keys(lines + "\n", _key_column(line, first, column), delimiter).ids
    if len(ids) < FEWEST_REQUESTS:
        raise ValueError(
            f"{len(ids)} requests are too few: this fit needs at least {FEWEST_REQUESTS}; use a "
            "longer trace"
        )
    return ids


def _gaps(ids, counts):
    """Return [count, sum of gaps, sum of squares] of each key that is requested often."""
    order = np.argsort(ids, kind="stable")
    gaps = np.diff(order)
    same = ids[order][1:] == ids[order][:-1]
    keys, gaps = ids[order][1:][same], gaps[same].astype(float)
    sums = [np.bincount(keys, gaps**power, len(counts)) for power in (1, 2)]
    return np.column_stack([counts, *sums])[counts > FEWEST_INTERVALS].tolist()


def enough_room(misses) -> int:
    """Return from which capacity on the misses are within a hundredth of all requests of the least.

    misses: the misses of caches with room for 0, 1, ... keys; with room for 0 all requests miss.

    >>> enough_room([1000, 900, 400, 309, 300, 300])
    3
    """
    most = misses[-1] + NEAR * misses[0]
    return next(room for room, missed in enumerate(misses) if missed <= most)


def count(ids) -> dict:
    """Return what `solve` takes: counts of the first half of a trace, miss ratios of the second."""
    split = len(ids) // 2
    first, counts = ids[:split], np.bincount(ids[:split])
    values, number = np.unique(counts[counts > 0], return_counts=True)
    depths = stack_distances(ids)[split:]
    at = capacities(int(number.sum()))
    reused = np.bincount(depths[depths > 0], minlength=len(counts) + 1)
    misses = (len(depths) - np.cumsum(reused)).tolist()  # by room
    room = enough_room(misses)
    return {
        "requests": split,
        "counts": np.column_stack([values, number]).tolist(),
        "often": _gaps(first, counts),
        "new": float(np.mean(~np.isin(ids[split:], first))),
        "measured": [[c, float(np.mean((depths == 0) | (depths > c)))] for c in at],
        "enough": [room, misses[room] / len(depths), misses[-1] / len(depths)],
    }


def fit_key_trace(source, column=None) -> Fit:
    """Learn the traffic from the first half of a trace; predict LRU's misses in the second.

    The held-out rows are the exact miss ratios of the second half (by stack distances, in a cache
    warmed by the first) at ten capacities: 5%, 15%, ..., 95% of the keys.
    Raises ValueError as `read_trace` does.
    """
    return report(solve(count(read_trace(source, column))))


def fit_request() -> FitRequest:
    """Return the fit to a reader's numbers, and what it wants."""
    return FitRequest(fit_key_trace, MODEL, BRING, COLUMNS)
