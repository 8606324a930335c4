"""numba's compiler where it is installed; plain Python, slow but the same, where it is not."""

from typing import Any

njit: Any
try:
    from numba import njit
except ImportError:  # the package and its closed forms work without numba
    njit = None


def compiled(function):
    """Return function compiled to machine code, and the code kept on disk for the next run."""
    return function if njit is None else njit(cache=True)(function)
