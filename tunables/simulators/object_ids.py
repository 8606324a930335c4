"""Small numbers that can index a table, for whatever numbers a trace uses for its objects."""

import numpy as np

from tunables.base.refusals import refusal
from tunables.simulators.compiled import compiled
from tunables.simulators.halves import both, is_halved, of_halves
from tunables.simulators.limits import check_length, shorten

_MOST_REQUESTS = 2**31 - 2  # times are kept in four bytes
_SPREAD = 4  # ids with gaps of at most this, on average, index a table directly
_ODD = 0x1E3779B97F4A7C15  # multiplier of Fibonacci hashing (Knuth, vol. 3, section 6.4)
_SIGNLESS = 2**63 - 1
_KINDS = {"U": "text", "S": "text", "b": "True or False", "c": "complex numbers"}


def _refuse(trace, reason):
    raise refusal(f"trace = {shorten(trace)}: must be a sequence of whole numbers, but {reason}")


def _is_integer(item):
    if isinstance(item, (float, np.floating)):
        return float(item).is_integer()
    return isinstance(item, (int, np.integer)) and not isinstance(item, bool)


def _array(trace):
    if isinstance(trace, (str, bytes, dict, set, frozenset)):
        _refuse(trace, f"it is a {type(trace).__name__}")
    check_length("trace", trace)
    try:
        array = np.asarray(trace)
        largest = float(np.abs(array).max(initial=0)) if array.dtype.kind == "f" else 0.0
        if array is not trace and largest >= 2**53:
            array = np.asarray(trace, dtype=object)  # numpy would round these integers
    except ValueError:
        _refuse(trace, "its rows differ in length")
    if array.ndim != 1:
        single = f"it is a single {type(trace).__name__}"
        _refuse(trace, f"it has {array.ndim} dimensions" if array.ndim else single)
    if not 0 < len(array) <= _MOST_REQUESTS:
        _refuse(trace, f"it has {len(array)} requests; from 1 to {_MOST_REQUESTS} are allowed")
    return array


def _as_int64(array, trace):
    """Map array's numbers one to one to 64-bit integers, to themselves where they fit."""
    if array.dtype.kind == "i":
        return array.astype(np.int64, copy=False)
    if array.dtype.kind == "u":
        return array.astype(np.uint64, copy=False).view(np.int64)
    if array.dtype.kind != "f" or array.dtype.itemsize > 8:
        _refuse(trace, f"it holds {_KINDS.get(array.dtype.kind, array.dtype)}")
    array = array.astype(np.float64) + 0.0  # and -0.0 becomes 0.0
    if not (np.isfinite(array).all() and (array == np.floor(array)).all()):
        _refuse(trace, "it holds a fraction, nan or infinity")
    return array.astype(np.int64) if np.abs(array).max() < 2.0**63 else array.view(np.int64)


@compiled
def _place(table, shift, key):
    """Return the row of table with that key, or the empty row where it belongs."""
    row = ((key * _ODD) & _SIGNLESS) >> shift
    while table[row, 1] >= 0 and int(table[row, 0]) != key:
        row = (row + 1) & (len(table) - 1)
    return row


@compiled
def _double_table(table, shift):
    larger = np.full((2 * len(table), 2), -1, np.int64)
    for row in range(len(table)):
        if table[row, 1] >= 0:
            place = _place(larger, shift - 1, int(table[row, 0]))
            larger[place, 0], larger[place, 1] = table[row, 0], table[row, 1]
    return larger


@compiled
def _number_while_room(table, shift, values, ids, begin, distinct):
    """Number the values from place `begin` on, until the next new one would overfill the table.

    Returns the place of that one and how many values differ up to there. It is a function of its
    own because it makes no array, so numba counts no references in this loop.
    """
    for t in range(begin, len(values)):
        key = int(values[t])
        row = _place(table, shift, key)
        if table[row, 1] < 0:
            if 2 * distinct == len(table):
                return t, distinct
            table[row, 0] = key
            table[row, 1] = distinct
            distinct += 1
        ids[t] = table[row, 1]
    return len(values), distinct


@compiled
def _number_and_keep(values, ids):
    """Fill ids with the rank of each value's first appearance.

    Returns the table of values and their ranks, the shift that chooses a row, and how many differ.
    """
    table = np.full((1024, 2), -1, np.int64)  # rows: value, its number
    shift = 63 - 10  # the top 10 bits of a hash choose the row
    t, distinct = _number_while_room(table, shift, values, ids, 0, 0)
    while t < len(values):
        table = _double_table(table, shift)
        shift -= 1
        t, distinct = _number_while_room(table, shift, values, ids, t, distinct)
    return table, shift, distinct


@compiled
def _number_by_hash(values, ids):
    """Fill ids with the rank of each value's first appearance; return how many differ."""
    _, _, distinct = _number_and_keep(values, ids)
    return distinct


@compiled
def _number_again(values, ids, ranks, table, shift, distinct):
    """Number a second half, which was numbered by itself, as the first half's table does.

    ranks: room for the new number of each old one. Values that the table lacks get the numbers
    from distinct on. Returns how many values of both halves differ.
    """
    old = 0
    for t in range(len(values)):
        if ids[t] == old:  # its first appearance here
            rank = table[_place(table, shift, int(values[t])), 1]
            if rank < 0:
                rank = distinct
                distinct += 1
            ranks[old] = rank
            old += 1
        ids[t] = ranks[ids[t]]
    return distinct


def _number_in_halves(values, ids):
    """Do the same as `_number_by_hash`, on two threads."""
    middle = len(values) // 2
    (table, shift, first), second = both(
        lambda: _number_and_keep(values[:middle], ids[:middle]),
        lambda: _number_by_hash(values[middle:], ids[middle:]),
    )
    ranks = np.empty(second, np.int32)
    return _number_again(values[middle:], ids[middle:], ranks, table, shift, first)


def integer_ids(trace) -> np.ndarray:
    """Return a trace's objects as 64-bit integers, one per request; equal objects are equal.

    Raises ValueError as `number_objects` does, and for numbers of more than 64 bits.

    >>> integer_ids([7, 9, 7])
    array([7, 9, 7])
    """
    array = _array(trace)
    if array.dtype == object:
        _refuse(trace, "it holds numbers of more than 64 bits, or entries that are not numbers")
    return _as_int64(array, trace)


def number_objects(trace):
    """Return (ids, objects): a trace's objects as int32 numbers below objects, one per request.

    Two ids are equal exactly if the numbers in the trace are; some ids may be unused.
    Raises ValueError unless the trace is a one-dimensional, non-empty sequence of whole
    numbers (of any size or sign).

    >>> number_objects([7, 9, 7])
    (array([0, 2, 0], dtype=int32), 3)
    >>> number_objects([10**30, -5, 10**30])
    (array([0, 1, 0], dtype=int32), 2)
    """
    array = _array(trace)
    if array.dtype == object:
        if not all(_is_integer(item) for item in array):
            _refuse(trace, "some entries are not whole numbers")
        numbers: dict = {}
        ranks = [numbers.setdefault(item, len(numbers)) for item in array]
        return np.array(ranks, dtype=np.int32), len(numbers)
    values = _as_int64(array, trace)
    ids = np.empty(len(values), dtype=np.int32)
    lows, highs = zip(*of_halves(lambda half: (half.min(), half.max()), values), strict=True)
    low, high = int(min(lows)), int(max(highs))
    if high - low < min(_SPREAD * len(values), _MOST_REQUESTS):
        of_halves(lambda half, out: np.subtract(half, low, out=out, casting="unsafe"), values, ids)
        return ids, high - low + 1
    number = _number_in_halves if is_halved(len(values)) else _number_by_hash
    return ids, number(values, ids)
