"""Logarithms and powers to the last bit, of + - * / alone: for the few draws that show them.

A number stands as the unevaluated sum of two doubles, high + low, which carries about 80 bits here.
Source: Dekker (1971), "A floating-point technique for extending the available precision".
"""

import math

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.elementary import LN2, LN2_HIGH, LN2_LOW, log, scaled

_LN2_LOWEST = 1.1612227229362532e-26  # ln 2 less LN2_HIGH and LN2_LOW
_SPLIT = 2.0**27 + 1
_TERMS, _DOUBLED = 18, 8  # of the series of exp, and how many of them carry 80 bits


@compiled
def _product(a, b):
    """Return a b without error, as high and low."""
    a_high, b_high = _SPLIT * a, _SPLIT * b
    a_high, b_high = a_high - (a_high - a), b_high - (b_high - b)
    a_low, b_low = a - a_high, b - b_high
    high = a * b
    return high, ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low


@compiled
def _sum(a, b):
    """Return a + b without error, as high and low, for |a| >= |b|."""
    high = a + b
    return high, b - (high - a)


@compiled
def _exp(high, low):
    """Return (k, h, t) with e^(high + low) = 2^k (h + t): 1 + r (1 + r/2 (1 + r/3 (1 + ...)))."""
    k = float(math.floor(high / LN2 + 0.5))
    p, q = _product(k, LN2_LOW)
    r, r_low = _sum(high - k * LN2_HIGH, -p)
    r_low += low - q - k * _LN2_LOWEST
    h, t = 1.0, 0.0
    for n in range(_TERMS, _DOUBLED, -1):
        h = 1 + r * h / n
    for n in range(_DOUBLED, 0, -1):
        p, q = _product(r, h)
        q += r * t + r_low * h
        share = p / n
        back, error = _product(share, n)
        h, t = _sum(1.0, share)
        h, t = _sum(h, t + ((p - back) - error + q) / n)
    return int(k), h, t


@compiled
def _log(x):
    """Return ln x of a number x > 0 as high and low: a first guess and Newton's step."""
    guess = log(x)
    k, h, t = _exp(guess, 0.0)
    return _sum(guess, (scaled(x, -k) - h - t) / h)


@compiled
def rounded_log(x):
    """ln x of a number x > 0.

    >>> rounded_log(10.0)
    2.302585092994046
    """
    return _log(x)[0]


@compiled
def power(x, y):
    """x^y of a number x > 0, and 0 for x = 0.

    >>> power(2.0, 0.5), power(0.0, 2.0)
    (1.4142135623730951, 0.0)
    """
    if x == 0:
        return 0.0
    log_high, log_low = _log(x)
    high, low = _product(y, log_high)
    high, low = _sum(high, low + y * log_low)
    if not -746 < high < 710:
        return 0.0 if high < 0 else np.inf
    k, h, _ = _exp(high, low)
    return scaled(h, k)
