"""The kinds of array that the simulators return, and a result's columns in a few lines."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]
Integers = NDArray[np.integer[Any]]  # of the size that their kernel keeps


def describe(result) -> str:
    """Return the name of a result's class and a line per column: its shape, least and most.

    >>> from tunables.simulators.tandem import trace_tandem
    >>> print(describe(trace_tandem([[1.0, 2.0], [1.0, 2.0]], [1])))
    TandemTrace
      begun_s     2 x 2, from 0 to 3
      served_s    2 x 2, from 1 to 5
      departed_s  2 x 2, from 1 to 5
    """
    wide = max(map(len, result._fields))
    columns = zip(result._fields, result, strict=True)
    return "\n".join(
        [type(result).__name__, *(f"  {name:{wide}}  {_range(values)}" for name, values in columns)]
    )


def _range(values) -> str:
    if not isinstance(values, np.ndarray):
        return f"{values:g}"
    shape, known = " x ".join(map(str, values.shape)), values[values == values]  # without nan
    return f"{shape}, from {known.min():g} to {known.max():g}" if known.size else shape
