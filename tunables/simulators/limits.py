"""Limits on what one simulation may hold or do, and a caller's sequence of numbers as an array.

Beyond the limits a run would fill the memory or take more than a day.
"""

import reprlib

import numpy as np

from tunables.base.arguments import in_short, is_longer, number, refuse

# Entries of an array, or events. A run of that length takes minutes and 3.2 GB, 32 bytes each.
MOST_ENTRIES = 10**8
MOST_BYTES = 32 * MOST_ENTRIES
MOST_STEPS = 10**11  # of nested loops: minutes as well
MOST_SECONDS = 10**7  # counted one by one
MOST_ROWS = 10**7  # of a trace


def check_size(what: str, entries: float, bytes_each: int = 32) -> None:
    """Raise ValueError if there are too many entries; what: the arguments that determine them.

    bytes_each: memory per entry.

    >>> check_size("cycles * objects", 2 * 30)
    >>> check_size("cycles * objects", 2**31 * 30)
    Traceback (most recent call last):
    ValueError: cycles * objects = 64424509440: must be a finite number at most 1e+08
    """
    number(what, entries, at_most=min(MOST_ENTRIES, MOST_BYTES // bytes_each))


def check_length(name: str, values) -> None:
    """Raise ValueError for a sequence that would fill the memory as an array.

    A range, or a view that repeats one number, may appear to have any number of entries. No entry
    is read. An array that is in memory already is accepted.

    >>> check_length("trace", range(10**12))
    Traceback (most recent call last):
    ValueError: trace = range(0, 1000000000000): must be a sequence of at most 1e+08 entries
    """
    if isinstance(values, np.ndarray):
        too_long = 0 in values.strides and values.size > MOST_ENTRIES
    else:
        too_long = is_longer(values, MOST_ENTRIES)
    if too_long:
        refuse(name, values, f"a sequence of at most {MOST_ENTRIES:g} entries")


def shorten(value) -> str:
    """Return the first entries of a value, for an error message about a long array.

    >>> shorten(list(range(1000)))
    '[0, 1, 2, 3, 4, 5, ...]'
    """
    try:
        return " ".join(reprlib.repr(value).split())
    except Exception:  # a number of thousands of digits, or a failing __repr__
        return in_short(value)


def floats(values) -> np.ndarray:
    """Return values as an array of floats; raises TypeError or ValueError if they aren't numbers.

    Callers check the number of entries first: see `tunables.simulators.limits.check_length`.

    numpy alone would read strings and booleans as numbers, and drop parts of complex ones.

    >>> floats([1, 2.5]).tolist()
    [1.0, 2.5]
    >>> floats(["1"])
    Traceback (most recent call last):
    TypeError: no numbers: <U1
    """
    array = np.asarray(values)
    if array.dtype.kind not in "fiu":
        raise TypeError(f"no numbers: {array.dtype}")
    return np.asarray(array, dtype=np.float64, order="C")
