"""Chapter 3 with a reader's own key trace: independent requests with a scan among them."""

import math
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from tunables.own.fit import COUNTED, Fit, HeldOut, Model, Parameter, elasticities, judged
from tunables.own.text import delimiter_of, refuse, rows_of, text_of
from tunables.own.trace import HEADER_WORDS, read_keys
from tunables.simulators.stack import stack_distances

MODEL = Model(
    chapter=3,
    law="Che's approximation: independent requests, with a cyclic scan of n keys among them",
    baseline="a straight line: room for a tenth of the keys saves a tenth of the misses",
    band=0.05,
    error="difference",
)
_FEWEST_REQUESTS = 500
_SHARES = tuple((2 * tenth + 1) / 20 for tenth in range(10))  # capacities, of the keys
# A key is scanned if it comes at even intervals: for independent requests the coefficient of
# variation of eight intervals is near 1, and below 0.3 in less than 1 case in 200.
_EVEN, _FEWEST_INTERVALS = 0.3, 8
_SAME_PERIOD = 0.2


class Traffic(NamedTuple):
    """What the first half of a trace shows: the parameters of the model.

    keys: distinct; scan_keys = n of them come round every period_requests; one_timers: share
    of requests for keys asked for once, which hit nothing and take room; probability[i] is
    that of each of number[i] other keys, in a request.
    """

    keys: int
    scan_keys: float
    period_requests: float
    one_timers: float
    probability: np.ndarray
    number: np.ndarray


def read_trace(source) -> np.ndarray:
    """Return the requests of a trace as ids; a column is found by its heading (key, url, ...).

    Raises ValueError for what `read_keys` refuses, and for several columns of which not
    exactly one is called as a key is.
    """
    text = text_of(source)
    delimiter = delimiter_of(text)
    line, first = next(rows_of(text, delimiter, "keys"))
    column = None
    if len(first) > 1:
        named = [cell for cell in first if cell.lower() in HEADER_WORDS]
        if len(named) != 1:
            refuse(
                line,
                f"the columns found are {', '.join(first)}; wanted is one of the name key "
                f"(or {', '.join(sorted(HEADER_WORDS - {'key'}))}): change its heading",
            )
        column = named[0]
    ids = read_keys(text + "\n", column, delimiter).ids
    if len(ids) < _FEWEST_REQUESTS:
        raise ValueError(
            f"{len(ids)} requests are too few: this fit needs at least {_FEWEST_REQUESTS}"
        )
    return ids


def _scanned(ids, counts):
    """Return which keys come at even intervals of one common period, and that period."""
    order = np.argsort(ids, kind="stable")
    gaps = np.diff(order)
    same = ids[order][1:] == ids[order][:-1]
    keys, gaps = ids[order][1:][same], gaps[same].astype(float)
    many = np.maximum(counts - 1, 1)
    mean = np.bincount(keys, gaps, len(counts)) / many
    square = np.bincount(keys, gaps**2, len(counts)) / many
    variation = np.sqrt(np.maximum(square - mean**2, 0)) / np.maximum(mean, 1)
    even = (counts > _FEWEST_INTERVALS) & (variation < _EVEN)
    if not even.any():
        return even, math.inf
    period = float(np.median(mean[even]))
    return even & (np.abs(mean - period) < _SAME_PERIOD * period), period


def learn(ids) -> Traffic:
    """Return the Traffic that a stretch of a trace shows; ids as of `Trace`."""
    counts = np.bincount(ids)
    counts_seen = counts[counts > 0]
    scan, period = _scanned(ids, counts)
    others = counts[~scan & (counts > 1)]
    values, number = np.unique(others, return_counts=True)
    return Traffic(
        len(counts_seen),
        float(np.count_nonzero(scan)),
        period,
        np.count_nonzero(counts == 1) / len(ids),
        values / len(ids),
        number,
    )


def miss_ratio(traffic, capacity) -> float:
    """Return LRU's miss ratio at a capacity, in keys, by the model.

    The keys asked for within T requests fill the cache: with T from

        C = n min(T/tau, 1) + sum_j (1 - exp(-p_j T)) + g T

    a scanned key hits if T >= tau, key j with probability 1 - exp(-p_j T), one-timers (share
    g) never. With no scan and g = 0 that is `che_approximation`; the scan starts to hit at
    T = tau, where C is `cliff_capacity`.
    """
    n, tau, g, p, number = traffic[1:]

    def filled(time):
        scan = n * min(time / tau, 1)
        return scan + float(number @ -np.expm1(-p * time)) + g * time

    if g == 0 and capacity >= n + number.sum() * (1 - 1e-9):
        return 0.0
    high = 1.0
    while filled(high) < capacity:
        high *= 2
    time = brentq(lambda t: filled(t) - capacity, 0.0, high, xtol=1e-9, rtol=1e-12)
    scan_misses = n / tau if time < tau * (1 - 1e-9) else 0.0
    return float(scan_misses + (number * p) @ np.exp(-p * time) + g)


def _reason(ids, split, traffic):
    new = np.count_nonzero(~np.isin(ids[split:], ids[:split])) / (len(ids) - split)
    if new > traffic.one_timers + 0.1:
        return (
            f"{100 * new:.0f} % of the later requests are for keys that the first half never "
            "saw: what is popular moves, and yesterday's popularity does not predict it."
        )
    return (
        "The first half has the same keys, but not as independent requests would come: "
        "look for scans in another order, or bursts of the same key."
    )


def fit_key_trace(source) -> Fit:
    """Learn the traffic from the first half of a trace; predict LRU's misses in the second.

    Held out: the exact miss ratio of the second half (stack distances, the cache warmed by
    the first) at ten capacities, 5 %, 15 %, ..., 95 % of the keys.
    Raises ValueError as `read_trace` does.
    """
    ids = read_trace(source)
    split = len(ids) // 2
    traffic = learn(ids[:split])
    depths = stack_distances(ids)[split:]
    capacities = sorted({max(1, round(share * traffic.keys)) for share in _SHARES})
    rows = []
    for capacity in capacities:
        measured = float(np.mean((depths == 0) | (depths > capacity)))
        line = 1 - (1 - traffic.one_timers) * capacity / traffic.keys
        what = f"miss ratio with room for {capacity:,} keys"
        rows.append(HeldOut(what, "", measured, miss_ratio(traffic, capacity), line))
    middle = max(1, traffic.keys // 2)

    def at_the_middle(C, n, g):
        period = traffic.period_requests * n / traffic.scan_keys if traffic.scan_keys else math.inf
        return miss_ratio(traffic._replace(scan_keys=n, period_requests=period, one_timers=g), C)

    notes = []
    if traffic.scan_keys:
        tau = traffic.period_requests
        beside = float(traffic.number @ -np.expm1(-traffic.probability * tau))
        cliff = traffic.scan_keys + beside + traffic.one_timers * tau
        notes.append(f"The scan starts to hit at {cliff:,.0f} keys: its cliff.")
    period = (
        [Parameter("tau", "period of the scan", traffic.period_requests, "requests", COUNTED)]
        if notes
        else []
    )
    return judged(
        MODEL,
        (
            Parameter("keys", "distinct", traffic.keys, "", COUNTED),
            Parameter("n", "keys scanned", traffic.scan_keys, "", COUNTED),
            *period,
            Parameter("g", "requests for keys seen once", traffic.one_timers, "", COUNTED),
        ),
        rows,
        _reason(ids, split, traffic),
        f"miss ratio with room for C = {middle:,} keys",
        elasticities(at_the_middle, {"C": middle, "n": traffic.scan_keys, "g": traffic.one_timers}),
        notes,
    )
