"""How much one simulation may hold, or do: more would fill the memory, or not end today."""

from tunables.plain.arguments import number

MOST_ENTRIES = 10**9  # of an array, or events; all of it takes minutes and gigabytes
MOST_ROWS = 10**7  # of a trace


def enough(what: str, entries: float) -> None:
    """Raise ValueError if so many entries are too many; what: the arguments that call for them.

    >>> enough("cycles * objects", 2 * 30)
    >>> enough("cycles * objects", 2**31 * 30)
    Traceback (most recent call last):
    ValueError: cycles * objects = 64424509440: must be a finite number at most 1e+09
    """
    number(what, entries, at_most=MOST_ENTRIES)
