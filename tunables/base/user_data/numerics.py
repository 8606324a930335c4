"""Means, quantiles, lines and least squares for fits, in CPython and MicroPython."""

import math

from tunables.base.portable import plain_sum


def mean(values) -> float:
    """Return the mean.

    >>> mean([1.0, 2.0, 6.0])
    3.0
    """
    return plain_sum(values) / len(values)


def quantile(values, share) -> float:
    """Return a quantile, interpolated linearly between neighbours as numpy does.

    >>> quantile([4.0, 1.0, 2.0], 0.5), quantile([4.0, 1.0, 2.0], 0.75)
    (2.0, 3.0)
    """
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def line(x, y) -> tuple:
    """Return (intercept, slope) of the least squares line through some points; x must differ.

    >>> line([0.0, 1.0, 2.0], [1.0, 3.0, 5.0])
    (1.0, 2.0)
    """
    middle, height = mean(x), mean(y)
    spread = plain_sum([(a - middle) ** 2 for a in x])
    slope = plain_sum([(a - middle) * (b - height) for a, b in zip(x, y)]) / spread
    return height - slope * middle, slope


def ranks(values) -> list:
    """Return the place of each number in their order; equal numbers share the mean of theirs.

    The correlation of two lists' ranks is Spearman's (1904; ties as Kendall, 1945).

    >>> ranks([3.0, 1.0, 3.0, 9.0])
    [1.5, 0.0, 1.5, 3.0]
    """
    first: dict = {}
    last = {}
    for place, value in enumerate(sorted(values)):
        first.setdefault(value, place)
        last[value] = place
    return [(first[value] + last[value]) / 2 for value in values]


def correlation(x, y) -> float:
    """Return the correlation of two lists: 0 where one of them does not vary.

    >>> round(correlation([1.0, 2.0, 3.0], [5.0, 3.0, 1.0]), 12)
    -1.0
    """
    middle, height = mean(x), mean(y)
    across = plain_sum([(a - middle) * (b - height) for a, b in zip(x, y)])
    squares = plain_sum([(a - middle) ** 2 for a in x]) * plain_sum([(b - height) ** 2 for b in y])
    return across / math.sqrt(squares) if squares else 0.0


_MOST_STEPS = 200
_STEP = 1e-5  # step of the central differences; the unknowns are logarithms
_CLOSE = 1e-11  # a step this short ends the search
_NOISE = 1e-12  # what rounding may add to a sum of squares, as a share
_LEAST_DAMPING, _MOST_DAMPING = 1e-12, 1e12


def _sum_of_squares(residuals, x):
    """Return the residuals and their sum of squares: inf where they cannot be computed."""
    try:
        found = residuals(x)
    except (ValueError, OverflowError, ZeroDivisionError):
        return [], math.inf
    total = plain_sum([r * r for r in found])
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
    return plain_sum([a * b for a, b in zip(one, other)])


def _eliminate(rows):
    """Return x with A x = b, each row of A with its b at the end: by elimination, in place."""
    n = len(rows)
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(k + 1, n):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k])]
    x = [0.0] * n
    for k in reversed(range(n)):
        known = plain_sum([rows[k][j] * x[j] for j in range(k + 1, n)])
        x[k] = (rows[k][n] - known) / rows[k][k]
    return x


def _step(slopes, errors, damping):
    """Return d with (A + damping diag A) d = -J'r, A = J'J: by Cramer's rule, for two unknowns."""
    gradient = [_dot(slope, errors) for slope in slopes]
    sides = [_dot(slope, slope) * (1 + damping) + 1e-300 for slope in slopes]
    if len(slopes) == 1:
        return [-gradient[0] / sides[0]]
    if len(slopes) > 2:
        rows = [[_dot(a, b) for b in slopes] + [-g] for a, g in zip(slopes, gradient)]
        for k, side in enumerate(sides):
            rows[k][k] = side
        return _eliminate(rows)
    across = _dot(*slopes)
    determinant = sides[0] * sides[1] - across * across + 1e-300
    return [
        (across * gradient[1] - sides[1] * gradient[0]) / determinant,
        (across * gradient[0] - sides[0] * gradient[1]) / determinant,
    ]


def least_squares(residuals, start) -> tuple:
    """Return (x, sum of squares) where the sum of residuals(x)^2 is least, near the start.

    start: a list of a few numbers of a size near 1, such as logarithms. A step that makes
    the sum no less is tried again with more damping, so that it turns downhill and shortens.
    Where residuals raises ValueError or overflows no step leads.
    Raises ValueError if it does so at the start, or next to a point that was reached.
    Source: Marquardt (1963), with the scaling of his section on the diagonal of A.

    >>> x, total = least_squares(lambda x: [x[0] - 2, x[0] * x[1] - 6], [1.0, 1.0])
    >>> [round(each, 9) for each in x], round(total, 12)
    ([2.0, 3.0], 0.0)
    """
    x = list(start)
    errors, total = _sum_of_squares(residuals, x)
    if total == math.inf:
        raise ValueError(f"start = {start!r}: must be a point where the residuals are finite")
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
