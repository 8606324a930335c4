"""A table of measurements from text: its columns by name, in SI units, within their ranges."""

import re
from typing import NamedTuple

import numpy as np

from tunables.own.numerals import numbers_of
from tunables.own.text import delimiter_of, refuse, rows_of, text_of

# Endings of a column's name that mean the same quantity in another unit, and its factor.
_UNITS = {
    "_s": {"_ms": 1e-3, "_us": 1e-6},
    "_bps": {"_kbps": 1e3, "_mbps": 1e6, "_gbps": 1e9},
    "_bytes": {"_kb": 1e3, "_mb": 1e6},
}
# No measurement in SI units lies beyond these, and squares of what does could overflow.
_SMALLEST, _LARGEST = 1e-15, 1e15


class Column(NamedTuple):
    """A column that a fit wants: its name with the SI unit, what it holds, its range."""

    name: str
    what: str
    above: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    whole: bool = False
    required: bool = True

    def spellings(self) -> dict[str, float]:
        """Return the headings that are understood, with the factor to the SI unit."""
        for ending, others in _UNITS.items():
            if self.name.endswith(ending):
                stem = self.name.removesuffix(ending)
                return {self.name: 1.0} | {stem + other: f for other, f in others.items()}
        return {self.name: 1.0}


def heading(cell) -> str:
    """Return a heading as a name: "Latency (ms)" as "latency_ms", "size µs" as "size_us"."""
    plain = cell.lower().replace("µ", "u").replace("μ", "u")
    return re.sub(r"[^a-z0-9]+", "_", plain).strip("_")


def wanted_text(columns) -> str:
    """Return a sentence part that lists the columns wanted, for a reader.

    >>> wanted_text([Column("rtt_s", ""), Column("loss", "", required=False)])
    'rtt_s (or _ms, _us); if known: loss'
    """
    parts: dict[bool, list[str]] = {True: [], False: []}
    for column in columns:
        _, *others = column.spellings()
        endings = ", ".join("_" + other.rpartition("_")[2] for other in others)
        short = not endings or not column.required
        parts[column.required].append(column.name if short else f"{column.name} (or {endings})")
    known = f"; if known: {', '.join(parts[False])}" if parts[False] else ""
    return ", ".join(parts[True]) + known


def _places(line, first, columns):
    """Return name -> index of the wanted columns that a heading row holds."""
    names = [heading(cell) for cell in first]
    if all(re.fullmatch(r"[\d_]*", name) for name in names):
        refuse(line, f"numbers stand where the columns' names should: {wanted_text(columns)}")
    places = {}
    for column in columns:
        found = [index for index, name in enumerate(names) if name in column.spellings()]
        if len(found) > 1:
            refuse(line, f"more than one column for {column.name}; leave one")
        if found:
            places[column.name] = found[0]
    missing = [column.name for column in columns if column.required and column.name not in places]
    if missing:
        refuse(
            line,
            f"no column {', '.join(missing)}; the columns found are {', '.join(first)}; "
            f"wanted are {wanted_text(columns)}: change the headings",
        )
    return places


def _check_range(column, values, lines, name):
    """Refuse values out of the column's range; they are still in the unit of the file."""
    factor = column.spellings()[heading(name)]
    measured = values * factor
    scale = np.abs(measured)
    checks = [
        ((scale > _LARGEST) | (scale < _SMALLEST) & (scale > 0), "of a size that is measured")
    ]
    if column.above is not None:
        checks.append((measured <= column.above, f"above {column.above:g}"))
    if column.at_least is not None:
        checks.append((measured < column.at_least, f"at least {column.at_least:g}"))
    if column.at_most is not None:
        checks.append((measured > column.at_most, f"at most {column.at_most:g}"))
    if column.whole:
        checks.append((measured != np.floor(measured), "a whole number"))
    for bad, allowed in checks:
        if bad.any():
            row = int(np.argmax(bad))
            refuse(lines[row], f"{name} = {values[row]:g}: must be {allowed}; mend the row")
    return measured


def read_columns(source, columns, at_least_rows=1) -> dict[str, np.ndarray]:
    """Return the wanted columns of a table, name -> array of floats in SI units.

    source: see `text_of`. Cells are parted by tabs, semicolons or commas, as the first line
    is. Other columns are passed over; a column that is not required may be missing. A heading
    may carry another unit: latency_ms for latency_s.
    Raises ValueError with a sentence that says what to do for what `text_of` and `numbers_of`
    refuse, for headings that are missing, double or other than wanted, for values outside
    their range, and for fewer rows than at_least_rows.

    >>> read_columns("RTT (ms);note\\n12,5;a\\n7;b\\n", [Column("rtt_s", "", above=0)])
    {'rtt_s': array([0.0125, 0.007 ])}
    """
    text = text_of(source)
    if not text.strip():
        raise ValueError("the text is empty; it wants a line of headings and the rows below it")
    rows = rows_of(text, delimiter_of(text))
    first_line, first = next(rows)
    places = _places(first_line, first, columns)
    cells: dict[str, list[str]] = {first[index]: [] for index in places.values()}
    picks = [(cells[first[index]].append, index) for index in places.values()]
    lines = []
    for line, row in rows:
        lines.append(line)
        for append, index in picks:
            append(row[index])
    values = numbers_of(cells, lines)
    result = {
        column.name: _check_range(column, values[name], lines, name)
        for column in columns
        if column.name in places
        for name in [first[places[column.name]]]
    }
    if len(lines) < at_least_rows:
        raise ValueError(
            f"rows: {len(lines)}; this fit needs at least {at_least_rows}; measure more"
        )
    return result
