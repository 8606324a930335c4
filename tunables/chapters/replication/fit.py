"""The fit of chapter 5 to a user's transfers: three laws of the round trip; in the page too."""

import math

from tunables.base.user_data.columns import Column
from tunables.base.user_data.numerics import correlation, least_squares, line, quantile, ranks
from tunables.core.fit import (
    ASSUMED,
    GIVEN,
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
from tunables.page.formats import with_minus
from tunables.theory.pipelines import pipeline_throughput
from tunables.theory.tcp import cubic_throughput, window_limited_throughput

STAGES = ("source", "pump", "apply")
COLUMNS = tuple(
    [
        Column("rtt_s", "round-trip time of the path", above=0),
        Column("throughput_bps", "throughput of a transfer", above=0, unit_is_enough=True),
    ]
    + [
        Column(f"{stage}_bps", f"rate of the {stage} stage by itself", above=0, required=False)
        for stage in STAGES
    ]
)
BRING = "transfers over paths with different round-trip times"
MODEL = FittedModel(
    chapter="replication",
    law="X = min(S, rate that the window or CUBIC allows); stop-and-wait: 1/X = 1/S + RTT/W",
    baseline="a straight line in the round-trip time",
    band=0.10,
    along="the round-trip time",
)
FEWEST_ROWS = 6
MSS_BYTES = 1460
_MOST_IN_PAGE = 100  # rows; the page's engine takes too long over more


def _window(limit_bps, window_bytes, rtt_s):
    return min(limit_bps, 8 * window_limited_throughput(window_bytes, rtt_s))


def _cubic(limit_bps, loss, rtt_s):
    return min(limit_bps, 8 * cubic_throughput(MSS_BYTES, rtt_s, min(loss, 1)))


def _stop_and_wait(limit_bps, block_bytes, rtt_s):
    return 1 / (1 / limit_bps + rtt_s / (8 * block_bytes))


# Law -> (rate as a function of limit, parameter and RTT; the parameter's name, meaning and unit).
LAWS = {
    "window": (_window, "W", "the window", "bytes"),
    "cubic": (_cubic, "loss", "the share of segments lost", ""),
    "stop-and-wait": (_stop_and_wait, "W", "the block sent per round trip", "bytes"),
}
LAW_NAMES = ("window", "cubic", "stop-and-wait")  # in order: MicroPython's dicts keep none


def _guess(law, rtt_s, rate_bps):
    """Return the parameter for which the law, without a limit, gives the slowest run."""
    rate, rtt = min(zip(rate_bps, rtt_s))
    if law == "cubic":
        at_1e_4 = 8 * cubic_throughput(MSS_BYTES, rtt, 1e-4)
        return min(1e-4 * (at_1e_4 / rate) ** (4 / 3), 0.5)
    return rate * rtt / 8


def fit_law(law, rtt_s, rate_bps, given_bps) -> tuple:
    """Return (mean square of the log errors, S or None, parameter), the best from several starts.

    given_bps: the limit S of each run, or None if it is fitted as well.
    """
    rate_of = LAWS[law][0]
    log_rates = [math.log(rate) for rate in rate_bps]

    def residuals(logs):
        parameter = math.exp(logs[0])
        limits = given_bps or [math.exp(logs[1])] * len(rtt_s)
        rates = [rate_of(limit, parameter, rtt) for limit, rtt in zip(limits, rtt_s)]
        return [math.log(rate) - log for rate, log in zip(rates, log_rates)]

    guess = math.log(_guess(law, rtt_s, rate_bps))
    tops = [] if given_bps else [quantile(rate_bps, share) for share in (1.0, 0.75, 0.5)]
    starts = [
        [guess + shift] + top
        for top in ([[math.log(top)] for top in tops] or [[]])
        for shift in (-0.5, 0.0, 0.5)
    ]
    found = [least_squares(residuals, start) for start in starts]
    logs, total = min(found, key=lambda each: each[1])
    limit = None if given_bps else math.exp(logs[1])
    return total / len(rtt_s), limit, math.exp(logs[0])


def wanted() -> dict:
    """Return what the page needs to know to read transfers."""
    return {"kind": "table", "fewest": FEWEST_ROWS, "most": _MOST_IN_PAGE}


def _given_limits(runs):
    """Return the rate of each row's slowest stage and the commonest name; None if not measured."""
    named = [stage for stage in STAGES if f"{stage}_bps" in runs]
    if not named:
        return None, None
    rows = zip(*[runs[f"{stage}_bps"] for stage in named])
    slowest = [pipeline_throughput(dict(zip(named, row))) for row in rows]
    names = [name for _, name in slowest]
    return [rate for rate, _ in slowest], max(sorted(set(names)), key=names.count)


def _sorted_runs(columns):
    """Return the columns in order of the round trip."""
    rtt_s, rate_bps = columns["rtt_s"], columns["throughput_bps"]
    # The row number breaks ties, since MicroPython's sort is not stable.
    order = sorted(range(len(rtt_s)), key=lambda row: (rtt_s[row], rate_bps[row], row))
    if rtt_s[order[0]] == rtt_s[order[-1]]:
        raise ValueError("rtt_s is the same in all rows: measure at several round-trip times")
    return {name: [values[row] for row in order] for name, values in columns.items()}


def solve(counted) -> dict:
    """Return the fit in numbers, from which `report` makes its text.

    counted: the columns of the table, lists of floats in SI units.
    Raises ValueError for round trips that are all the same.
    """
    runs = _sorted_runs(counted)
    rtt_s, rate_bps = runs["rtt_s"], runs["throughput_bps"]
    given_bps, slowest = _given_limits(runs)
    out = held_out_rows(len(rtt_s), first=1)
    kept = [row for row in range(len(rtt_s)) if row not in out]
    rtts, rates = [rtt_s[row] for row in kept], [rate_bps[row] for row in kept]
    given = given_bps and [given_bps[row] for row in kept]
    fits = [(law, fit_law(law, rtts, rates, given)) for law in LAW_NAMES]
    law, (_, limit, value) = min(fits, key=lambda each: each[1][0])
    limits = given_bps or [limit] * len(rtt_s)
    rate_of, name = LAWS[law][:2]
    start, slope = line(rtts, rates)
    found = elasticities(
        lambda **x: rate_of(x["S"], x[name], x["RTT"]),
        [("S", limits[-1]), (name, value), ("RTT", rtt_s[-1])],
    )
    rows = [
        [rtt_s[row], rate_bps[row], rate_of(limits[row], value, rtt_s[row])]
        + [max(0.0, start + slope * rtt_s[row])]
        for row in out
    ]
    checked = [[rtt_s[row], rate_bps[row], rate_of(limits[row], value, rtt_s[row])] for row in kept]
    rank = correlation(ranks(rtts), ranks(rates))
    return {
        "law": law,
        "value": value,
        "S": quantile(limits, 0.5),
        "slowest": slowest,
        "rank": rank,
        "longest_s": rtt_s[-1],
        "errors": [[tried, math.sqrt(error)] for tried, (error, _, _) in fits],
        "rows": rows,
        "runs": len(rtt_s),
        "sensitivity": [[parameter, elasticity] for parameter, elasticity in found],
    } | errors_on(rtts, checked)


def _reason(rank):
    if rank > -0.5:
        shown = with_minus(f"{rank:+.2f}")
        return (
            f"The rate hardly falls as the round trip grows (rank correlation {shown}), so "
            "something else sets the rate, such as loss that varies by path, or other traffic."
        )
    return "The rate falls as the round trip grows, but follows none of the three laws."


def _parameters(law, value, limit_bps, slowest):
    _, name, what, unit = LAWS[law]
    if slowest:
        pace = FittedParameter(
            "S", f"rate of the slowest stage, {slowest}", limit_bps, "bit/s", GIVEN
        )
    else:
        pace = FittedParameter(
            "S", "rate of the stages that do not depend on the round trip", limit_bps, "bit/s"
        )
    segment = [FittedParameter("MSS", "the size of a segment", MSS_BYTES, "bytes", ASSUMED)]
    return [pace, FittedParameter(name, what, value, unit)] + (segment if law == "cubic" else [])


def report(result) -> Fit:
    """Return the Fit whose numbers `solve` gave."""
    law = result["law"]

    def held_out(rtt_s, *numbers):
        return HeldOut(f"throughput at {1000 * rtt_s:g} ms", "bit/s", *numbers)

    rows = [held_out(*row) for row in result["rows"]]
    fitted = fitted_rows(result, lambda row: held_out(row[0], row[1], row[2], row[1]))
    held = share_held_out(rows, result)
    errors = ", ".join([f"{tried} {100 * error:.1f}%" for tried, error in result["errors"]])
    return judge(
        MODEL,
        _parameters(law, result["value"], result["S"], result["slowest"]),
        rows,
        _reason(result["rank"]),
        f"throughput at a round trip of {1000 * result['longest_s']:g} ms",
        result["sensitivity"],
        (f"Law chosen: {law}. Errors of all laws on the fitted rows: {errors}.",),
        fitted,
        held,
    )
