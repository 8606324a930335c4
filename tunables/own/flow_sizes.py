"""Chapter 4 with a reader's own flow log: do the flows share the port equally?"""

import numpy as np
from scipy.optimize import least_squares

from tunables.own.fit import Fit, HeldOut, Model, Parameter, elasticities, held_out_rows, judged
from tunables.own.reading import Column, read_columns
from tunables.theory.queueing import mg1_ps_response

COLUMNS = (
    Column("start_s", "when the flow began"),
    Column("size_bytes", "bytes of the flow", above=0),
    Column("duration_s", "time until its last byte", above=0),
)
MODEL = Model(
    chapter=4,
    law="a flow of x bytes takes z + 8 x / (C - load): equal shares of the port",
    baseline="the mean duration of the fitted flows of that size",
    band=0.20,
)
WINDOWS, SIZES = 9, 3
_FEWEST_FLOWS = 25  # of one size in one window
AHEAD_BYTES = 20 * 8948  # the published 20 packets of an MTU of 9000, headers off


def _cells(data):
    """Return arrays (windows, sizes) of mean size and mean duration, and each window's load."""
    order = np.argsort(data["start_s"], kind="stable")
    start_s, size, duration_s = (
        data[name][order] for name in ("start_s", "size_bytes", "duration_s")
    )
    window = np.arange(len(size)) * WINDOWS // len(size)
    first = start_s[np.searchsorted(window, np.arange(WINDOWS))]
    window_s = np.diff([*first, start_s[-1]])
    if window_s.min() <= 0:
        raise ValueError(
            "start_s is the same in a ninth of the rows: log when each flow began, in more digits"
        )
    fitted = ~np.isin(window, held_out_rows(WINDOWS))
    edges = np.quantile(size[fitted], np.arange(1, SIZES) / SIZES) if fitted.any() else [0, 0]
    cell = window * SIZES + np.searchsorted(edges, size, side="left")
    flows = np.bincount(cell, minlength=WINDOWS * SIZES)
    if flows.min() < _FEWEST_FLOWS:
        raise ValueError(
            f"the log is cut into {WINDOWS} windows and {SIZES} classes of size, and one cell has "
            f"{flows.min()} flows: at least {_FEWEST_FLOWS} are needed; log more flows, or "
            "sizes that differ more"
        )
    shape = (WINDOWS, SIZES)
    means = [
        (np.bincount(cell, values, WINDOWS * SIZES) / flows).reshape(shape)
        for values in (size, duration_s)
    ]
    return *means, 8 * np.bincount(window, size, WINDOWS) / window_s


def duration(size_bytes, load_bps, capacity_bps, base_s) -> float:
    """Return z plus the response time of `mg1_ps_response` on a port of capacity_bps, s."""
    if load_bps >= capacity_bps:
        return np.inf
    return base_s + mg1_ps_response(8 * size_bytes / capacity_bps, load_bps / capacity_bps)


def _calibrate(sizes, durations, loads):
    """Return (C, z) by least squares on the logarithm of the mean durations."""
    measured = np.log(durations)
    heaviest = loads.max()

    def residuals(x):
        capacity, base_s = heaviest * (1 + np.exp(x[0])), np.exp(x[1])
        by_law = base_s + 8 * sizes / (capacity - loads)[:, None]
        return (np.log(by_law) - measured).ravel()

    starts = [(spare, np.log(durations.min() / 2)) for spare in (-2.0, 0.0, 2.0, 4.0)]
    best = min((least_squares(residuals, s) for s in starts), key=lambda found: found.cost)
    return float(heaviest * (1 + np.exp(best.x[0]))), float(np.exp(best.x[1]))


def _reason(sizes, durations, loads):
    small, large = durations[:, 0].mean(), durations[:, -1].mean()
    if large / small < 0.2 * sizes[:, -1].mean() / sizes[:, 0].mean():
        return (
            f"Flows {sizes[:, -1].mean() / sizes[:, 0].mean():.0f} times as long take only "
            f"{large / small:.1f} times as much time: they wait behind each other, or for "
            "something else, rather than share the port."
        )
    busy, idle = durations[loads.argmax(), -1], durations[loads.argmin(), -1]
    if busy < 1.2 * idle:
        return "Durations do not rise with the load: something other than this port limits a flow."
    return "Durations rise with size and load, but not as equal shares of one port would."


def fit_flow_sizes(source) -> Fit:
    """Fit the port's capacity and the base time of a flow, and predict other loads.

    The log is cut, in order of time, into nine windows of as many flows, and by size into
    three classes. Held out: the mean durations of every third window, predicted from its load
    (bytes begun in it) and mean sizes. C and z are fitted to the others.
    Raises ValueError for what `read_columns` refuses, and fewer than 25 flows of one class in
    one window.
    """
    data = read_columns(source, COLUMNS, at_least_rows=WINDOWS * SIZES * _FEWEST_FLOWS)
    sizes, durations, loads = _cells(data)
    out = held_out_rows(WINDOWS)
    kept = np.setdiff1d(np.arange(WINDOWS), out)
    capacity_bps, base_s = _calibrate(sizes[kept], durations[kept], loads[kept])
    names = ("small", "medium", "large")
    held_out = [
        HeldOut(
            f"{names[k]} flows at {loads[w] / 1e6:,.3g} Mbit/s",
            "s",
            float(durations[w, k]),
            float(duration(sizes[w, k], loads[w], capacity_bps, base_s)),
            float(durations[kept, k].mean()),
        )
        for w in out
        for k in range(SIZES)
    ]
    size, load = float(np.median(data["size_bytes"])), float(loads.mean())
    ahead = float(np.minimum(data["size_bytes"], AHEAD_BYTES).sum() / data["size_bytes"].sum())
    small = float(sizes[:, 0].mean())
    notes = [
        f"With the first {AHEAD_BYTES:,} bytes of each flow ahead ({100 * ahead:.0f} % of all), "
        f"small flows would take {duration(small, ahead * load, capacity_bps, base_s):.3g} s "
        f"in place of {duration(small, load, capacity_bps, base_s):.3g} s."
    ]
    if loads.max() < 1.5 * loads.min():
        notes.append(
            "The load hardly varies, so that equal shares and a fixed rate for each flow look "
            "the same: fit a log that holds quiet and busy hours."
        )
    return judged(
        MODEL,
        (
            Parameter("C", "capacity of the port", capacity_bps, "bit/s"),
            Parameter("z", "time spent elsewhere", base_s, "s"),
        ),
        held_out,
        _reason(sizes[kept], durations[kept], loads[kept]),
        f"duration of a flow of {size:,.0f} bytes at the mean load",
        elasticities(
            lambda C, load, z: duration(size, load, C, z),
            {"C": capacity_bps, "load": load, "z": base_s},
        ),
        notes,
    )
