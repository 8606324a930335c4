"""Chapter 1 with a reader's own commit log: flush time, delays paid, think time."""

from itertools import pairwise

import numpy as np

from tunables.chapters.group_commit.own_fit import (
    BRING,
    COLUMNS,
    FEWEST_ROWS,
    MODEL,
    solved,
    told,
)
from tunables.parts.fit import Fit, Wanted
from tunables.parts.reading import read_columns
from tunables.plain.own.columns import wanted_text


def _stretches(data) -> list[list[float]]:
    """Return what `runs_of` takes of each stretch of a log, in order of time, with one setting."""
    order = np.argsort(data["time_s"], kind="stable")
    time, response, clients, delay = (
        data[name][order] for name in ("time_s", "response_s", "clients", "delay_s")
    )
    changes = np.flatnonzero((np.diff(clients) != 0) | (np.diff(delay) != 0)) + 1
    return [
        [
            float(clients[start]),
            float(delay[start]),
            float(response[start:stop].mean()),
            stop - start,
            int(np.count_nonzero(time[start:stop] > time[start])),
            float(time[stop - 1] - time[start]),
        ]
        for start, stop in pairwise([0, *changes.tolist(), len(time)])
    ]


def counted(data) -> dict:
    """Return what `solved` takes, of the columns of a table."""
    data = {"delay_s": np.zeros(len(data["clients"]))} | data
    names = ("clients", "delay_s", "response_s", "throughput_per_s")
    is_table = "throughput_per_s" in data
    rows = zip(*(data[name].tolist() for name in names), strict=True) if is_table else ()
    return {
        "log": _stretches(data) if "time_s" in data else None,
        "table": [list(row) for row in rows] if is_table else None,
    }


def fit_group_commit(source) -> Fit:
    """Fit k, F and Z to two thirds of the runs of a commit log, and predict the others.

    R = k D + F where there is a delay D, or one client; else 2 F: see `closed_group_commit`.
    k is fitted where the fitted runs have more than one delay, else taken as 1. Z is the mean
    of N/X - R. Held out: every third run in order of delay and clients.
    Raises ValueError for what `read_columns` and `runs_of` refuse.
    """
    return told(solved(counted(read_columns(source, COLUMNS, FEWEST_ROWS))))


WANTED = Wanted(fit_group_commit, MODEL, BRING, wanted_text(COLUMNS))
