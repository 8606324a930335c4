"""The fit of chapter 2 to a user's latencies, from counts of them.

Runs in the page too.
"""

import math

from tunables.base.portable import plain_sum
from tunables.base.user_data.columns import Column
from tunables.core.fit import (
    GIVEN,
    Fit,
    FittedModel,
    FittedParameter,
    HeldOut,
    elasticities,
    judge,
)
from tunables.theory.retries import retry_quantile, retry_statistics

COLUMNS = (
    Column("latency_s", "time that a request took, including its retries", at_least=0),
    Column("timeout_s", "timeout of an attempt, the same in all rows", above=0),
    Column(
        "retries",
        "largest number of retries per request, the same in all rows",
        None,
        0,
        100,
        integer=True,
    ),
)
BRING = "latencies under one timeout setting"
MODEL = FittedModel(
    chapter="time_outs",
    law="a request times out at least k times with probability p^k; after k timeouts, a reply "
    "arrives at k T + y",
    baseline="exponential latencies with the same mean",
    band=0.20,
)
FEWEST_ROWS = 1000
ROUNDING = 1e-3  # of a timeout, which a log's clock may round down
BEYOND = 1.1  # times all timeouts together, longer than any request could take
_FEWEST_SEEN = 50  # a share of fewer requests has an error of a seventh or more
_TIMES = {1: "once", 2: "twice"}


def wanted() -> dict:
    """Return what the page needs to know in order to read a user's latencies."""
    return {"kind": "table", "fewest": FEWEST_ROWS, "rounding": ROUNDING, "beyond": BEYOND}


def one_setting(name, values) -> float:
    """Return the value of a setting; raises ValueError if there is a second one.

    values: the first row's, followed by one that differs from it if there is any.
    """
    if len(values) > 1:
        raise ValueError(
            f"{name} has the values {values[0]:g} and {values[1]:g}: fit one setting at a time"
        )
    return values[0]


def _at_least(counts, j):
    """Return how many requests timed out j times or more."""
    return plain_sum(counts[j:])


def _failure_share(counts, retries):
    """Return the share of all attempts that timed out, the maximum-likelihood p."""
    failed = plain_sum([k * number for k, number in enumerate(counts)])
    attempts = plain_sum([min(k + 1, retries + 1) * number for k, number in enumerate(counts)])
    return failed / attempts


def _shares(counts, retries, p, naive):
    """Return [j, share that timed out j times or more, predicted, naive], if requests suffice."""
    requests = plain_sum(counts)
    return [
        [j, _at_least(counts, j) / requests, p**j, naive[j]]
        for j in range(1, retries + 2)
        if max(_at_least(counts, j), p**j * requests) >= _FEWEST_SEEN
    ]


def solve(counted) -> dict:
    """Return the numbers of the fit, which `report` puts into words.

    counted: "timeout_s" and "retries", as `one_setting` takes them; of the rows "fitted" and of
    the "later" ones "counts", how many requests timed out 0, 1, ..., r + 1 times, and "mean_s",
    the mean latency; of those fitted also "reply_s" and "median_s", mean and median of the
    replies (None if no request was answered), and "beyond", the share that took longer than
    BEYOND times all timeouts together.
    Raises ValueError for more than one setting, or if no request was answered.
    """
    timeout_s = one_setting("timeout_s", counted["timeout_s"])
    r = int(one_setting("retries", counted["retries"]))
    fitted, later = counted["fitted"], counted["later"]
    counts, reply_s = fitted["counts"], fitted["reply_s"]
    if reply_s is None:
        raise ValueError(
            "no request was answered: all of them took (retries + 1) × timeout_s (see chapter 2); "
            "use latencies from a time when some were answered"
        )
    p = _failure_share(counts, r)
    attempts, _, mean_s = retry_statistics(p, timeout_s, r, reply_s)
    naive_s = fitted["mean_s"]
    naive = [math.exp(-j * timeout_s / naive_s) if naive_s else 0.0 for j in range(r + 2)]
    retried = plain_sum([min(k, r) * number for k, number in enumerate(later["counts"])])
    found = elasticities(
        lambda p, T, y: retry_statistics(min(p, 1), T, r, min(y, T))[2],
        [("p", p), ("T", timeout_s), ("y", reply_s)],
    )
    first = _at_least(counts, 1)
    return {
        "p": p,
        "y": reply_s,
        "T": timeout_s,
        "r": r,
        "beyond": fitted["beyond"],
        "first": first / plain_sum(counts),
        "again": _at_least(counts, 2) / first if first else 0.0,
        "tail_s": retry_quantile(0.99, p, timeout_s, r, fitted["median_s"]),
        "latency": [later["mean_s"], mean_s, naive_s],
        "retried": [
            retried / plain_sum(later["counts"]),
            attempts - 1,
            plain_sum(naive[1 : r + 1]),
        ],
        "shares": _shares(later["counts"], r, p, naive),
        "sensitivity": [[name, elasticity] for name, elasticity in found],
    }


def _reason(result):
    r, first, again = result["r"], result["first"], result["again"]
    if result["beyond"] > 0.01:
        return (
            f"{100 * result['beyond']:.0f}% of the requests took longer than the timeouts of all "
            f"attempts together ({r + 1} × T = {(r + 1) * result['T']:g} s). So there are pauses "
            "or waits that the law leaves out."
        )
    if again < 1.5 * first:
        return "The rate of timeouts changed over time, so fit a period in which it was steady."
    return (
        f"After one timeout, the next attempt fails in {100 * again:.0f}% of the cases, but a "
        f"first attempt fails in {100 * first:.0f}%. So failures cluster (p = {result['p']:.3f} "
        "is the mean), and retries help less than the law says."
    )


def _notes(result):
    r = result["r"]
    if r and all(j != 2 for j, *_ in result["shares"]):
        yield "Too few requests timed out twice to test whether attempts fail independently."
    yield (
        f"According to the law, 99 of 100 requests take at most {result['tail_s']:.3g} s, and "
        f"none takes longer than {(r + 1) * result['T']:g} s."
    )


def _share(j, retries):
    words = "share of requests that timed out " + _TIMES.get(j, f"{j} times")
    return words + " or more" if j <= retries else words


def report(result) -> Fit:
    """Return the Fit made of the numbers that `solve` returned."""
    r = result["r"]
    rows = [
        HeldOut("mean latency", "s", *result["latency"]),
        HeldOut("retries per request", "", *result["retried"]),
    ]
    rows += [HeldOut(_share(j, r), "", *numbers) for j, *numbers in result["shares"]]
    parameters = (
        FittedParameter("p", "share of attempts that fail", result["p"], ""),
        FittedParameter("y", "mean time until a reply", result["y"], "s"),
        FittedParameter("T", "timeout", result["T"], "s", GIVEN),
        FittedParameter("r", "retries", r, "", GIVEN),
    )
    sensitivity, notes = result["sensitivity"], list(_notes(result))
    reason, held = _reason(result), "last third of the rows, which was held out,"
    return judge(MODEL, parameters, rows, reason, "mean latency", sensitivity, notes, held=held)
