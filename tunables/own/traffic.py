"""Requests for keys: independent ones with a cyclic scan among them, and what LRU misses."""

import math
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

# A key is scanned if it comes at even intervals: for independent requests the coefficient of
# variation of eight intervals is near 1, and below 0.3 for some 1 key in 700. Fewer than 1 in
# 100 are therefore no scan.
_EVEN, _FEWEST_INTERVALS, _FEWEST_SHARE = 0.3, 8, 0.01
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
    often = counts > _FEWEST_INTERVALS
    even = often & (variation < _EVEN)
    if even.sum() <= _FEWEST_SHARE * often.sum():
        return np.zeros(len(counts), bool), math.inf
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


def _filled(traffic, time):
    """Distinct keys asked for within so many requests."""
    n, tau, g, p, number = traffic[1:]
    return n * min(time / tau, 1) + float(number @ -np.expm1(-p * time)) + g * time


def miss_ratio(traffic, capacity) -> float:
    """Return LRU's miss ratio at a capacity, in keys, by the model.

    The keys asked for within T requests fill the cache: with T from

        C = n min(T/tau, 1) + sum_j (1 - exp(-p_j T)) + g T

    a scanned key hits if T >= tau, key j with probability 1 - exp(-p_j T), one-timers (share
    g) never. With no scan and g = 0 that is `che_approximation`; the scan starts to hit at
    T = tau, where C is `cliff_capacity`.
    """
    n, tau, g, p, number = traffic[1:]
    if g == 0 and capacity >= n + number.sum() * (1 - 1e-9):
        return 0.0
    high = 1.0
    while _filled(traffic, high) < capacity:
        high *= 2
    time = brentq(lambda t: _filled(traffic, t) - capacity, 0.0, high, xtol=1e-9, rtol=1e-12)
    scan_misses = n / tau if time < tau * (1 - 1e-9) else 0.0
    return float(scan_misses + (number * p) @ np.exp(-p * time) + g)


def cliff(traffic) -> float:
    """Return the capacity at which the scan starts to hit: what is filled in one period.

    `cliff_capacity`, with the one-timers added: n + sum_j (1 - exp(-p_j tau)) + g tau.
    """
    return _filled(traffic, traffic.period_requests)
