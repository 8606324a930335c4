"""Seconds as integer nanoseconds, so that simulated clocks add without rounding."""

import numpy as np

from tunables.base.arguments import flag, number, refuse
from tunables.simulators.compiled import compiled
from tunables.simulators.limits import check_length, floats

LONGEST_S = 4e9  # twice this many nanoseconds still fit into 64 bits


@compiled
def _fill_with_rounded(seconds, rounded):
    """Fill rounded with integer nanoseconds; return their maximum, and how many were refused."""
    largest = refused = 0
    for n in range(len(seconds)):
        second = seconds[n]
        allowed = (second >= 0) & (second <= LONGEST_S)  # nan fails both
        refused += not allowed
        rounded[n] = np.rint((second if allowed else 0.0) * 1e9)
        largest = max(largest, rounded[n])
    return largest, refused


def nanoseconds(name: str, value: float) -> int:
    """Return seconds as integer nanoseconds; raises ValueError outside 0 to 4e9 s.

    >>> nanoseconds("quantum_s", 0.010)
    10000000
    """
    return round(number(name, value, at_least=0, at_most=LONGEST_S) * 1e9)


def nanosecond_array(name: str, values, empty: bool = False) -> np.ndarray:
    """Return a sequence of seconds as an array of integer nanoseconds.

    Raises ValueError if values is not a sequence of numbers, is empty (unless empty is True),
    has an entry that is not finite or is negative, or sums to more than 4e9 s, or if empty is
    neither True nor False.

    >>> nanosecond_array("costs_s", [0.000217, 0.015])
    array([  217000, 15000000])
    """
    check_length(name, values)
    empty = flag("empty", empty)
    allowed = "a sequence of numbers" if empty else "a non-empty sequence of numbers"
    try:
        seconds = floats(values)
    except (TypeError, ValueError, OverflowError):
        seconds = np.empty((0, 0))
    if seconds.ndim != 1 or not (empty or seconds.size):
        refuse(name, values, allowed)
    if not seconds.size:
        return np.empty(0, dtype=np.int64)
    rounded = np.empty(len(seconds), dtype=np.int64)
    largest, refused = _fill_with_rounded(seconds, rounded)
    if refused:
        for index, value in enumerate(seconds.tolist()):
            number(f"{name}[{index}]", value, at_least=0, at_most=LONGEST_S)
    if float(largest) * len(seconds) > LONGEST_S * 1e9 / 2:  # otherwise the sum is in range
        number(f"sum of {name}", seconds.sum(), at_most=LONGEST_S)
    return rounded
