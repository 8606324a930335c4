"""Logarithm, exponential, roots and powers from + - * / and bit operations alone.

They give the same bits on every machine; the libraries' functions differ in their last bits from
one system to the next, and in WebAssembly. `log`, `log1p`, `exp` and `cube_root` are within one
unit of the last place. The logarithm is arranged as in fdlibm (Sun Microsystems 1993), so it mostly
rounds like the C libraries derived from it; its coefficients are those of the series, not fitted.

`rounded_log` and `power` are correct to the last bit, for the few draws in which that bit shows.
They represent a number as the unevaluated sum of two doubles, high + low, with about 80 bits.
Source: Dekker (1971), "A floating-point technique for extending the available precision".
"""

import math

import numpy as np

from tunables.simulators.compiled import compiled

_FRACTION = 2**52 - 1  # the bits of a double's fraction; above them are exponent and sign
_BIAS = 1023
_SQRT_HALF = 0x3FE6A09E667F3BCD  # the bits of sqrt(1/2)
_THIRD = int((682 - 0.03306235651) * 2**52)  # Kahan: the bias for which the first guess is best
LN2 = 0.6931471805599453
LN2_HIGH = float.fromhex("0x1.62e42feep-1")  # 33 bits, so that its multiples are exact
LN2_LOW = 1.9082149292705877e-10  # ln 2 less LN2_HIGH
_NORMAL = 2.0**-1022  # the smallest normal number
_ATANH = tuple(2 / (2 * n + 1) for n in range(11, 0, -1))
_EXP = tuple(1 / math.factorial(n) for n in range(14, 1, -1))


@compiled
def _bits(x):
    return np.float64(x).view(np.int64)


@compiled
def _double(bits):
    return np.int64(bits).view(np.float64)


@compiled
def ldexp(x, k):
    """Return x 2^k for |k| up to 2044, in two steps: 2^k alone may overflow or underflow."""
    half = k // 2
    return x * _double((half + _BIAS) << 52) * _double((k - half + _BIAS) << 52)


@compiled
def _parts(x):
    """Return (k, m) of a normal number x = 2^k m with m from sqrt(1/2) up to sqrt(2)."""
    above = _bits(x) - _SQRT_HALF
    return above >> 52, _double((above & _FRACTION) + _SQRT_HALF)


@compiled
def _log_sum(k, f, c):
    """Return k ln 2 + ln(1 + f) + c.

    ln(1 + f) = 2 atanh(s) = f - s (f - rest) with s = f / (2 + f).
    """
    s = f / (2 + f)
    square = s * s
    rest = 0.0
    for coefficient in _ATANH:
        rest = (rest + coefficient) * square
    half = 0.5 * f * f
    return k * LN2_HIGH - ((half - (s * (half + rest) + (k * LN2_LOW + c))) - f)


@compiled
def log(x):
    """Return ln x: -inf at 0, nan below it.

    >>> log(2.0), log(0.0)
    (0.6931471805599453, -inf)
    """
    if not 0 < x < np.inf:
        return -np.inf if x == 0 else x if x > 0 else np.nan
    scale = 0
    if x < _NORMAL:
        x, scale = x * 2.0**54, 54
    k, m = _parts(x)
    return _log_sum(float(k - scale), m - 1, 0.0)


@compiled
def log1p(x):
    """Return ln(1 + x): -inf at -1, nan below it.

    >>> log1p(1e-20), log1p(1.0)
    (1e-20, 0.6931471805599453)
    """
    if not -1 < x < np.inf:
        return -np.inf if x == -1 else x if x > 0 else np.nan
    whole = 1 + x
    k, m = _parts(whole)
    if k == 0:
        return _log_sum(0.0, x, 0.0)
    lost = x - (whole - 1) if x < 1 else 1 - (whole - x)
    return _log_sum(float(k), m - 1, lost / whole)


@compiled
def exp(x):
    """Return e^x: 0 below -745.14, inf above 709.79.

    >>> exp(2.0), exp(-800.0), exp(800.0)
    (7.38905609893065, 0.0, inf)
    """
    if not -746 < x < 710:
        return 0.0 if x < 0 else x if x != x else np.inf
    k = math.floor(x / LN2 + 0.5)
    high, low = x - k * LN2_HIGH, k * LN2_LOW
    r = high - low
    rest = 0.0
    for coefficient in _EXP:
        rest = (rest + coefficient) * r
    return ldexp(1 + (high + (rest * r - low)), int(k))


@compiled
def cube_root(x):
    """Return the cube root of x >= 0: a third of the exponent as a guess, then Halley's steps.

    >>> cube_root(27.0), cube_root(0.0)
    (3.0, 0.0)
    """
    if not 0 < x < np.inf:
        return x
    scale = 1.0
    if x < _NORMAL:
        x, scale = x * 2.0**54, 2.0**-18
    t = _double(_bits(x) // 3 + _THIRD)
    for _ in range(3):
        cube = t * t * t
        t *= (cube + 2 * x) / (2 * cube + x)
    return scale * (t - (t - x / (t * t)) / 3)


_LN2_LOWEST = 1.1612227229362532e-26  # ln 2 less LN2_HIGH and LN2_LOW
_SPLIT = 2.0**27 + 1
_TERMS, _PRECISE_TERMS = 18, 8  # of the series of exp, and how many of them carry 80 bits


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
    for n in range(_TERMS, _PRECISE_TERMS, -1):
        h = 1 + r * h / n
    for n in range(_PRECISE_TERMS, 0, -1):
        p, q = _product(r, h)
        q += r * t + r_low * h
        share = p / n
        back, error = _product(share, n)
        h, t = _sum(1.0, share)
        h, t = _sum(h, t + ((p - back) - error + q) / n)
    return int(k), h, t


@compiled
def _log(x):
    """Return ln x, x > 0, as high and low: a first guess and one Newton step."""
    guess = log(x)
    k, h, t = _exp(guess, 0.0)
    return _sum(guess, (ldexp(x, -k) - h - t) / h)


@compiled
def rounded_log(x):
    """Return ln x, x > 0, rounded correctly.

    >>> rounded_log(10.0)
    2.302585092994046
    """
    return _log(x)[0]


@compiled
def power(x, y):
    """Return x^y for x > 0, and 0 for x = 0.

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
    return ldexp(h, k)
