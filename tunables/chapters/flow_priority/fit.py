"""The fit of chapter 4 to a user's flow log, from the means of its cells. The page runs it too.

The law: equal shares of a port, plus a time spent elsewhere.
"""

import math

from tunables.base.user_data.columns import Column
from tunables.base.user_data.numerics import least_squares, mean
from tunables.core.fit import (
    Fit,
    FittedModel,
    FittedParameter,
    HeldOut,
    elasticities,
    errors_on,
    fitted_rows,
    held_out_rows,
    judge,
)
from tunables.page.formats import with_commas
from tunables.theory.mg1 import mg1_ps_response

COLUMNS = (
    Column("start_s", "when the flow began"),
    Column("size_bytes", "number of bytes in the flow", above=0),
    Column("duration_s", "time from its start to its last byte", above=0),
)
BRING = "a flow log"
READS = "an nginx access log whose lines end with $request_time"
MODEL = FittedModel(
    chapter="flow_priority",
    law="a flow of x bytes takes z + 8 x / (C - load): equal shares of the port",
    baseline="the mean duration of the fitted flows in the same size class",
    band=0.20,
    along="the load",
)
WINDOWS, SIZES = 9, 3
_NAMES = ("small", "medium", "large")
_FEWEST_FLOWS = 25  # per size and window
FEWEST_ROWS = WINDOWS * SIZES * _FEWEST_FLOWS
AHEAD_BYTES = 20 * 8948  # the published 20 packets at an MTU of 9000, without headers
OUT = held_out_rows(WINDOWS)
_KEPT = [window for window in range(WINDOWS) if window not in OUT]


def duration(size_bytes, load_bps, capacity_bps, base_s) -> float:
    """Return base_s plus the response time on a port of capacity_bps, in seconds."""
    if load_bps >= capacity_bps:
        return math.inf
    return base_s + mg1_ps_response(8 * size_bytes / capacity_bps, load_bps / capacity_bps)


def fit_port(sizes, durations, loads):
    """Return the capacity (bits/s) and the base time (s), by least squares on log durations."""
    cells = [
        (size, math.log(seconds), load)
        for row, times, load in zip(sizes, durations, loads)
        for size, seconds in zip(row, times)
    ]
    heaviest, shortest = max(loads), min([min(times) for times in durations])

    def residuals(x):
        capacity, base_s = heaviest * (1 + math.exp(x[0])), math.exp(x[1])
        return [math.log(base_s + 8 * size / (capacity - load)) - log for size, log, load in cells]

    starts = [[spare, math.log(shortest / 2)] for spare in (-2.0, 0.0, 2.0, 4.0)]
    found = [least_squares(residuals, start) for start in starts]
    x, _ = min(found, key=lambda each: each[1])
    return heaviest * (1 + math.exp(x[0])), math.exp(x[1])


def wanted() -> dict:
    """Return what the page needs to know to read a flow log."""
    shape = {"windows": WINDOWS, "sizes": SIZES, "out": OUT, "ahead": AHEAD_BYTES}
    shape.update({"kind": "table", "fewest": FEWEST_ROWS})
    return shape


def check(least_s, fewest):
    """Raise ValueError for a log with a window of no length or a cell with too few flows.

    least_s: the shortest window; fewest: the number of flows in the smallest cell.
    """
    if least_s <= 0:
        raise ValueError(
            "start_s is the same in a ninth of the rows; log the start of each flow with more "
            "digits"
        )
    if fewest < _FEWEST_FLOWS:
        raise ValueError(
            f"the log is cut into {WINDOWS} windows and {SIZES} size classes, and in one window, "
            f"one class has only {fewest:.0f} flows; each needs at least {_FEWEST_FLOWS}: log more "
            "flows, or flows whose sizes differ more"
        )


def _contrasts(sizes, durations, loads):
    """Return the ratios of the fitted windows: sizes, durations by size, durations by load."""
    first, last = [mean([row[k] for row in sizes]) for k in (0, SIZES - 1)]
    small, large = [mean([row[k] for row in durations]) for k in (0, SIZES - 1)]
    busy, idle = [durations[loads.index(of(loads))][-1] for of in (max, min)]
    return {"longer": last / first, "slower": large / small, "busier": busy / idle}


def solve(counted) -> dict:
    """Return the numbers of the fit, from which `report` makes its sentences.

    counted: "sizes" and "durations", the means by window and class of size; "loads" by window,
    bits per second; "least_s" and "fewest", as `check` takes them; "size", the median of all
    flows; and "ahead", the share of the bytes that are among a flow's first AHEAD_BYTES.
    Raises ValueError as `check` does.
    """
    check(counted["least_s"], counted["fewest"])
    sizes, durations, loads = counted["sizes"], counted["durations"], counted["loads"]
    kept = [[rows[window] for window in _KEPT] for rows in (sizes, durations, loads)]
    capacity_bps, base_s = fit_port(*kept)
    usual = [mean([row[k] for row in kept[1]]) for k in range(SIZES)]
    rows = []
    for w in OUT:
        for k in range(SIZES):
            predicted = duration(sizes[w][k], loads[w], capacity_bps, base_s)
            rows.append([k, loads[w], durations[w][k], _or_none(predicted), usual[k]])
    checked = [
        [k, loads[w], durations[w][k], duration(sizes[w][k], loads[w], capacity_bps, base_s)]
        for w in _KEPT
        for k in range(SIZES)
    ]
    size, load = counted["size"], mean(loads)
    small, ahead = mean([row[0] for row in sizes]), counted["ahead"]
    found = elasticities(
        lambda C, load, z: duration(size, load, C, z),
        [("C", capacity_bps), ("load", load), ("z", base_s)],
    )
    result = _contrasts(*kept)
    result.update({"C": capacity_bps, "z": base_s, "size": size, "ahead": ahead, "rows": rows})
    result["ahead_s"] = _or_none(duration(small, ahead * load, capacity_bps, base_s))
    result["shared_s"] = _or_none(duration(small, load, capacity_bps, base_s))
    result.update(errors_on([row[1] for row in checked], checked))
    result["swing"] = max(loads) / min(loads)
    result["sensitivity"] = [[name, elasticity] for name, elasticity in found]
    return result


def _or_none(seconds):
    """Return a time, or None for an infinite one, which JSON cannot hold."""
    return seconds if seconds < math.inf else None


def _or_endless(seconds):
    return math.inf if seconds is None else seconds


def _reason(result):
    if result["slower"] < 0.2 * result["longer"]:
        return (
            f"Flows {result['longer']:.0f} times as large take only {result['slower']:.1f} times "
            "as long, so rather than sharing the port, they wait behind each other or for "
            "something else."
        )
    if result["busier"] < 1.2:
        return (
            "Durations do not rise with the load, so something other than this port limits the "
            "flows."
        )
    return "Durations rise with size and load, but not as they would with equal shares of one port."


def _notes(result):
    ahead_s, shared_s = _or_endless(result["ahead_s"]), _or_endless(result["shared_s"])
    yield (
        f"If the first {with_commas(AHEAD_BYTES)} bytes of each flow went ahead "
        f"({100 * result['ahead']:.0f}% of all bytes), small flows would take {ahead_s:.3g} s "
        f"instead of {shared_s:.3g} s."
    )
    if result["swing"] < 1.5:
        yield (
            "The load hardly varies, so equal shares and a fixed rate per flow look the same. Use "
            "a log that covers both quiet and busy hours."
        )


def _load_text(load_bps):
    """Return a load in Mbit/s with three digits and grouped thousands."""
    text = f"{load_bps / 1e6:.3g}"
    return text if "e" in text or "." in text else with_commas(float(text))


def _row(k, load_bps, measured, predicted, usual):
    what = f"{_NAMES[k]} flows at {_load_text(load_bps)} Mbit/s"
    return HeldOut(what, "s", measured, _or_endless(predicted), usual)


def report(result) -> Fit:
    """Return the Fit with the numbers that `solve` returned."""
    rows = [_row(*row) for row in result["rows"]]
    fitted = fitted_rows(result, lambda row: _row(row[0], row[1], row[2], row[3], row[2]))
    held = f"{len(OUT)} of {WINDOWS} windows held out"
    parameters = (
        FittedParameter("C", "capacity of the port", result["C"], "bit/s"),
        FittedParameter("z", "time spent outside the port", result["z"], "s"),
    )
    where = f"duration of a flow of {with_commas(result['size'])} bytes at the mean load"
    sensitivity, notes = result["sensitivity"], list(_notes(result))
    reason = _reason(result)
    return judge(MODEL, parameters, rows, reason, where, sensitivity, notes, fitted, held)
