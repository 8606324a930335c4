"""What happens in a run of `simulate_batches`, written down row by row."""

from typing import NamedTuple

import numpy as np

from tunables.simulators.compiled import compiled

# Kinds of rows.
ASKS, WAITS, QUERIES, WORKS, HELD, FLUSHED, ANSWERED = range(7)


class BatchEvents(NamedTuple):
    """Events in the order in which they happen, a column each, and how many there were in all.

    kind: 0 a client asks for its next batch, 1 waits for a thread, 2 begins its lease query,
    3 has a commit thread and works, 4 has worked and is held for a flush, 5 is flushed,
    6 is answered. detail: of a wait, the pool (0 batches, 1 commits); of a flush, its number from
    0, which those share whom it frees; else the number of the transaction within its batch.
    """

    rows: int
    time_s: np.ndarray
    kind: np.ndarray
    client: np.ndarray
    batch: np.ndarray
    detail: np.ndarray


@compiled
def room(rows):
    """Return time_s and facts (kind, client, batch, detail) for so many rows."""
    return np.empty(rows), np.empty((4, rows), np.int64)


@compiled
def record(time_s, facts, row, now, kind, client, batch, detail):
    """Write a row, if there is room for it; return the number of the next."""
    if row < len(time_s):
        time_s[row] = now
        facts[0, row] = kind
        facts[1, row] = client
        facts[2, row] = batch
        facts[3, row] = detail
    return row + 1


@compiled
def columns(rows, time_s, facts):
    """Return `BatchEvents` of what was written, as a tuple."""
    kept = min(rows, len(time_s))
    return rows, time_s[:kept], facts[0, :kept], facts[1, :kept], facts[2, :kept], facts[3, :kept]
