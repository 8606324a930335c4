"""Chapter 2 with a reader's own latencies: do attempts fail independently of each other?"""

import math

import numpy as np

from tunables.own.fit import GIVEN, Fit, HeldOut, Model, Parameter, elasticities, judged
from tunables.own.reading import Column, read_columns
from tunables.theory.retries import retry_quantile, retry_statistics

COLUMNS = (
    Column("latency_s", "time a request took, retries included", at_least=0),
    Column("timeout_s", "time-out of an attempt, the same in all rows", above=0),
    Column("retries", "most retries of a request, in all rows", None, 0, 100, whole=True),
)
MODEL = Model(
    chapter=2,
    law="a request times out k times with probability p^k and takes k T + y",
    baseline="exponential latencies of the same mean",
    band=0.20,
)
_FEWEST_REQUESTS = 1000
_FEWEST_SEEN = 50  # a share of fewer requests than this is chance to a seventh or more
_TIMES = {1: "once", 2: "twice"}
_ROUNDING = 1e-3  # of a time-out: a log's clock may round one down


def _setting(values, name):
    if (values != values[0]).any():
        other = values[values != values[0]][0]
        raise ValueError(
            f"{name} has the values {values[0]:g} and {other:g}: fit one setting at a time"
        )
    return float(values[0])


def _timeouts(latency_s, timeout_s, retries):
    """Return how many attempts of each request timed out, at most all r + 1."""
    return np.minimum(np.floor(latency_s / timeout_s + _ROUNDING), retries + 1).astype(int)


def _reason(counts, latency_s, timeout_s, retries, p):
    longest = (retries + 1) * timeout_s
    beyond = float(np.mean(latency_s > 1.1 * longest))
    if beyond > 0.01:
        return (
            f"{100 * beyond:.0f} % of the requests took longer than all {retries + 1} time-outs "
            f"together, {longest:g} s: there are pauses or waits that the law leaves out."
        )
    first = np.count_nonzero(counts >= 1)
    again = np.count_nonzero(counts >= 2) / first if first else 0.0
    if again < 1.5 * first / len(counts):
        return "Time-outs were more or less frequent later on: fit a span in which nothing changed."
    return (
        f"After one time-out the next attempt fails in {100 * again:.0f} % of the cases, a first "
        f"attempt in {100 * first / len(counts):.0f} %: failures come together (p = {p:.3f} is "
        "their mean), so retries help less than the law says."
    )


def fit_time_outs(source) -> Fit:
    """Fit p and y to the first two thirds of a list of latencies, and predict the last third.

    A request's k = floor(latency/T) attempts timed out, at most r + 1. p is the share of all
    attempts that timed out (maximum likelihood); y the mean reply, latency - k T. Predicted,
    by `retry_statistics`: mean latency, retries a request, and the share that timed out at
    least j times, p^j, where 50 requests or more did or should have.
    Raises ValueError for what `read_columns` refuses, fewer than 1000 rows, more than one
    setting, or no request that was answered.
    """
    data = read_columns(source, COLUMNS, at_least_rows=_FEWEST_REQUESTS)
    timeout_s = _setting(data["timeout_s"], "timeout_s")
    retries = int(_setting(data["retries"], "retries"))
    split = 2 * len(data["latency_s"]) // 3
    latency_s, later_s = np.split(data["latency_s"], [split])
    counts, later = (_timeouts(part, timeout_s, retries) for part in (latency_s, later_s))
    answered = counts <= retries
    if not answered.any():
        raise ValueError("no request was answered: all took (retries + 1) timeout_s; see chapter 2")
    p = counts.sum() / np.minimum(counts + 1, retries + 1).sum()
    replies_s = np.clip((latency_s - counts * timeout_s)[answered], 0, timeout_s)
    reply_s = float(replies_s.mean())

    attempts, _, mean_s = retry_statistics(p, timeout_s, retries, reply_s)
    naive_s = float(latency_s.mean())

    def naive(j):
        return math.exp(-j * timeout_s / naive_s)

    rows = [
        HeldOut("mean latency", "s", float(later_s.mean()), mean_s, naive_s),
        HeldOut(
            "retries a request",
            "",
            float(np.minimum(later, retries).mean()),
            attempts - 1,
            sum(naive(j) for j in range(1, retries + 1)),
        ),
    ]
    for j in range(1, retries + 2):
        seen = np.count_nonzero(later >= j)
        if max(seen, p**j * len(later)) >= _FEWEST_SEEN:
            what = f"share that timed out {_TIMES.get(j, f'{j} times')}"
            what += " or more" if j <= retries else ""
            rows.append(HeldOut(what, "", seen / len(later), p**j, naive(j)))
    notes = []
    if retries and not any("twice" in row.what for row in rows):
        notes.append(
            "Too few requests timed out twice to test whether attempts fail independently."
        )
    tail_s = retry_quantile(0.99, p, timeout_s, retries, float(np.median(replies_s)))
    return judged(
        MODEL,
        (
            Parameter("p", "attempts that fail", float(p), ""),
            Parameter("y", "mean reply", reply_s, "s"),
            Parameter("T", "time-out", timeout_s, "s", GIVEN),
            Parameter("r", "retries", retries, "", GIVEN),
        ),
        rows,
        _reason(counts, latency_s, timeout_s, retries, p),
        "mean latency",
        elasticities(
            lambda p, T, y: retry_statistics(min(p, 1), T, retries, min(y, T))[2],
            {"p": float(p), "T": timeout_s, "y": reply_s},
        ),
        (
            *notes,
            f"By the law 99 of 100 requests take at most {tail_s:.3g} s, "
            f"and none longer than {(retries + 1) * timeout_s:g} s.",
        ),
    )
