"""Special functions that plain Python's math module lacks."""

import math

from tunables.arguments import number

_EPSILON = 1e-13  # a term this much smaller than the sum is left out
_TINY = 1e-300  # stands for 0 where Lentz's algorithm would divide by it


def _series(a, x):
    """Sum of x^n/(a (a + 1) ... (a + n)): its terms fall from the first one for x < a + 1."""
    term = total = 1 / a
    while term > _EPSILON * total:
        a += 1
        term *= x / a
        total += term
    return total


def _continued_fraction(a, x):
    """1/(x + 1 - a - 1(1 - a)/(x + 3 - a - 2(2 - a)/(x + 5 - a - ...))), by Lentz's algorithm."""
    b = x + 1 - a
    c = 1 / _TINY
    d = 1 / b
    result = d
    n = 0
    change = 0.0
    while abs(change - 1) > _EPSILON:
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


def lower_gamma(a, x) -> float:
    """regularised_lower_gamma without its checks, for those who call it often."""
    if x == 0:
        return 0.0
    factor = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        return min(factor * _series(a, x), 1.0)
    if factor < _EPSILON:  # the tail beyond x is smaller still
        return 1.0
    return 1 - factor * _continued_fraction(a, x)


def regularised_lower_gamma(shape, x) -> float:
    """Pr(X <= x) for X of a gamma distribution with this shape and scale 1.

    P(a, x) = (1/Gamma(a)) times the integral of t^(a - 1) exp(-t) from 0 to x. For x < a + 1
    by its series, otherwise by the continued fraction of 1 - P. The relative error stays
    below 1e-8 up to a shape of a million; lgamma sets it.

    Raises ValueError if shape is not above 0 or x is below 0.
    Source: DLMF 8.7.1 and 8.9.2; Press et al. (2007), Numerical Recipes, section 6.2.

    >>> round(regularised_lower_gamma(1, 1), 12)  # 1 - 1/e
    0.632120558829
    """
    return lower_gamma(number("shape", shape, above=0), number("x", x, at_least=0))
