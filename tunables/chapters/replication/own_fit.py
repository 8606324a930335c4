"""The fit of chapter 5 to a reader's transfers, from their columns; the page runs it, too."""

import math

from tunables.chapters.replication.round_trip_laws import LAWS, MSS_BYTES, NAMES, fit_law
from tunables.parts.fit import (
    ASSUMED,
    GIVEN,
    Fit,
    HeldOut,
    Model,
    Parameter,
    elasticities,
    held_out_rows,
    judged,
)
from tunables.plain.own.columns import Column
from tunables.plain.own.quantiles import correlation, line, quantile, ranks
from tunables.theory.pipelines import pipeline_throughput

STAGES = ("source", "pump", "apply")
COLUMNS = tuple(
    [
        Column("rtt_s", "round trip time of the path", above=0),
        Column("throughput_bps", "what came through, in bits a second", above=0),
    ]
    + [
        Column(f"{stage}_bps", f"rate of {stage} by itself", above=0, required=False)
        for stage in STAGES
    ]
)
BRING = "transfers over several round trips"
MODEL = Model(
    chapter="replication",
    law="X = min(S, law of the round trip); stop-and-wait: 1/X = 1/S + RTT/W",
    baseline="a straight line in the round trip time",
    band=0.10,
)
FEWEST_ROWS = 6
_MOST_IN_PAGE = 100  # more take its engine longer than a reader waits


def wanted() -> dict:
    """Return what the page that reads transfers must know."""
    return {"kind": "table", "fewest": FEWEST_ROWS, "most": _MOST_IN_PAGE}


def _given_limits(runs):
    """Return the slowest stage of each row where stages were measured, and its name, or None."""
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
    # the row decides between equals, since MicroPython's sort does not keep their order
    order = sorted(range(len(rtt_s)), key=lambda row: (rtt_s[row], rate_bps[row], row))
    if rtt_s[order[0]] == rtt_s[order[-1]]:
        raise ValueError("rtt_s is the same in all rows: measure at several round trips")
    return {name: [values[row] for row in order] for name, values in columns.items()}


def solved(counted) -> dict:
    """Return the fit in numbers: all that its words are made of.

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
    fits = [(law, fit_law(law, rtts, rates, given)) for law in NAMES]
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
        "sensitivity": [[parameter, elasticity] for parameter, elasticity in found],
    }


def _reason(rank):
    if rank > -0.5:
        return (
            f"The rate hardly falls with the round trip (rank correlation {rank:+.2f}): "
            "something else sets it, such as loss that differs by path, or other traffic."
        )
    return "The rate falls with the round trip, but by none of the three laws."


def _parameters(law, value, limit_bps, slowest):
    _, name, what, unit = LAWS[law]
    if slowest:
        pace = Parameter("S", f"rate of {slowest}, the slowest stage", limit_bps, "bit/s", GIVEN)
    else:
        pace = Parameter("S", "rate of all that knows no round trip", limit_bps, "bit/s")
    segment = [Parameter("MSS", "a segment", MSS_BYTES, "bytes", ASSUMED)]
    return [pace, Parameter(name, what, value, unit)] + (segment if law == "cubic" else [])


def told(result) -> Fit:
    """Return the Fit whose numbers `solved` gave."""
    law = result["law"]
    rows = [
        HeldOut(f"throughput at {1000 * rtt_s:g} ms", "bit/s", *numbers)
        for rtt_s, *numbers in result["rows"]
    ]
    errors = ", ".join([f"{tried} {100 * error:.1f} %" for tried, error in result["errors"]])
    return judged(
        MODEL,
        _parameters(law, result["value"], result["S"], result["slowest"]),
        rows,
        _reason(result["rank"]),
        f"throughput at a round trip of {1000 * result['longest_s']:g} ms",
        result["sensitivity"],
        (f"Law chosen: {law}. Errors on the fitted runs: {errors}.",),
    )
