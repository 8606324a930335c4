"""Special functions that plain Python's math module lacks."""

import math

from tunables.base.arguments import number

LARGEST_SHAPE = 1e12
_EPSILON = 1e-13  # of the result, where a term is left out
_TINY = 1e-300  # replaces 0 where Lentz's algorithm would divide by it


def _series(a, x, tolerance):
    """a times the sum of x^n/(a (a + 1) ... (a + n)): for x < a + 1 its terms fall from 1.

    Two terms per iteration: comparisons are slow in the page's Python.
    """
    term = total = 1.0
    while term > tolerance:
        term *= x / (a + 1)
        a += 2
        total += term
        term *= x / a
        total += term
    return total


def _continued_fraction(a, x, tolerance):
    """1/(x + 1 - a - 1(1 - a)/(x + 3 - a - 2(2 - a)/(x + 5 - a - ...))), by Lentz's algorithm."""
    b = x + 1 - a
    c = 1 / _TINY
    d = 1 / b
    result = d
    n = 0
    change = 0.0
    while abs(change - 1) > tolerance:
        n += 1
        numerator = -n * (n - a)
        b += 2
        d = numerator * d + b
        d = 1 / (d if abs(d) > _TINY else _TINY)
        c = b + numerator / c
        c = c if abs(c) > _TINY else _TINY
        change = c * d
        result *= change
    return result


def lower_gammas(a: float, x: float, tolerance: float = _EPSILON) -> tuple[float, float]:
    """Return (P(a, x), P(a + 1, x)) to this tolerance, without checks, for inner loops.

    P(a + 1, x) = P(a, x) - x^a exp(-x)/Gamma(a + 1) comes nearly for free.
    """
    if x == 0:
        return 0.0, 0.0
    factor = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        p = min(factor / a * _series(a, x, tolerance), 1.0)
    elif factor < tolerance:  # the tail beyond x is smaller still
        p = 1.0
    else:
        p = 1 - factor * _continued_fraction(a, x, tolerance / factor)
    return p, max(p - factor / a, 0.0)


def regularised_lower_gamma(shape: float, x: float) -> float:
    """Pr(X <= x) for X of a gamma distribution with this shape and scale 1.

    P(a, x) = (1/Gamma(a)) times the integral of t^(a - 1) exp(-t) from 0 to x. For x < a + 1
    by its series, otherwise by the continued fraction of 1 - P. The relative error stays
    below 1e-8 up to a shape of a million; lgamma sets it.

    Raises ValueError if shape is not above 0, or above 1e12 (near x = shape the terms are some
    times its root), or x is below 0.
    Source: DLMF 8.7.1, 8.8.5 and 8.9.2; Press et al. (2007), Numerical Recipes, section 6.2.

    >>> round(regularised_lower_gamma(1, 1), 12)  # 1 - 1/e
    0.632120558829
    """
    return lower_gammas(
        number("shape", shape, above=0, at_most=LARGEST_SHAPE), number("x", x, at_least=0)
    )[0]
