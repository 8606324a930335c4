"""numba's compiler where it is installed; plain Python, slow but the same, where it is not."""

from typing import Any

njit: Any
try:
    from numba import njit
except ImportError:  # the package and its closed forms work without numba
    njit = None


def compiled(function):
    """Return function compiled to machine code, and the code kept on disk for the next run.

    Where neither the package's folder nor the user's can be written to, nothing is kept.
    """
    if njit is None:
        return function
    try:
        return njit(cache=True)(function)
    except RuntimeError:  # numba: no locator available
        return njit(function)


def plain(function):
    """Return the Python function that was compiled."""
    return getattr(function, "py_func", function)
