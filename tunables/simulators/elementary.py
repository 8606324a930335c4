"""Logarithm, exponential and roots of + - * / and bits alone: the same bits on every machine.

The libraries' functions differ in last bits from one system to the next, and in WebAssembly. These
are within one unit of the last place. The logarithm is arranged as in fdlibm
(Sun Microsystems 1993), so that it mostly rounds as the C libraries do that came from it; in
place of fitted coefficients stand those of the series.
"""

import math

import numpy as np

from tunables.simulators.compiled import compiled

_FRACTION = 2**52 - 1  # the bits of a double's fraction; above them stand exponent and sign
_BIAS = 1023
_SQRT_HALF = 0x3FE6A09E667F3BCD  # the bits of sqrt(1/2)
_THIRD = int((682 - 0.03306235651) * 2**52)  # Kahan: so that the guess errs least
LN2 = 0.6931471805599453
LN2_HIGH = float.fromhex("0x1.62e42feep-1")  # 33 bits, so that its multiples are exact
LN2_LOW = 1.9082149292705877e-10  # ln 2 less LN2_HIGH
_NORMAL = 2.0**-1022  # the smallest number with all its bits
_ATANH = tuple(2 / (2 * n + 1) for n in range(11, 0, -1))
_EXP = tuple(1 / math.factorial(n) for n in range(14, 1, -1))


@compiled
def _bits(x):
    return np.float64(x).view(np.int64)


@compiled
def _double(bits):
    return np.int64(bits).view(np.float64)


@compiled
def scaled(x, k):
    """x 2^k for |k| up to 2044, in two steps: 2^k alone may be too large or too small."""
    half = k // 2
    return x * _double((half + _BIAS) << 52) * _double((k - half + _BIAS) << 52)


@compiled
def _parts(x):
    """Return (k, m) of a normal number x = 2^k m with m from sqrt(1/2) up to sqrt(2)."""
    above = _bits(x) - _SQRT_HALF
    return above >> 52, _double((above & _FRACTION) + _SQRT_HALF)


@compiled
def _log_sum(k, f, c):
    """k ln 2 + ln(1 + f) + c, with ln(1 + f) = 2 atanh(s) = f - s (f - rest), s = f / (2 + f)."""
    s = f / (2 + f)
    square = s * s
    rest = 0.0
    for coefficient in _ATANH:
        rest = (rest + coefficient) * square
    half = 0.5 * f * f
    return k * LN2_HIGH - ((half - (s * (half + rest) + (k * LN2_LOW + c))) - f)


@compiled
def log(x):
    """ln x: -inf at 0, nan below it.

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
    """ln(1 + x): -inf at -1, nan below it.

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
    """e^x: 0 below -745.14, inf above 709.79.

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
    return scaled(1 + (high + (rest * r - low)), int(k))


@compiled
def cube_root(x):
    """The cube root of x >= 0: a guess by a third of the exponent, then Halley's steps.

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
