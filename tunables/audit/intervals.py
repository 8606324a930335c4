"""Arithmetic of intervals: all values that a result may take while its inputs vary.

An interval is a pair (low, high) whose ends may be infinite. Results contain every possible value
(Moore, Interval Analysis, 1966, chapter 2). Where a quantity enters a formula twice they contain
more, so a contradiction that they show is real.
"""

INFINITY = float("inf")
ALL = (-INFINITY, INFINITY)
_NOISE = 1e-9  # relative: rounding of floats, far below the last digit of any table


def meet(first, second) -> tuple:
    """Return the interval that two intervals share; its low end is above its high end if none.

    >>> meet((1, 3), (2, 5)), meet((1, 2), (3, 4))
    ((2, 3), (3, 2))
    """
    return max(first[0], second[0]), min(first[1], second[1])


def is_empty(interval) -> bool:
    """Say whether no value is left, beyond the noise of floats.

    >>> is_empty((3, 2)), is_empty((2.0000000001, 2)), is_empty((1, 2))
    (True, False, False)
    """
    low, high = interval
    if low <= high:
        return False
    return low - high > _NOISE * max(abs(low), abs(high))


def contains(outer, inner) -> bool:
    """Say whether an interval lies within another one, up to the noise of floats.

    >>> contains((1, 3), (1, 2)), contains((1, 3), (2, 4))
    (True, False)
    """
    slack = _NOISE * max(abs(inner[0]), abs(inner[1])) if inner[1] < INFINITY else 0
    return outer[0] <= inner[0] + slack and inner[1] <= outer[1] + slack


def _times(a, b):
    """Return a product where zero times infinity is zero, as for the ends of intervals."""
    return 0.0 if a == 0 or b == 0 else a * b


def scale(interval, factor, offset=0.0) -> tuple:
    """Return factor * x + offset for all x of an interval.

    >>> scale((1, 2), -3, 10)
    (4, 7)
    """
    ends = [_times(interval[0], factor) + offset, _times(interval[1], factor) + offset]
    return min(ends), max(ends)


def multiply(first, second) -> tuple:
    """Return the products of two intervals without negative numbers.

    >>> multiply((1, 2), (10, 20))
    (10, 40)
    """
    return _times(first[0], second[0]), _times(first[1], second[1])


def invert(interval) -> tuple:
    """Return 1/x for all x of an interval without negative numbers; 1/0 is infinite.

    >>> invert((2, 4)), invert((0, 4))
    ((0.25, 0.5), (0.25, inf))
    """
    low, high = interval
    return (0.0 if high == INFINITY else INFINITY if high <= 0 else 1 / high), (
        INFINITY if low <= 0 else 1 / low
    )
