"""A caller's sequence of numbers as an array, and nothing else as one."""

import numpy as np


def floats(values) -> np.ndarray:
    """Return values as an array of floats; raises TypeError or ValueError for what is no numbers.

    numpy would read texts and truth values as numbers, and drop a part of complex ones.

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
