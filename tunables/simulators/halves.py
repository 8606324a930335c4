"""Two threads for a long trace: each takes one half of it."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tunables.simulators.compiled import njit

_LEAST = 2**19  # requests: for fewer, a thread costs more than it saves


def is_halved(requests: int) -> bool:
    """Return whether a trace of so many requests is worth two threads on this machine.

    Plain Python runs one thread at a time, so without numba it never is.
    """
    return njit is not None and requests >= _LEAST and (os.cpu_count() or 1) > 1


def both(first: Callable[[], Any], second: Callable[[], Any]) -> tuple[Any, Any]:
    """Call both functions at once, the second on a thread of its own; return both results."""
    with ThreadPoolExecutor(1) as thread:
        later = thread.submit(second)
        return first(), later.result()


def of_halves(function: Callable[..., Any], *arrays: Any) -> tuple[Any, ...]:
    """Call a function with the first halves of arrays, and with their second halves, at once.

    Returns both results; or the one for the whole arrays, if they are not worth two threads.

    >>> of_halves(sum, [1, 2, 3])
    (6,)
    """
    if not is_halved(len(arrays[0])):
        return (function(*arrays),)
    middle = len(arrays[0]) // 2
    return both(
        lambda: function(*(array[:middle] for array in arrays)),
        lambda: function(*(array[middle:] for array in arrays)),
    )
