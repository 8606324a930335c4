"""The columns that a fit wants of a user's table: their headings, ranges and decimal separators.

MicroPython runs this too: `tunables.core.reading` reads tables in Python, the page's script reads
them in JavaScript. Patterns are valid in Python's re and in JavaScript.
"""

from tunables.base.numbers_as_text import group_thousands


def refuse(line, reason):
    """Raise ValueError that names the line."""
    raise ValueError(f"line {line}: {reason}")


def quote(cell) -> str:
    """Return a cell in quotes; MicroPython's repr differs from CPython's."""
    return f"'{cell}'"


def shorten(text, longest=60) -> str:
    """Return a text as an error repeats it, cut in the middle if it is long.

    >>> shorten("abcdefghij", 7)
    'ab...ij'
    """
    text = str(text)
    if len(text) <= longest:
        return text
    half = (longest - 3) // 2
    return f"{text[:half]}...{text[-half:]}"


def join_names(names, most=12) -> str:
    """Return names separated by commas, at most `most` of them, each shortened.

    >>> join_names(["rtt_s", "loss", "at"], most=2)
    'rtt_s, loss and 1 more'
    """
    words = ", ".join(shorten(name, 40) for name in names[:most])
    return (
        words
        if len(names) <= most
        else f"{words} and {group_thousands(str(len(names) - most))} more"
    )


# A blank or apostrophe that sets thousands apart; it is never anything else.
SPACING = r"(?<=\d)[ \u00a0\u202f'’](?=\d{3}(?!\d))"
POINT = r"[+-]?(\d+|\d{1,3}(,\d{3})+|(?=\.\d))(\.\d*)?([eE][+-]?\d+)?"
COMMA = r"[+-]?(\d+|\d{1,3}(\.\d{3})+|(?=,\d))(,\d*)?([eE][+-]?\d+)?"
_ADVICE = "write numbers as in 1234.5, with a decimal point and no thousands separators"


def refuse_cell(line, name, cell):
    """Refuse what is no number in either way of writing."""
    if not cell:
        refuse(line, f"{name} is empty; fill it in or take the row out")
    refuse(line, f"{name} = {shorten(quote(cell))} is not a number; {_ADVICE}")


def separators(point, comma, unsure) -> tuple:
    """Return (thousands, decimal) of a file, since one program wrote it.

    point, comma: (line, cell) of a number that can only be read with a decimal point, or only
    with a decimal comma; unsure: one with a comma that may be either. None if there is no
    such number.
    Raises ValueError for a file that has both, or leaves it open.

    >>> separators(None, (2, "2,5"), (3, "1,234"))
    ('.', ',')
    >>> separators(None, None, (3, "1,234"))
    Traceback (most recent call last):
    ValueError: line 3: the comma in '1,234' could separate thousands or decimals; write \
numbers as in 1234.5, with a decimal point and no thousands separators
    """
    if point and comma:
        (line, cell), (other_line, other) = point, comma
        raise ValueError(
            f"line {line} has {shorten(quote(cell))} and line {other_line} has "
            f"{shorten(quote(other))}: two ways to write a decimal number; {_ADVICE}"
        )
    if unsure and not point and not comma:
        line, cell = unsure
        refuse(
            line,
            f"the comma in {shorten(quote(cell))} could separate thousands or decimals; {_ADVICE}",
        )
    return (".", ",") if comma else (",", ".")


# Endings of a column's name that mean the same quantity in another unit, and its factor.
_UNITS = {
    "_s": [("_ms", 1e-3), ("_us", 1e-6)],
    "_bps": [("_kbps", 1e3), ("_mbps", 1e6), ("_gbps", 1e9), ("_kB/s", 8e3), ("_MB/s", 8e6)],
    "_bytes": [("_kb", 1e3), ("_mb", 1e6)],
}
_IN_NAMES, _DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789", "0123456789_"
# No measurement in SI units is beyond these, and squares of larger numbers could overflow.
SMALLEST, LARGEST = 1e-15, 1e15
EMPTY = "the text is empty; it needs a line of headings with rows below it"


class Column:
    """A column that a fit wants: its name with the SI unit, what it holds, its range.

    unit_is_enough: whether a heading may be the unit alone, such as "MB/s".
    """

    def __init__(
        self,
        name,
        what,
        above=None,
        at_least=None,
        at_most=None,
        integer=False,
        required=True,
        unit_is_enough=False,
    ):
        self.unit_is_enough = unit_is_enough
        self.name, self.what, self.integer, self.required = name, what, integer, required
        self.above, self.at_least, self.at_most = above, at_least, at_most

    def spellings(self) -> list:
        """Return (heading, factor to the SI unit) of every accepted heading, the SI one first.

        >>> Column("rtt_s", "").spellings()
        [('rtt_s', 1.0), ('rtt_ms', 0.001), ('rtt_us', 1e-06)]
        """
        stem, _, unit = self.name.rpartition("_")
        others = _UNITS.get("_" + unit, [])
        return [(self.name, 1.0)] + [(stem + ending, factor) for ending, factor in others]

    def find(self, names) -> list:
        """Return (index, factor to the SI unit) of the headings, as names, that are this column."""
        factors = {heading(spelling): factor for spelling, factor in self.spellings()}
        found = [(index, factors[name]) for index, name in enumerate(names) if name in factors]
        if found or not self.unit_is_enough:
            return found
        units = {heading(name.split("_")[-1]): factor for name, factor in self.spellings()}
        return [(index, units[name]) for index, name in enumerate(names) if name in units]

    def limits(self) -> list:
        """Return [kind, bound, what is allowed]: what each number, in SI units, must keep to."""
        found = [["size", 0, "of a realistic size"]]
        if self.above is not None:
            found.append(["above", self.above, f"above {self.above:g}"])
        if self.at_least is not None:
            found.append(["at_least", self.at_least, f"at least {self.at_least:g}"])
        if self.at_most is not None:
            found.append(["at_most", self.at_most, f"at most {self.at_most:g}"])
        if self.integer:
            found.append(["integer", 0, "a whole number"])
        return found


# A rate's unit as it is written, and in a name: small letters don't tell bits from bytes.
_RATES = [("bit/s", "bps"), ("kb/s", "kbps"), ("Mb/s", "Mbps"), ("Gb/s", "Gbps")]
_RATES += [("B/s", "bytes_per_s"), ("Bps", "bytes_per_s")]


def heading(cell) -> str:
    """Return a heading as a name: "Latency (ms)" as "latency_ms", "size µs" as "size_us".

    >>> heading("Rate [Mbit/s]"), heading("MB/s")
    ('rate_mbps', 'mbytes_per_s')
    """
    for written, name in _RATES:
        cell = cell.replace(written, name)
    plain = cell.lower().replace("µ", "u").replace("μ", "u")
    return "_".join("".join(c if c in _IN_NAMES else " " for c in plain).split())


def wanted_text(columns) -> str:
    """Return a sentence part that lists the columns wanted, for a reader.

    >>> wanted_text([Column("rtt_s", ""), Column("loss", "", required=False)])
    'rtt_s (or _ms, _us); optional: loss'
    """
    required, known = [], []
    for column in columns:
        endings = ", ".join(["_" + other.split("_")[-1] for other, _ in column.spellings()[1:]])
        if not column.required:
            known.append(column.name)
        else:
            required.append(f"{column.name} (or {endings})" if endings else column.name)
    return ", ".join(required) + (f"; optional: {', '.join(known)}" if known else "")


class MissingColumns(ValueError):
    """Columns that are required are not there.

    columns: those that a reader may choose among the others; none if too few others are there.
    """

    def __init__(self, sentence, columns):
        super().__init__(sentence)
        self.columns = columns


def places(columns, line, first) -> list:
    """Return (column, index of its cell, factor to the SI unit) of the columns in a first row.

    Raises ValueError for numbers in the place of headings, for two headings of one column, and
    MissingColumns for columns that are required and are not there.
    """
    names = [heading(cell) for cell in first]
    if all(c in _DIGITS for name in names for c in name):
        refuse(line, f"there are numbers where the headings should be: {wanted_text(columns)}")
    found = []
    for column in columns:
        here = column.find(names)
        if len(here) > 1:
            refuse(line, f"more than one column for {column.name}; keep only one")
        found += [(column, index, factor) for index, factor in here]
    there = [column for column, *_ in found]
    if lacking := [column for column in columns if column.required and column not in there]:
        can_choose = len(first) - len(found) >= len(lacking)
        to_add = "; ".join([f"{column.name}, {column.what}" for column in lacking])
        raise MissingColumns(
            f"line {line}: no column {', '.join([column.name for column in lacking])}; the columns "
            + f"found are {join_names(first)}; those needed are {wanted_text(columns)}: "
            + ("change the headings" if can_choose else f"add {to_add}"),
            lacking if can_choose else [],
        )
    return found


def refuse_infinite(line, name, cell):
    """Refuse a number that is not finite."""
    refuse(
        line, f"{name} = {shorten(quote(cell))} is not finite; take out rows without a measurement"
    )


def refuse_out_of_range(line, name, value, allowed):
    """Refuse a number out of its column's range; the value is in the unit of the file."""
    refuse(line, f"{name} = {value:g}: must be {allowed}; correct the row")


def check_rows(rows, at_least):
    """Raise ValueError for too few rows."""
    if rows < at_least:
        raise ValueError(f"too few rows ({rows}): this fit needs at least {at_least}; measure more")


# A first row is taken as a heading over keys if its cell is one of these words.
HEADER_WORDS = {
    "block",
    "file",
    "id",
    "item",
    "key",
    "keys",
    "lba",
    "lbn",
    "name",
    "obj_id",
    "object",
    "object_id",
    "page",
    "path",
    "uri",
    "url",
}
