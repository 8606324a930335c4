"""Bring your own trace: keys from a CSV, and the knee of the miss-ratio curve they give."""

from typing import NamedTuple

import numpy as np

from tunables.base.arguments import choice, integer, numbers
from tunables.base.user_data.columns import HEADER_WORDS, refuse
from tunables.core.reading import rows_of, text_of


class Trace(NamedTuple):
    """Requests as ids 0, 1, 2, ... in order of first appearance; names[id] is the key."""

    ids: np.ndarray
    names: list[str]


def _column_index(first_line, first, column):
    if column is None:
        if len(first) > 1:
            found = ", ".join(first)
            refuse(
                first_line, f"there are {len(first)} columns ({found}): choose one by name or index"
            )
        return 0
    if isinstance(column, str):
        return first.index(choice("column", column, first))
    return integer("column", column, at_most=len(first) - 1)


def read_keys(text_or_path, column=None, delimiter=",") -> Trace:
    r"""Return the requests of a CSV text as a Trace, an id for each row in order.

    text_or_path: text of several lines, bytes of a UTF-8 file (an upload), or a path. Cells
    are parted by the delimiter and may be quoted; blank lines are passed over and so are blanks
    around a key. Line ends may be those of Unix, Windows or the old Macintosh.
    column: a header's name or an index from 0; needed only where there is more than one.

    The first row is a header if a column is chosen by name, or if its cell in the chosen
    column is a usual word for a key (key, object, file, url, ...), or if it is the only cell
    of the column that is not a number. Look at the names that come back.

    Raises ValueError that names the line for text without keys, rows of unequal length, an
    empty key, unclosed quotes and binary data; and for a column that is not there.

    >>> read_keys('at,file\r\n1,a.rrd\r\n\r\n2,"b,c.rrd"\r\n3,a.rrd\r\n', "file")
    Trace(ids=array([0, 1, 0]), names=['a.rrd', 'b,c.rrd'])
    """
    rows = rows_of(text_of(text_or_path), delimiter, "keys")
    first_line, first = next(rows)
    index = _column_index(first_line, first, column)
    keys, lines = [first[index]], [first_line]
    for line, cells in rows:
        keys.append(cells[index])
        lines.append(line)
    if isinstance(column, str) or _has_header(keys):
        del keys[0], lines[0]
        if not keys:
            refuse(first_line, "a header, but no keys below it")
    if "" in keys:
        refuse(lines[keys.index("")], "the key is empty")
    ids: dict[str, int] = {}
    requests = np.array([ids.setdefault(key, len(ids)) for key in keys], dtype=np.int64)
    return Trace(requests, list(ids))


def _is_number(cell):
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _has_header(cells):
    first, *rest = cells
    if first.lower() in HEADER_WORDS:
        return first not in rest
    return bool(rest) and not _is_number(first) and all(map(_is_number, rest))


def knee(miss_ratio_curve) -> int:
    """Return the capacity at which a miss-ratio curve is farthest below its chord.

    miss_ratio_curve[c] is the miss ratio at capacity c, from 0 to the number of distinct
    objects; the chord joins its two ends. Up to the knee a page of memory buys more than the
    average page does, beyond it less. At a cliff that is the foot, the first capacity after
    the fall. Of capacities that are equally far the largest counts; so a curve that nowhere
    sags below the chord, like that of a cyclic scan, has its knee at the end, where all fits.

    Raises ValueError for a curve that is empty, not flat in shape, or not within [0, 1].
    Source: Satopää, Albrecht, Irwin & Raghavan (2011), "Finding a kneedle in a haystack",
    section III, for a decreasing curve, unsmoothed.

    >>> knee([1, 0.5, 0.2, 0.15, 0.1])
    2
    >>> knee([1, 1, 1, 1, 0.1])
    4
    """
    curve = np.array(numbers("miss_ratio_curve", miss_ratio_curve, at_least=0, at_most=1))
    below = np.linspace(curve[0], curve[-1], len(curve)) - curve
    farthest = np.flatnonzero(below > below.max() - 1e-9)  # equal but for rounding
    return int(farthest[-1])
