"""Chapter 5 with a reader's own transfers: which law of the round trip, which stage."""

import numpy as np
from scipy.optimize import least_squares

from tunables.own.fit import (
    ASSUMED,
    FITTED,
    GIVEN,
    Fit,
    HeldOut,
    Model,
    Parameter,
    elasticities,
    held_out_rows,
    judged,
)
from tunables.own.reading import Column, read_columns
from tunables.theory.pipelines import pipeline_throughput
from tunables.theory.tcp import cubic_throughput, window_limited_throughput

STAGES = ("source", "pump", "apply")
COLUMNS = (
    Column("rtt_s", "round trip time of the path", above=0),
    Column("throughput_bps", "what came through, in bits a second", above=0),
    *(
        Column(f"{stage}_bps", f"rate of {stage} by itself", above=0, required=False)
        for stage in STAGES
    ),
)
MODEL = Model(
    chapter=5,
    law="X = min(S, law of the round trip); stop-and-wait: 1/X = 1/S + RTT/W",
    baseline="a straight line in the round trip time",
    band=0.10,
)
MSS_BYTES = 1460
_FEWEST_RUNS = 6


def _window(limit_bps, window_bytes, rtt_s):
    return min(limit_bps, 8 * window_limited_throughput(window_bytes, rtt_s))


def _cubic(limit_bps, loss, rtt_s):
    return min(limit_bps, 8 * cubic_throughput(MSS_BYTES, rtt_s, min(loss, 1)))


def _stop_and_wait(limit_bps, block_bytes, rtt_s):
    return 1 / (1 / limit_bps + rtt_s / (8 * block_bytes))


# Law -> (rate by limit, parameter and round trip; the parameter's name, what it is, its unit).
LAWS = {
    "window": (_window, "W", "the window", "bytes"),
    "cubic": (_cubic, "loss", "of the segments", ""),
    "stop-and-wait": (_stop_and_wait, "W", "sent in a round trip", "bytes"),
}


def _guess(law, rtt_s, rate_bps):
    """Return the parameter with which the law gives the slowest run, there being no limit."""
    slowest = int(np.argmin(rate_bps))
    rtt, rate = rtt_s[slowest], rate_bps[slowest]
    if law == "cubic":
        at_1e_4 = 8 * cubic_throughput(MSS_BYTES, rtt, 1e-4)
        return min(1e-4 * (at_1e_4 / rate) ** (4 / 3), 0.5)
    return rate * rtt / 8


def _calibrate(law, rtt_s, rate_bps, given_bps):
    """Return (mean square of the log errors, S or None, parameter), from several starts."""
    rate_of = LAWS[law][0]

    def residuals(logs):
        limits = np.exp(logs[1]) * np.ones(len(rtt_s)) if given_bps is None else given_bps
        rates = [
            rate_of(limit, np.exp(logs[0]), rtt) for limit, rtt in zip(limits, rtt_s, strict=True)
        ]
        return np.log(rates) - np.log(rate_bps)

    guess = np.log(_guess(law, rtt_s, rate_bps))
    tops = np.quantile(rate_bps, [1.0, 0.75, 0.5]) if given_bps is None else [None]
    starts = [
        [guess + shift, *([] if top is None else [np.log(top)])]
        for top in tops
        for shift in (-0.5, 0.0, 0.5)
    ]
    best = min((least_squares(residuals, start) for start in starts), key=lambda f: f.cost)
    limit = float(np.exp(best.x[1])) if given_bps is None else None
    return 2 * best.cost / len(rtt_s), limit, float(np.exp(best.x[0]))


def _given_limits(data):
    """Return the slowest stage of each row where stages were measured, and its name, or None."""
    named = [stage for stage in STAGES if f"{stage}_bps" in data]
    if not named:
        return None, None
    rows = zip(*(data[f"{stage}_bps"].tolist() for stage in named), strict=True)
    slowest = [pipeline_throughput(dict(zip(named, row, strict=True))) for row in rows]
    names = [name for _, name in slowest]
    return np.array([rate for rate, _ in slowest]), max(set(names), key=names.count)


def _reason(rtt_s, rate_bps):
    rank = np.corrcoef(np.argsort(np.argsort(rtt_s)), np.argsort(np.argsort(rate_bps)))[0, 1]
    if rank > -0.5:
        return (
            f"The rate hardly falls with the round trip (rank correlation {rank:+.2f}): "
            "something else sets it, such as loss that differs by path, or other traffic."
        )
    return "The rate falls with the round trip, but by none of the three laws."


def fit_stage_rates(source) -> Fit:
    """Fit each law to two thirds of the runs, keep the best, and predict the others.

    S is the rate of all that knows no round trip: the slowest of the stages where their own
    rates are given, otherwise fitted. "window": W/RTT (Reno at a fixed loss looks the same);
    "cubic": `cubic_throughput` at a fixed loss, segments of 1460 bytes; "stop-and-wait": W
    bytes, then a round trip. The law with the least error on the fitted runs is kept. Held
    out: every third run in order of RTT, from the second on.
    Raises ValueError for what `read_columns` refuses and fewer than six rows.
    """
    data = read_columns(source, COLUMNS, at_least_rows=_FEWEST_RUNS)
    order = np.lexsort((data["throughput_bps"], data["rtt_s"]))
    data = {name: values[order] for name, values in data.items()}
    rtt_s, rate_bps = data["rtt_s"], data["throughput_bps"]
    if rtt_s[0] == rtt_s[-1]:
        raise ValueError("rtt_s is the same in all rows: measure at several round trips")
    given_bps, slowest = _given_limits(data)
    out = held_out_rows(len(rtt_s), first=1)
    kept = np.setdiff1d(np.arange(len(rtt_s)), out)
    given = None if given_bps is None else given_bps[kept]
    fits = {law: _calibrate(law, rtt_s[kept], rate_bps[kept], given) for law in LAWS}
    law = min(fits, key=lambda name: fits[name][0])
    rate_of, name, what, unit = LAWS[law]
    _, limit, value = fits[law]
    limits = np.full(len(rtt_s), limit) if given_bps is None else given_bps
    line = np.polynomial.Polynomial.fit(rtt_s[kept], rate_bps[kept], 1)
    held_out = [
        HeldOut(
            f"throughput at {1000 * rtt_s[row]:g} ms",
            "bit/s",
            float(rate_bps[row]),
            float(rate_of(limits[row], value, rtt_s[row])),
            max(0.0, float(line(rtt_s[row]))),
        )
        for row in out
    ]
    pace = (
        f"rate of {slowest}, the slowest stage"
        if slowest
        else "rate of all that knows no round trip"
    )
    parameters = [
        Parameter("S", pace, float(np.median(limits)), "bit/s", GIVEN if slowest else FITTED),
        Parameter(name, what, value, unit),
    ]
    if law == "cubic":
        parameters.append(Parameter("MSS", "a segment", MSS_BYTES, "bytes", ASSUMED))
    others = ", ".join(
        f"{other} {100 * np.sqrt(error):.1f} %" for other, (error, _, _) in fits.items()
    )
    longest = float(rtt_s[-1])
    return judged(
        MODEL,
        parameters,
        held_out,
        _reason(rtt_s[kept], rate_bps[kept]),
        f"throughput at a round trip of {1000 * longest:g} ms",
        elasticities(
            lambda **x: rate_of(x["S"], x[name], x["RTT"]),
            {"S": float(limits[-1]), name: value, "RTT": longest},
        ),
        (f"Law chosen: {law}. Errors on the fitted runs: {others}.",),
    )
