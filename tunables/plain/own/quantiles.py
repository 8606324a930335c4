"""Means, quantiles and lines of a few numbers, for CPython and MicroPython."""

import math

from tunables.plain.adding import added


def mean(values) -> float:
    """Return the mean.

    >>> mean([1.0, 2.0, 6.0])
    3.0
    """
    return added(values) / len(values)


def quantile(values, share) -> float:
    """Return the value that a share does not exceed, on a line between neighbours, as numpy has it.

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
    spread = added([(a - middle) ** 2 for a in x])
    slope = added([(a - middle) * (b - height) for a, b in zip(x, y)]) / spread
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
    across = added([(a - middle) * (b - height) for a, b in zip(x, y)])
    squares = added([(a - middle) ** 2 for a in x]) * added([(b - height) ** 2 for b in y])
    return across / math.sqrt(squares) if squares else 0.0
