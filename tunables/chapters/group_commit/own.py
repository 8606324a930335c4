"""Read a user's commit log or table of runs, and fit flush time, delays paid and think time."""

from itertools import pairwise

import numpy as np

from tunables.base.user_data.columns import wanted_text
from tunables.chapters.group_commit.fit import (
    BRING,
    COLUMNS,
    FEWEST_ROWS,
    MODEL,
    report,
    solve,
)
from tunables.core.fit import Fit, FitRequest
from tunables.core.reading import read_columns


def _stretches(data) -> list[list[float]]:
    """Split a log into stretches of one setting, in order of time, as `runs_of` takes them."""
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


def count(data) -> dict:
    """Return what `solve` takes from the columns of a table."""
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

    R = k D + F if there is a delay D, or one client; else 2 F: see `closed_group_commit`.
    k is fitted if the fitted runs have more than one delay, else it is 1. Z is the mean
    of N/X - R. Every third run in order of delay and clients is held out.
    Raises ValueError for what `read_columns` and `runs_of` refuse.
    """
    return report(solve(count(read_columns(source, COLUMNS, FEWEST_ROWS))))


def fit_request() -> FitRequest:
    """Return the fit to a reader's numbers, and what it wants."""
    return FitRequest(fit_group_commit, MODEL, BRING, wanted_text(COLUMNS))
