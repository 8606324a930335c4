"""numba's compiler where it is installed, plain Python with the same results where it is not.

Also tables of records that both compiled code and plain Python can make.
"""

from typing import Any

import numpy as np

njit: Any
try:
    from numba import njit

    from tunables.simulators.reference_counts import BorrowingCompiler
except ImportError:  # the package and its closed forms work without numba
    njit = None


def compiled(function):
    """Return function compiled to machine code, with the code cached on disk for the next run.

    While it runs, other threads of the program run too.
    If neither the package's folder nor the user's is writable, nothing is cached.
    """
    if njit is None:
        return function
    try:
        return njit(cache=True, nogil=True, pipeline_class=BorrowingCompiler)(function)
    except RuntimeError:  # numba: no locator available
        return njit(nogil=True, pipeline_class=BorrowingCompiler)(function)


def plain(function):
    """Return the Python function behind a compiled one."""
    return getattr(function, "py_func", function)


def records(count, kind):
    """Return count zeroed records of a structured type; their fields are attributes.

    >>> table = records(2, np.dtype([("due", "f8")]))
    >>> table[1].due = 3.0
    >>> table.due.tolist()
    [0.0, 3.0]
    """
    return np.zeros(count, kind).view(np.recarray)


if njit is not None:
    from numba.extending import overload

    @overload(records)
    def _compiled_records(count, kind):
        return lambda count, kind: np.zeros(count, kind)
