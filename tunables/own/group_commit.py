"""Chapter 1 with a reader's own commit log: flush time, delays paid, think time."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.optimize import least_squares

from tunables.own.fit import (
    ASSUMED,
    FITTED,
    Fit,
    HeldOut,
    Model,
    Parameter,
    elasticities,
    held_out_rows,
    judged,
)
from tunables.own.reading import Column, read_columns
from tunables.theory.group_commit import closed_group_commit
from tunables.theory.queueing import interactive_throughput

COLUMNS = (
    Column(
        "clients", "clients that commit, each again once it is answered", 0, None, 1e6, whole=True
    ),
    Column("response_s", "time that a commit took, or its mean", above=0),
    Column("delay_s", "delay before a flush", at_least=0, required=False),
    Column("time_s", "when the commit was answered; of a log", required=False),
    Column("throughput_per_s", "commits a second; of a table of runs", 0, required=False),
)
MODEL = Model(
    chapter=1,
    law="R = k D + F with a delay D, 2 F without; X = N / (R + Z)",
    baseline="the mean of the runs fitted",
    band=0.15,
)
_FEWEST_COMMITS = 20  # a run


class Run(NamedTuple):
    """One setting: N clients, delay D, and what was measured."""

    clients: int
    delay_s: float
    response_s: float
    throughput_per_s: float


def _runs_of_log(data) -> list[Run]:
    """Return a run for each stretch of the log, in order of time, with one setting."""
    order = np.argsort(data["time_s"], kind="stable")
    time, response, clients, delay = (
        data[name][order] for name in ("time_s", "response_s", "clients", "delay_s")
    )
    changes = np.flatnonzero((np.diff(clients) != 0) | (np.diff(delay) != 0)) + 1
    runs = []
    for start, stop in pairwise([0, *changes, len(time)]):
        if stop - start < _FEWEST_COMMITS:
            raise ValueError(
                f"{stop - start} commits in a row with {clients[start]:g} clients and a delay of "
                f"{delay[start]:g} s are too few: log at least {_FEWEST_COMMITS} of each setting, "
                "one setting after the other"
            )
        span = time[stop - 1] - time[start]
        if span <= 0:
            raise ValueError("time_s does not move within a run: log it with more digits")
        later = np.count_nonzero(time[start:stop] > time[start])  # first flush opens the span
        runs.append(
            Run(int(clients[start]), delay[start], response[start:stop].mean(), later / span)
        )
    return runs


def read_runs(source) -> list[Run]:
    """Return the runs of a commit log (time_s) or of a table of runs (throughput_per_s).

    Sorted by delay, then clients. Raises ValueError for what `read_columns` refuses, both or
    neither of the two columns, and fewer than three runs.
    """
    data = read_columns(source, COLUMNS)
    data.setdefault("delay_s", np.zeros(len(data["clients"])))
    if ("time_s" in data) == ("throughput_per_s" in data):
        raise ValueError(
            "one of the columns time_s (a log, a row a commit) and throughput_per_s (a table, "
            "a row a run) is wanted: add one, or leave one out"
        )
    if "time_s" in data:
        runs = _runs_of_log(data)
    else:
        names = ("clients", "delay_s", "response_s", "throughput_per_s")
        rows = zip(*(data[name].tolist() for name in names), strict=True)
        runs = [Run(int(n), *rest) for n, *rest in rows]
    if len(runs) < 3:
        raise ValueError(f"runs: {len(runs)}; measure at least 3, with other delays or clients")
    return sorted(runs, key=lambda run: (run.delay_s, run.clients))


def response(clients, delay_s, delays_paid, flush_s) -> float:
    """Return the response time N/X of `closed_group_commit` when a commit pays D k times, s."""
    return clients / closed_group_commit(clients, flush_s, delays_paid * delay_s)


def _calibrate(runs):
    """Return (k, F, Z, whether k was fitted) by least squares on the logarithm of R."""
    measured = np.log([run.response_s for run in runs])
    delays = {run.delay_s for run in runs}
    k_fitted = len(delays) > 1

    def residuals(logs):
        k = np.exp(logs[1]) if k_fitted else 1.0
        flush_s = np.exp(logs[0])
        return [
            np.log(response(run.clients, run.delay_s, k, flush_s)) - log
            for run, log in zip(runs, measured, strict=True)
        ]

    start = [np.log(min(run.response_s for run in runs) / 2), 0.0][: 1 + k_fitted]
    logs = least_squares(residuals, start, bounds=(-60, 60)).x
    k = float(np.exp(logs[1])) if k_fitted else 1.0
    between = [run.clients / run.throughput_per_s - run.response_s for run in runs]
    return k, float(np.exp(logs[0])), max(0.0, float(np.mean(between))), k_fitted


def _reason(runs):
    """Say what the runs that were fitted show in place of the law."""
    clients = [run.clients for run in runs]
    if len(set(clients)) > 1:
        slope = np.polyfit(np.log(clients), np.log([run.response_s for run in runs]), 1)[0]
        if slope > 0.3:
            return (
                f"The response grows with the number of clients (as N^{slope:.1f}): commits do "
                "not share their flushes, or something besides the flush is busy."
            )
    if len({run.delay_s for run in runs}) == 1:
        return "The response differs from run to run: something that has no column changes it."
    return "The response does not follow the delay: something besides delay and flush takes time."


def fit_group_commit(source) -> Fit:
    """Fit k, F and Z to two thirds of the runs of a commit log, and predict the others.

    R = k D + F where there is a delay D, or one client; else 2 F: see `closed_group_commit`.
    k is fitted where the fitted runs have more than one delay, else taken as 1. Z is the mean
    of N/X - R. Held out: every third run in order of delay and clients.
    Raises ValueError as `read_runs` does.
    """
    runs = read_runs(source)
    out = held_out_rows(len(runs))
    fitted = [run for index, run in enumerate(runs) if index not in out]
    k, flush_s, think_s, k_fitted = _calibrate(fitted)
    held_out = []
    for run in (runs[index] for index in out):
        name = f"{run.clients} clients, D = {1000 * run.delay_s:g} ms"
        r = response(run.clients, run.delay_s, k, flush_s)
        x = interactive_throughput(run.clients, r, think_s)
        mean_r = float(np.mean([each.response_s for each in fitted]))
        mean_x = float(np.mean([each.throughput_per_s for each in fitted]))
        held_out += [
            HeldOut(f"{name}: response", "s", run.response_s, r, mean_r),
            HeldOut(f"{name}: throughput", "1/s", run.throughput_per_s, x, mean_x),
        ]
    last = runs[-1]
    sensitivity = elasticities(
        lambda k, D, F, Z: interactive_throughput(last.clients, response(last.clients, D, k, F), Z),
        {"k": k, "D": last.delay_s, "F": flush_s, "Z": think_s},
    )
    parameters = (
        Parameter("F", "time of a flush", flush_s, "s"),
        Parameter("k", "delays a commit pays", k, "", FITTED if k_fitted else ASSUMED),
        Parameter("Z", "time between two commits", think_s, "s"),
    )
    where = f"throughput with {last.clients} clients and D = {1000 * last.delay_s:g} ms"
    notes = [] if last.delay_s else ["All runs are without a delay: k could not be fitted."]
    return judged(MODEL, parameters, held_out, _reason(fitted), where, sensitivity, notes)
