"""Tables of records, made in compiled code as outside of it."""

import numpy as np

from tunables.simulators.compiled import njit


def records(count, kind):
    """Return so many records of zeros of a structured type; their fields are attributes.

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
