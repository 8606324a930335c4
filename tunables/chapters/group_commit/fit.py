"""The fit of chapter 1 to a user's runs, from their means: delay and flush, shared by all.

Runs in the page too.
"""

import math

from tunables.base.user_data.columns import Column
from tunables.base.user_data.numerics import least_squares, line, mean
from tunables.core.fit import (
    ASSUMED,
    FITTED,
    Fit,
    FittedModel,
    FittedParameter,
    HeldOut,
    elasticities,
    errors_on,
    fitted_rows,
    held_out_rows,
    judge,
    share_held_out,
)
from tunables.theory.closed_queueing import interactive_throughput
from tunables.theory.group_commit import closed_group_commit

COLUMNS = (
    Column(
        "clients",
        "number of clients; each commits again as soon as its previous commit is answered",
        0,
        None,
        1e6,
        integer=True,
    ),
    Column("response_s", "time that a commit took (in a table: the mean of the run)", above=0),
    Column("delay_s", "delay before a flush", at_least=0, required=False),
    Column("time_s", "when the commit was answered (in a log)", required=False),
    Column("throughput_per_s", "commits per second (in a table of runs)", 0, required=False),
)
BRING = "a commit log or a table of runs"
READS = (
    "the output of pgbench -l, pgbench, wrk, k6, fio, redis-benchmark or ab, from at least three "
    "runs"
)
MODEL = FittedModel(
    chapter="group_commit",
    law="R = k D + F with a delay D, R = 2 F without one; X = N / (R + Z)",
    baseline="the mean of the fitted runs",
    band=0.15,
    along="the number of clients",
)
FEWEST_ROWS = 1
_FEWEST_COMMITS = 20  # per run
_MOST_IN_PAGE = 300  # runs; the page's engine would take too long over more


def wanted() -> dict:
    """Return what the page needs to know in order to read a user's runs."""
    return {
        "kind": "table",
        "fewest": FEWEST_ROWS,
        "most": _MOST_IN_PAGE,
        "commits": _FEWEST_COMMITS,
    }


def response(clients, delay_s, delays_paid, flush_s) -> float:
    """Return the response time N/X (s) of `closed_group_commit` when a commit pays D k times."""
    return clients / closed_group_commit(clients, flush_s, delays_paid * delay_s)


def calibrate(runs):
    """Return (k, F, Z, whether k was fitted) by least squares on the logarithm of R."""
    measured = [math.log(response_s) for _, _, response_s, _ in runs]
    k_fitted = len({delay_s for _, delay_s, _, _ in runs}) > 1

    def residuals(logs):
        flush_s, k = math.exp(logs[0]), math.exp(logs[1]) if k_fitted else 1.0
        by_law = [response(clients, delay_s, k, flush_s) for clients, delay_s, _, _ in runs]
        return [math.log(r) - log for r, log in zip(by_law, measured)]

    start = [min(measured) - math.log(2)] + ([0.0] if k_fitted else [])
    logs, _ = least_squares(residuals, start)
    think_s = mean([clients / rate - response_s for clients, _, response_s, rate in runs])
    k = math.exp(logs[1]) if k_fitted else 1.0
    return k, math.exp(logs[0]), max(0.0, think_s), k_fitted


def _run_of_log(run):
    """Return a stretch of a log as a run: see `runs_of`."""
    clients, delay_s, response_s, commits, later, span_s = run
    if commits < _FEWEST_COMMITS:
        raise ValueError(
            f"{commits:.0f} consecutive commits with {clients:g} clients and a delay of "
            f"{delay_s:g} s are too few: log at least {_FEWEST_COMMITS} for each setting, one "
            "setting after the other"
        )
    if span_s <= 0:
        raise ValueError("time_s does not change within a run: log it with more digits")
    return [int(clients), delay_s, response_s, later / span_s]


def runs_of(counted) -> list:
    """Return [clients, delay, mean response, commits per second] of each run, sorted by delay.

    counted: "log" and "table", of which one is None. A table's rows are such runs; a log's are
    [clients, delay, mean response, commits, commits later than the first, span of time] of each
    stretch with one setting; the span begins with the first flush.
    Raises ValueError for both or neither, stretches that are too short, and fewer than three runs.
    """
    log, table = counted["log"], counted["table"]
    if (log is None) == (table is None):
        raise ValueError(
            "there must be either a column time_s (a log, one row per commit) or a column "
            "throughput_per_s (a table, one row per run), not both: add one if "
            "both are missing, or leave one out if both are there"
        )
    runs = table if log is None else [_run_of_log(run) for run in log]
    if len(runs) < 3:
        raise ValueError(
            f"runs: {len(runs)}, but at least 3 are needed: add runs with "
            "other delays or other numbers of clients"
        )
    # The place breaks ties, since MicroPython's sort is not stable.
    order = [(delay_s, int(clients), place) for place, (clients, delay_s, _, _) in enumerate(runs)]
    return [[clients] + runs[place][1:] for _, clients, place in sorted(order)]


def _growth(runs):
    """Return e of R ~ N^e for the fitted runs, or None if all have the same number of clients."""
    clients = [run[0] for run in runs]
    if len(set(clients)) == 1:
        return None
    return line([math.log(n) for n in clients], [math.log(run[2]) for run in runs])[1]


def solve(counted) -> dict:
    """Return the numbers of the fit, which `report` puts into words.

    counted: see `runs_of`. Raises ValueError as it does.
    """
    runs = runs_of(counted)
    out = held_out_rows(len(runs))
    fitted = [run for index, run in enumerate(runs) if index not in out]
    k, flush_s, think_s, k_fitted = calibrate(fitted)
    checked = [[n, delay_s, r, response(n, delay_s, k, flush_s)] for n, delay_s, r, _ in fitted]
    rows = []
    for clients, delay_s, response_s, rate in [runs[index] for index in out]:
        r = response(clients, delay_s, k, flush_s)
        x = interactive_throughput(clients, r, think_s)
        rows.append([clients, delay_s, response_s, r, rate, x])
    clients, delay_s, _, _ = runs[-1]
    found = elasticities(
        lambda k, D, F, Z: interactive_throughput(clients, response(clients, D, k, F), Z),
        [("k", k), ("D", delay_s), ("F", flush_s), ("Z", think_s)],
    )
    return {
        "k": k,
        "F": flush_s,
        "Z": think_s,
        "k_fitted": k_fitted,
        "rows": rows,
        "runs": len(runs),
        "means": [mean([run[2] for run in fitted]), mean([run[3] for run in fitted])],
        "growth": _growth(fitted),
        "one_delay": len({run[1] for run in fitted}) == 1,
        "last": [clients, delay_s],
        "sensitivity": [[name, elasticity] for name, elasticity in found],
    } | errors_on([run[0] for run in fitted], checked)


def _reason(growth, one_delay, worst):
    """Return in words what the fitted runs show if they do not follow the law.

    worst: the clients of the run that the law misses most, if it is known.
    """
    if growth is not None and abs(growth) < 0.1 and worst == 1:
        return (
            "According to the law, a single client waits for one flush, and each of "
            "several clients for almost two. Here the response time hardly depends on the number "
            "of clients, so commits do not wait for each other's flushes."
        )
    if growth is not None and growth > 0.3:
        return (
            f"The response time grows with the number of clients (as N^{growth:.1f}), so either "
            "commits do not share flushes or something besides the flush is busy."
        )
    if one_delay:
        return (
            "The response time differs from run to run, so something outside your data affects it."
        )
    return (
        "The response time does not depend on the delay in the way that the law says, so "
        "something besides the delay and the flush takes time."
    )


def report(result) -> Fit:
    """Return the Fit made of the numbers that `solve` returned."""
    mean_r, mean_x = result["means"]
    rows = []
    for clients, delay_s, response_s, r, rate, x in result["rows"]:
        name = _run_text(clients, delay_s)
        rows.append(HeldOut(f"{name}: response", "s", response_s, r, mean_r))
        rows.append(HeldOut(f"{name}: throughput", "1/s", rate, x, mean_x))
    parameters = (
        FittedParameter("F", "flush time", result["F"], "s"),
        FittedParameter(
            "k", "number of delays that a commit waits out", result["k"], "", _origin(result)
        ),
        FittedParameter("Z", "pause between an answer and the next commit", result["Z"], "s"),
    )
    clients, delay_s = result["last"]
    where = f"throughput with {clients} clients and D = {1000 * delay_s:g} ms"
    fitted = fitted_rows(
        result,
        lambda row: HeldOut(f"{_run_text(*row[:2])}: response", "s", row[2], row[3], mean_r),
    )
    held = share_held_out(result["rows"], result)
    notes = [] if delay_s else ["None of the runs has a delay, so k could not be fitted."]
    alone = result["worst"][0] if fitted else None
    reason = _reason(result["growth"], result["one_delay"], alone)
    sensitivity = result["sensitivity"]
    return judge(MODEL, parameters, rows, reason, where, sensitivity, notes, fitted, held)


def _run_text(clients, delay_s):
    return f"{clients} clients, D = {1000 * delay_s:g} ms"


def _origin(result):
    return FITTED if result["k_fitted"] else ASSUMED
