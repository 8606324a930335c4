"""A table of measurements from text: its columns by name, in SI units, within their ranges."""

import numpy as np

from tunables.parts.numerals import numbers_of
from tunables.parts.text import delimiter_of, rows_of, text_of
from tunables.plain.own.columns import (
    EMPTY,
    LARGEST,
    SMALLEST,
    check_rows,
    places,
    refuse_out_of_range,
)

# Where numbers break a column's limit, by its kind.
_BREAKS = {
    "size": lambda x, _: (abs(x) > LARGEST) | (abs(x) < SMALLEST) & (x != 0),
    "above": lambda x, bound: x <= bound,
    "at_least": lambda x, bound: x < bound,
    "at_most": lambda x, bound: x > bound,
    "whole": lambda x, _: x != np.floor(x),
}


def _check_range(column, values, factor, lines, name):
    """Return values in SI units; refuse those out of the column's range."""
    with np.errstate(over="ignore"):  # what is infinite then is too large, and refused
        measured = values * factor
    for kind, bound, allowed in column.limits():
        bad = _BREAKS[kind](measured, bound)
        if bad.any():
            row = int(np.argmax(bad))
            refuse_out_of_range(lines[row], name, values[row], allowed)
    return measured


def read_columns(source, columns, at_least_rows=1) -> dict[str, np.ndarray]:
    """Return the wanted columns of a table, name -> array of floats in SI units.

    source: see `text_of`. Cells are parted by tabs, semicolons or commas, as the first line
    is. Other columns are passed over; a column that is not required may be missing. A heading
    may carry another unit: latency_ms for latency_s.
    Raises ValueError with a sentence that says what to do for what `text_of` and `numbers_of`
    refuse, for headings that are missing, double or other than wanted, for values outside
    their range, and for fewer rows than at_least_rows.

    >>> from tunables.plain.own.columns import Column
    >>> read_columns("RTT (ms);note\\n12,5;a\\n7;b\\n", [Column("rtt_s", "", above=0)])
    {'rtt_s': array([0.0125, 0.007 ])}
    """
    text = text_of(source)
    if not text.strip():
        raise ValueError(EMPTY)
    rows = rows_of(text, delimiter_of(text))
    first_line, first = next(rows)
    found = places(columns, first_line, first)
    cells: dict[str, list[str]] = {first[index]: [] for _, index, _ in found}
    picks = [(cells[first[index]].append, index) for _, index, _ in found]
    lines = []
    for line, row in rows:
        lines.append(line)
        for append, index in picks:
            append(row[index])
    values = numbers_of(cells, lines)
    result = {
        column.name: _check_range(column, values[name], factor, lines, name)
        for column, index, factor in found
        for name in [first[index]]
    }
    check_rows(len(lines), at_least_rows)
    return result
