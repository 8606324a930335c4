"""The columns that a fit wants of a table: by which headings it knows them, and their ranges.

MicroPython runs this, too: `tunables.parts.reading` reads tables in Python, the page's script in
JavaScript.
"""

from tunables.plain.own.words import listed, quoted, refuse, shown

# Endings of a column's name that mean the same quantity in another unit, and its factor.
_UNITS = {
    "_s": [("_ms", 1e-3), ("_us", 1e-6)],
    "_bps": [("_kbps", 1e3), ("_mbps", 1e6), ("_gbps", 1e9)],
    "_bytes": [("_kb", 1e3), ("_mb", 1e6)],
}
_IN_NAMES, _DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789", "0123456789_"
# No measurement in SI units lies beyond these, and squares of what does could overflow.
SMALLEST, LARGEST = 1e-15, 1e15
EMPTY = "the text is empty; it wants a line of headings and the rows below it"


class Column:
    """A column that a fit wants: its name with the SI unit, what it holds, its range."""

    def __init__(
        self, name, what, above=None, at_least=None, at_most=None, whole=False, required=True
    ):
        self.name, self.what, self.whole, self.required = name, what, whole, required
        self.above, self.at_least, self.at_most = above, at_least, at_most

    def spellings(self) -> list:
        """Return (heading, factor to the SI unit) of those that are understood, the SI one first.

        >>> Column("rtt_s", "").spellings()
        [('rtt_s', 1.0), ('rtt_ms', 0.001), ('rtt_us', 1e-06)]
        """
        stem, _, unit = self.name.rpartition("_")
        others = _UNITS.get("_" + unit, [])
        return [(self.name, 1.0)] + [(stem + ending, factor) for ending, factor in others]

    def limits(self) -> list:
        """Return [kind, bound, what is allowed]: what each number, in SI units, must keep to."""
        found = [["size", 0, "of a size that is measured"]]
        if self.above is not None:
            found.append(["above", self.above, f"above {self.above:g}"])
        if self.at_least is not None:
            found.append(["at_least", self.at_least, f"at least {self.at_least:g}"])
        if self.at_most is not None:
            found.append(["at_most", self.at_most, f"at most {self.at_most:g}"])
        if self.whole:
            found.append(["whole", 0, "a whole number"])
        return found


def heading(cell) -> str:
    """Return a heading as a name: "Latency (ms)" as "latency_ms", "size µs" as "size_us"."""
    plain = cell.lower().replace("µ", "u").replace("μ", "u")
    return "_".join("".join(c if c in _IN_NAMES else " " for c in plain).split())


def wanted_text(columns) -> str:
    """Return a sentence part that lists the columns wanted, for a reader.

    >>> wanted_text([Column("rtt_s", ""), Column("loss", "", required=False)])
    'rtt_s (or _ms, _us); if known: loss'
    """
    required, known = [], []
    for column in columns:
        endings = ", ".join(["_" + other.split("_")[-1] for other, _ in column.spellings()[1:]])
        if not column.required:
            known.append(column.name)
        else:
            required.append(f"{column.name} (or {endings})" if endings else column.name)
    return ", ".join(required) + (f"; if known: {', '.join(known)}" if known else "")


class Lacking(ValueError):
    """Columns that are required are not there."""

    def __init__(self, sentence, columns):
        super().__init__(sentence)
        self.columns = columns


def places(columns, line, first) -> list:
    """Return (column, index of its place, factor to the SI unit) of those that a first row names.

    Raises ValueError for numbers in the place of headings, for two headings of one column, and
    Lacking for columns that are required and are not there.
    """
    names = [heading(cell) for cell in first]
    if all(c in _DIGITS for name in names for c in name):
        refuse(line, f"numbers stand where the columns' names should: {wanted_text(columns)}")
    found = []
    for column in columns:
        factors = dict(column.spellings())
        indices = [index for index, name in enumerate(names) if name in factors]
        if len(indices) > 1:
            refuse(line, f"more than one column for {column.name}; leave one")
        found += [(column, index, factors[names[index]]) for index in indices]
    there = [column for column, *_ in found]
    if lacking := [column for column in columns if column.required and column not in there]:
        raise Lacking(
            f"line {line}: no column {', '.join([column.name for column in lacking])}; the columns "
            f"found are {listed(first)}; wanted are {wanted_text(columns)}: change the headings",
            lacking,
        )
    return found


def refuse_infinite(line, name, cell):
    """Refuse a number that is not finite."""
    refuse(
        line, f"{name} = {shown(quoted(cell))} is not finite; take out rows without a measurement"
    )


def refuse_out_of_range(line, name, value, allowed):
    """Refuse a number out of its column's range; the value is in the unit of the file."""
    refuse(line, f"{name} = {value:g}: must be {allowed}; mend the row")


def check_rows(rows, at_least):
    """Raise ValueError for too few rows."""
    if rows < at_least:
        raise ValueError(f"rows: {rows}; this fit needs at least {at_least}; measure more")
