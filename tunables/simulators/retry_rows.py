"""What becomes of each attempt of a retry storm: by the second, and row by row."""

from typing import NamedTuple

import numpy as np

from tunables.simulators.compiled import compiled

ANSWERED, LATE, SKIPPED, DROPPED, REFUSED = range(5)  # fates


class Attempts(NamedTuple):
    """Attempts in the order in which they were sent, a column each; rows: how many in all.

    asked_s: when it was sent; turn_s: when it left the line; left_s: when it left the server.
    tried: which attempt of its request it was, from 0. fate: 0 answered, 1 served too late,
    2 skipped at its turn, 3 thrown away with the line, 4 refused by a full queue. An attempt that
    is not served leaves both at once; one that a server at rest never takes has times inf.
    """

    rows: int
    asked_s: np.ndarray
    turn_s: np.ndarray
    left_s: np.ndarray
    request: np.ndarray
    tried: np.ndarray
    fate: np.ndarray


@compiled
def room(rows):
    """Return times (asked, turn, left) and facts (request, tried, fate) for so many rows."""
    return np.empty((3, rows)), np.empty((3, rows), np.int64)


@compiled
def record(times, facts, row, asked_s, turn_s, left_s, request, tried, fate):
    """Write a row, if there is room for it."""
    if row < times.shape[1]:
        times[0, row], times[1, row], times[2, row] = asked_s, turn_s, left_s
        facts[0, row], facts[1, row], facts[2, row] = request, tried, fate


@compiled
def columns(rows, times, facts):
    """Return `Attempts` of what was written, as a tuple."""
    kept = min(rows, times.shape[1])
    return (
        rows, times[0, :kept], times[1, :kept], times[2, :kept],
        facts[0, :kept], facts[1, :kept], facts[2, :kept],
    )  # fmt: skip


@compiled
def count(counts, now, fate):
    """Count an attempt, and an answered one, in its second; the last second has both its ends."""
    seconds = counts.shape[1]
    if now <= seconds:
        second = min(int(now), seconds - 1)
        counts[0, second] += 1
        counts[1, second] += fate == ANSWERED
