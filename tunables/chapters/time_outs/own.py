"""Read a user's latencies, and fit whether attempts fail independently of each other."""

import numpy as np

from tunables.base.user_data.columns import wanted_text
from tunables.chapters.time_outs.fit import (
    BEYOND,
    BRING,
    COLUMNS,
    FEWEST_ROWS,
    MODEL,
    ROUNDING,
    report,
    solve,
)
from tunables.core.fit import Fit, FitRequest
from tunables.core.reading import read_columns


def _setting(values):
    """Return the first row's value, and one that differs from it if there is any."""
    return [float(values[0]), *values[values != values[0]][:1].tolist()]


def _timeouts(latency_s, timeout_s, retries):
    """Return the number of attempts of each request that timed out, at most r + 1."""
    return np.minimum(np.floor(latency_s / timeout_s + ROUNDING), retries + 1).astype(int)


def _part(latency_s, timeout_s, retries):
    """Return how often the requests of a part timed out, their mean latency, and the replies."""
    timeouts = _timeouts(latency_s, timeout_s, retries)
    replies = (latency_s - timeouts * timeout_s)[timeouts <= retries]
    counts = np.bincount(timeouts, minlength=retries + 2).tolist()
    part = {"counts": counts, "mean_s": float(latency_s.mean())}
    return part, np.clip(replies, 0, timeout_s)


def count(data) -> dict:
    """Return what `solve` takes from the columns of a table."""
    settings = {name: _setting(data[name]) for name in ("timeout_s", "retries")}
    timeout_s, retries = settings["timeout_s"][0], int(settings["retries"][0])
    latency_s, later_s = np.split(data["latency_s"], [2 * len(data["latency_s"]) // 3])
    fitted, replies_s = _part(latency_s, timeout_s, retries)
    later, _ = _part(later_s, timeout_s, retries)
    fitted["reply_s"] = float(replies_s.mean()) if len(replies_s) else None
    fitted["median_s"] = float(np.median(replies_s)) if len(replies_s) else None
    fitted["beyond"] = float(np.mean(latency_s > BEYOND * (retries + 1) * timeout_s))
    return settings | {"fitted": fitted, "later": later}


def fit_time_outs(source) -> Fit:
    """Fit p and y to the first two thirds of a list of latencies, and predict the last third.

    A request's k = floor(latency/T) attempts timed out, at most r + 1. p is the share of all
    attempts that timed out (maximum likelihood); y the mean reply, latency - k T. Predicted,
    by `retry_statistics`: mean latency, retries per request, and the share that timed out at
    least j times, p^j, where 50 requests or more did or should have.
    Raises ValueError for what `read_columns` refuses, fewer than 1000 rows, more than one
    setting, or no request that was answered.
    """
    return report(solve(count(read_columns(source, COLUMNS, FEWEST_ROWS))))


def fit_request() -> FitRequest:
    """Return the fit to a reader's numbers, and what it wants."""
    return FitRequest(fit_time_outs, MODEL, BRING, wanted_text(COLUMNS))
