"""Chapter 4's fits: to Table 2, and to a reader's flow log.

Rival structures are fitted to Table 2; other rivals only scale or count.
`without_s` and `with_s` are the two columns of Table 2: seconds by class, in the order of
`tunables.chapters.flow_priority.predictor.CLASSES`. Each rival of the second kind knows what the
model knows: the column with DPP of Table 2, and 572 s of extra small without.
"""

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.optimize import brentq, least_squares, root

from tunables.base.agreement import relative_error
from tunables.base.portable import plain_sum
from tunables.base.user_data.columns import wanted_text
from tunables.chapters.flow_priority.fit import (
    AHEAD_BYTES,
    BRING,
    COLUMNS,
    FEWEST_ROWS,
    MODEL,
    OUT,
    SIZES,
    WINDOWS,
    check,
    report,
    solve,
)
from tunables.chapters.flow_priority.predictor import (
    ALONE_S,
    CLASSES,
    FRAME_BYTES,
    HEADER_BYTES,
    SIZE_BYTES,
    STRUCTURE_NAMES,
    STRUCTURES,
    TRANSACTIONS,
    predict,
)
from tunables.core.case import Baseline
from tunables.core.fit import Fit, FitRequest
from tunables.core.reading import read_columns
from tunables.evidence.published import Record, published
from tunables.page.formats import percent_text

_NOTHING_ADDED = {
    "queueing_delay_s": 0.0,
    "extra_small_residual_s": 0.0,
    "small_residual_s": 0.0,
    "medium_residual_s": 0.0,
    "medium_excess_s": 0.0,
}
_RESIDUALS = ["extra_small_residual_s", "small_residual_s", "medium_residual_s"]
# The solver works in these units, so that all unknowns are about 1.
_UNIT = {"port_rate_gbps": 1.0, **dict.fromkeys(_NOTHING_ADDED, 1e-3)}


def goodput_bps(port_rate_bps, mtu_bytes):
    """Return the payload rate of a port that sends full packets, without headers and frames.

    >>> round(goodput_bps(10e9, 9000) / 1e9, 3)
    9.9
    """
    return port_rate_bps * (mtu_bytes - HEADER_BYTES) / (mtu_bytes + FRAME_BYTES)


def users_bound(capacity_bps, seconds):
    """Return the most users that a database can have if all bytes pass within that time.

    Each user of each database carries out all of Table 1's transactions.

    >>> round(users_bound(9.9e9, 642), 2)
    20.58
    """
    bytes_of_one_user = plain_sum(
        size * n for size, n in zip(SIZE_BYTES, TRANSACTIONS, strict=True)
    )
    return capacity_bps * seconds / (8 * bytes_of_one_user)


def _at_rate(settings, rate_gbps):
    """Return settings for a port of that rate, in Table 1 too."""
    rates = {"port_rate_gbps": rate_gbps, "table_1_port_rate_gbps": rate_gbps}
    return {**settings, **rates, "table_1_users": settings["users"]}


def _output(column, name):
    return f"{name}_{column}_s"


def _solve(settings, names, targets):
    """Return settings in which the named parameters are such that each output meets its target."""

    def misses(values):
        answer = predict(**_with_values(settings, names, values))
        return [answer[output] / target - 1 for output, target in targets.items()]

    solution = root(misses, [settings[name] / _UNIT[name] + 1 for name in names], tol=1e-10)
    if not solution.success:
        raise ValueError(f"{names} cannot meet {targets}: {solution.message}")
    return _with_values(settings, names, solution.x)


def _with_values(settings, names, values):
    # A solver may step below 0, where the model is not defined.
    steps = {n: max(0.0, float(v)) * _UNIT[n] for n, v in zip(names, values, strict=True)}
    changed = {**settings, **steps}
    return _at_rate(changed, changed["port_rate_gbps"])


def calibrate(without_s, with_s, users=20, max_packets=20, mtu_bytes=9000):
    """Return {structure: settings for `predict`}, fitted as follows.

    - every structure: port_rate_gbps (as in S0) to the mean of the two large classes without DPP
    - "S1": queueing_delay_s to extra small without DPP
    - "M4": the three residuals to the small classes with DPP, queueing_delay_s to extra small
      without
    - "M5": the residual to extra small with DPP, queueing_delay_s to extra small without,
      medium_excess_s to medium without
    """
    without = {_output("without", name): t for name, t in zip(CLASSES, without_s, strict=True)}
    with_dpp = {_output("with", name): t for name, t in zip(CLASSES, with_s, strict=True)}
    shared = {"users": users, "max_packets": max_packets, "mtu_bytes": mtu_bytes}
    large = [_output("without", name) for name in CLASSES if name.startswith("large")]

    base = {"structure": "S0", **shared, **_NOTHING_ADDED}

    def large_miss(rate_gbps):
        answer = predict(**_at_rate(base, rate_gbps))
        return plain_sum(answer[name] - without[name] for name in large)

    # A slower port could not carry the bytes of a class in Table 1's time.
    slowest = max(
        8e-9 * users * s * n / t for s, n, t in zip(SIZE_BYTES, TRANSACTIONS, ALONE_S, strict=True)
    )
    base = _at_rate(base, brentq(large_miss, 1.001 * slowest, 4 * slowest, xtol=1e-9))

    extra_small = "extra_small_without_s"
    first = {extra_small: without[extra_small]}
    small_with = {_output("with", name): with_dpp[_output("with", name)] for name in CLASSES[:3]}
    s1 = _solve({**base, "structure": "S1"}, ["queueing_delay_s"], first)
    m4 = _solve(
        {**base, "structure": "M4"}, [*_RESIDUALS, "queueing_delay_s"], {**small_with, **first}
    )
    m5 = _solve(
        {**base, "structure": "M5"},
        ["extra_small_residual_s", "queueing_delay_s", "medium_excess_s"],
        {
            "extra_small_with_s": with_dpp["extra_small_with_s"],
            **first,
            "medium_without_s": without["medium_without_s"],
        },
    )
    return {"S0": base, "S1": s1, "M4": m4, "M5": m5}


def least_squares_fit(without_s, with_s, start):
    """Return the "M5" settings that minimise the squared relative errors of all ten times.

    Four reals are fitted (port rate, residual, queueing delay, medium excess), beginning from
    the settings `start`.
    """
    names = ["port_rate_gbps", "extra_small_residual_s", "queueing_delay_s", "medium_excess_s"]
    targets = [
        (_output(column, name), time)
        for column, times in (("without", without_s), ("with", with_s))
        for name, time in zip(CLASSES, times, strict=True)
    ]

    def errors(values):
        answer = predict(**_with_values(start, names, values))
        return [answer[output] / time - 1 for output, time in targets]

    fit = least_squares(errors, [start[name] / _UNIT[name] for name in names], x_scale="jac")
    return _with_values(start, names, fit.x)


TABLE_2_COLUMNS = ("without", "with")


@cache
def data() -> dict[str, Record]:
    """Return the report's numbers by row id."""
    return published("nexus-dpp")


def row_id(name: str, what: str) -> str:
    """Return the id of the row in data/ that holds a number of a class.

    >>> row_id("extra_small", "with")
    'extra-small-with'
    """
    return f"{name.replace('_', '-')}-{what}"


def published_times(column: str) -> list[float]:
    """Return a column of Table 2, "without" or "with", in seconds by class."""
    return [data()[row_id(name, column)].value for name in CLASSES]


def inferred_users() -> int:
    """Return the most users per database whose bytes the port can carry in the time of Large 2."""
    payload = goodput_bps(data()["port-traffic"].value * 1e9, int(data()["mtu-set"].value))
    return int(users_bound(payload, data()["large-2-with"].value))


@cache
def fitted_settings() -> dict[str, dict]:
    """Return {structure: settings of `predict`}, fitted to Table 2 as `calibrate` says."""
    users = inferred_users()
    return calibrate(published_times("without"), published_times("with"), users=users)


NAMES = dict(zip(STRUCTURES, STRUCTURE_NAMES, strict=True))

# The port's rate is fitted in every structure, to the mean of the large classes without DPP.
_LARGE = ("large_1_without_s", "large_2_without_s")
FITTED_TO = {
    "S0": _LARGE,
    "S1": (*_LARGE, "extra_small_without_s"),
    "M4": (
        *_LARGE,
        "extra_small_without_s",
        "extra_small_with_s",
        "small_with_s",
        "medium_with_s",
    ),
    "M5": (*_LARGE, "extra_small_without_s", "medium_without_s", "extra_small_with_s"),
}
FITTED_REALS = {
    "S0": ("port rate",),
    "S1": ("port rate", "wait"),
    "M4": ("port rate", "wait", "three residuals"),
    "M5": ("port rate", "wait", "residual", "medium excess"),
}


@dataclass(frozen=True)
class Time:
    """One of Table 2's times under one structure; `error` is None if it was fitted."""

    structure: str
    output: str
    published: float
    modelled: float
    status: str
    error: float | None


def times(structure: str) -> list[Time]:
    """Return the ten times of Table 2 under a structure, each with its status in it."""
    outputs = predict(**fitted_settings()[structure])
    found = []
    for column in TABLE_2_COLUMNS:
        for name in CLASSES:
            record = data()[row_id(name, column)]
            output = f"{name}_{column}_s"
            fitted = output in FITTED_TO[structure]
            error = relative_error(outputs[output], record.value, record.relation)
            found.append(
                Time(
                    structure,
                    output,
                    record.value,
                    outputs[output],
                    "calibrated" if fitted else "not fitted",
                    None if fitted else error,
                )
            )
    return found


def structure_rows() -> tuple[tuple[str, ...], ...]:
    """Return a row of text per time: the published one, then "seconds (error)" by structure."""

    def cell(time):
        return f"{time.modelled:.0f} " + (
            "(fitted)" if time.error is None else f"({percent_text(time.error)})"
        )

    by_structure = [times(structure) for structure in STRUCTURES]
    labels = [f"{name.replace('_', ' ')}, {c}" for c in TABLE_2_COLUMNS for name in CLASSES]
    return tuple(
        (label.capitalize(), f"{row[0].published:.0f}", *map(cell, row))
        for label, row in zip(labels, zip(*by_structure, strict=True), strict=True)
    )


SMALL = CLASSES[:3]
INITIAL_WINDOW = 10  # packets that a connection may send before the first answer (RFC 6928)


def _value(name, what):
    return data()[row_id(name, what)].value


def savings_s() -> list[float]:
    """Return what DPP saves a transaction of each small class, in seconds."""
    return [
        (_value(name, "without") - _value(name, "with")) / _value(name, "transactions")
        for name in SMALL
    ]


def waits_in_line(rounds) -> list[float]:
    """Return the seconds without DPP if a transaction of class k waits rounds[k] times in a queue.

    T_k = T_k(with DPP) + n_k rounds[k] w, with w fitted to extra small. The slow queue is served
    first come, first served, and drops nothing, so everybody waits equally long.
    """
    wait_s = savings_s()[0] / rounds[0]
    return [
        _value(name, "with") + _value(name, "transactions") * count * wait_s
        for name, count in zip(SMALL, rounds, strict=True)
    ]


def constant_ratio() -> list[float]:
    """Return the seconds without DPP if DPP shortens all small classes by extra small's factor."""
    ratio = _value("extra_small", "without") / _value("extra_small", "with")
    return [ratio * _value(name, "with") for name in SMALL]


def packet_counts() -> list[int]:
    """Return the packets per transaction of each small class, at the MTU of the report's text."""
    payload = int(data()["mtu-set"].value) - HEADER_BYTES
    return [math.ceil(size / payload) for size in SIZE_BYTES[:3]]


def window_counts() -> list[int]:
    """Return the initial windows per transaction of each small class."""
    return [math.ceil(count / INITIAL_WINDOW) for count in packet_counts()]


def wait_and_price() -> tuple[float, float]:
    """Return a wait w per transaction and a price p per packet, in seconds, from what DPP saves.

    saving_k = w + p m_k, with m_k packets, is the line through extra small and medium. The price
    is the mean cost of losses per packet: the probability of a loss times the time until the
    packet is sent again.
    """
    saved, count = savings_s(), packet_counts()
    price_s = (saved[2] - saved[0]) / (count[2] - count[0])
    return saved[0] - price_s * count[0], price_s


def line_that_drops() -> list[float]:
    """Return the seconds without DPP by `wait_and_price`: T_k(with DPP) + n_k (w + p m_k).

    It is fitted to extra small and medium, so only small tests it.
    """
    wait_s, price_s = wait_and_price()
    return [
        _value(name, "with") + _value(name, "transactions") * (wait_s + price_s * count)
        for name, count in zip(SMALL, packet_counts(), strict=True)
    ]


def left_by_price(ahead) -> float:
    """Return the % of medium's gain that `wait_and_price` leaves if `ahead` packets go ahead.

    These packets do not pay the price. The wait is saved only if no packet stays behind.
    """
    wait_s, price_s = wait_and_price()
    count = packet_counts()[2]
    spared = price_s * min(ahead, count) + (wait_s if ahead >= count else 0.0)
    return 100 * spared / (wait_s + price_s * count)


def rivals() -> dict[str, list[float]]:
    """Return {rival: its three times without DPP, extra small, small and medium}."""
    ours = predict(**fitted_settings()["M4"])
    return {
        "The model: a wait, and equal shares": [ours[f"{name}_without_s"] for name in SMALL],
        "The same ratio for all, 572/390": constant_ratio(),
        "First come, first served: one wait for all": waits_in_line((1, 1, 1)),
        "A wait for each window of ten packets": waits_in_line(window_counts()),
    }


def _remark_on_large_1() -> str:
    before, after = _value("large_1", "without"), _value("large_1", "with")
    ours = predict(**fitted_settings()["M4"])["large_1_with_s"]
    return (
        f"The workload large 1 takes {after:.0f} s with DPP. A guess of {before:.0f} s, its time "
        f"without DPP, is off by {percent_text(before / after - 1)} and the model by "
        f"{percent_text(ours / after - 1)}, "
        "so the model does no better there."
    )


def baseline() -> Baseline:
    """Return the rival with one ratio for all, and how the model compares with it."""
    ratio = dict(zip(SMALL, constant_ratio(), strict=True))
    return Baseline(
        label="DPP speeds up each small workload by the same factor as the smallest, 572/390",
        values={row_id(name, "without"): ratio[name] for name in ("small", "medium")},
        earns=_remark_on_large_1(),
    )


def count(data) -> dict:
    """Return what `solve` takes: means of the columns by window and class of size."""
    order = np.argsort(data["start_s"], kind="stable")
    start_s, size, duration_s = (
        data[name][order] for name in ("start_s", "size_bytes", "duration_s")
    )
    window = np.arange(len(size)) * WINDOWS // len(size)
    first = start_s[np.searchsorted(window, np.arange(WINDOWS))]
    window_s = np.diff([*first, start_s[-1]])
    edges = np.quantile(size[~np.isin(window, OUT)], np.arange(1, SIZES) / SIZES)
    cell = window * SIZES + np.searchsorted(edges, size, side="left")
    flows = np.bincount(cell, minlength=WINDOWS * SIZES)
    least_s, fewest = float(window_s.min()), int(flows.min())
    check(least_s, fewest)
    sizes, durations = (
        (np.bincount(cell, values, WINDOWS * SIZES) / flows).reshape(WINDOWS, SIZES).tolist()
        for values in (size, duration_s)
    )
    return {
        "least_s": least_s,
        "fewest": fewest,
        "sizes": sizes,
        "durations": durations,
        "loads": (8 * np.bincount(window, size, WINDOWS) / window_s).tolist(),
        "size": float(np.median(size)),
        "ahead": float(np.minimum(size, AHEAD_BYTES).sum() / size.sum()),
    }


def fit_flow_sizes(source) -> Fit:
    """Fit the port's capacity and the base time of a flow, and predict other loads.

    The log is cut in order of time into nine windows with equally many flows, and by size into
    three classes. The mean durations of every third window are held out, and predicted from its
    load (the bytes that began in it) and its mean sizes. C and z are fitted to the others.
    Raises ValueError for what `read_columns` refuses, and for fewer than 25 flows of a class in
    a window.
    """
    return report(solve(count(read_columns(source, COLUMNS, FEWEST_ROWS))))


def fit_request() -> FitRequest:
    """Return the fit to a reader's numbers, and what it wants."""
    return FitRequest(fit_flow_sizes, MODEL, BRING, wanted_text(COLUMNS))
