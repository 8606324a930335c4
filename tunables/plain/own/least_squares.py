"""Least squares of one or two unknowns, by Levenberg and Marquardt: for CPython and MicroPython."""

import math

from tunables.plain.adding import added

_STEP = 1e-5  # of the central differences; the unknowns are logarithms
_MOST_STEPS = 200
_CLOSE = 1e-11  # a step so short ends the search
_NOISE = 1e-12  # of a sum of squares: what rounding may add to it
_LEAST_DAMPING, _MOST_DAMPING = 1e-12, 1e12


def _sum_of_squares(residuals, x):
    """Return the residuals and their sum of squares: inf where they are not to be had."""
    try:
        found = residuals(x)
    except (ValueError, OverflowError, ZeroDivisionError):
        return [], math.inf
    total = added([r * r for r in found])
    return found, total if math.isfinite(total) else math.inf


def _slopes(residuals, x):
    """Return the derivatives of the residuals by each unknown."""
    found = []
    for place in range(len(x)):
        beside = []
        for step in (_STEP, -_STEP):
            moved = list(x)
            moved[place] += step
            beside.append(residuals(moved))
        found.append([(more - less) / (2 * _STEP) for more, less in zip(*beside)])
    return found


def _dot(one, other):
    return added([a * b for a, b in zip(one, other)])


def _step(slopes, errors, damping):
    """Return d with (A + damping diag A) d = -J'r, A = J'J: by Cramer's rule, for two unknowns."""
    gradient = [_dot(slope, errors) for slope in slopes]
    sides = [_dot(slope, slope) * (1 + damping) + 1e-300 for slope in slopes]
    if len(slopes) == 1:
        return [-gradient[0] / sides[0]]
    across = _dot(*slopes)
    determinant = sides[0] * sides[1] - across * across + 1e-300
    return [
        (across * gradient[1] - sides[1] * gradient[0]) / determinant,
        (across * gradient[0] - sides[0] * gradient[1]) / determinant,
    ]


def least_squares(residuals, start) -> tuple:
    """Return (x, sum of squares) where the sum of residuals(x)^2 is least, near the start.

    start: a list of one or two numbers of a size near 1, such as logarithms. A step that makes
    the sum no less is tried again with more damping, so that it turns downhill and shortens.
    Where residuals raises ValueError or overflows no step leads.
    Raises ValueError if it does so at the start, or beside a point that was reached.
    Source: Marquardt (1963), with the scaling of his section on the diagonal of A.

    >>> x, total = least_squares(lambda x: [x[0] - 2, x[0] * x[1] - 6], [1.0, 1.0])
    >>> [round(each, 9) for each in x], round(total, 12)
    ([2.0, 3.0], 0.0)
    """
    x = list(start)
    errors, total = _sum_of_squares(residuals, x)
    if total == math.inf:
        raise ValueError(f"start = {start!r}: must be where the residuals are finite")
    damping = 1e-3
    for _ in range(_MOST_STEPS):
        slopes = _slopes(residuals, x)
        while True:
            step = _step(slopes, errors, damping)
            moved = [a + d for a, d in zip(x, step)]
            beside, less = _sum_of_squares(residuals, moved)
            short = max([abs(d) for d in step]) < _CLOSE
            if less <= total * (1 + _NOISE) or short or damping > _MOST_DAMPING:
                break
            damping *= 10
        if less <= total * (1 + _NOISE):
            x, errors, total = moved, beside, less
        if short or damping > _MOST_DAMPING:
            break
        damping = max(damping / 10, _LEAST_DAMPING)
    return x, total
