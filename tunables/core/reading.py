"""A table of measurements from text: its columns by name, in SI units, within their ranges.

Text is a paste, an upload or a file. Numbers may be written as 0.25, 1,234.5, 1.234,5, 1 234 or
1'234. What is not plain text, or no table, is refused with a sentence.
"""

import csv
import io
import os
import re
from collections.abc import Iterator

import numpy as np

from tunables.base.arguments import in_short
from tunables.base.user_data.columns import (
    COMMA,
    EMPTY,
    LARGEST,
    POINT,
    SMALLEST,
    SPACING,
    check_rows,
    places,
    refuse,
    refuse_cell,
    refuse_infinite,
    refuse_out_of_range,
    separators,
    shorten,
)
from tunables.base.user_data.load_tools import table_of_runs
from tunables.core.logs import as_table

LARGEST_BYTES = 64 * 2**20
LONGEST_ROW = 2**18  # characters; a line of commas alone would fill the memory with cells
_BINARY = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
# First bytes of files that people take for a table, and what to do about each.
_NO_TEXT = (
    (b"PK\x03\x04", "a spreadsheet or ZIP archive, not text; save the table as CSV (UTF-8)"),
    (b"\x1f\x8b", "compressed; unpack the file first"),
    (b"\xff\xfe", "UTF-16 text; save the file as UTF-8"),
    (b"\xfe\xff", "UTF-16 text; save the file as UTF-8"),
    (b"%PDF", "a PDF, not a table; save the table as CSV (UTF-8)"),
)


def _decode(data):
    for first_bytes, what in _NO_TEXT:
        if data.startswith(first_bytes):
            raise ValueError(f"this is {what}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        refuse(line, f"byte 0x{data[error.start]:02x} is not UTF-8 text; save the file as UTF-8")


def _check_size(size):
    if size > LARGEST_BYTES:
        raise ValueError(
            f"the file is {size / 2**20:.0f} MiB; the limit is {LARGEST_BYTES // 2**20} MiB; use a "
            "shorter time span, or every tenth run"
        )


def _bytes_of(path):
    """Return the bytes of a file, a device or a pipe."""
    if os.path.isdir(path):
        raise ValueError(f"{shorten(path)}: this is a folder, not a file")
    try:
        with open(path, "rb") as file:
            _check_size(os.fstat(file.fileno()).st_size)
            data = file.read(LARGEST_BYTES + 1)  # a device or a pipe has no size
            _check_size(len(data))
            return data
    except OSError as error:
        raise ValueError(f"{shorten(path)}: this file cannot be read: {error.strerror}") from None


def text_of(source) -> str:
    """Return the text of a str of several lines, of bytes, or of the file at a path.

    The text is read and nothing else: not run, not stored. A byte order mark is dropped.
    Raises ValueError that says what to do for binary or compressed data, another encoding than
    UTF-8, more than LARGEST_BYTES, a file that cannot be read, or a str that is neither lines
    of text nor a file.

    >>> text_of(b"key\\r\\na\\r\\n")
    'key\\r\\na\\r\\n'
    """
    if isinstance(source, str) and ("\n" in source or "\r" in source):
        _check_size(len(source))
        text = source.removeprefix("\ufeff")
    elif isinstance(source, (bytes, bytearray, memoryview)):
        _check_size(len(source))
        text = _decode(bytes(source))
    elif isinstance(source, os.PathLike) or (isinstance(source, str) and os.path.exists(source)):
        text = _decode(_bytes_of(source))
    else:
        raise ValueError(f"{shorten(in_short(source))}: neither a file nor lines of text")
    text = text.replace("\ufeff", "")  # it has no width, and means nothing within a text
    if found := _BINARY.search(text):
        refuse(len(re.split(r"\r\n|\r|\n", text[: found.start()])), "binary data, not text")
    return text


class _Lines:
    """The lines of a text for a csv.reader, which must not ask for a row that is too long."""

    def __init__(self, text):
        self.lines = io.StringIO(text, newline="")
        self.number = self.taken = 0

    def __iter__(self):
        for line in self.lines:
            self.number += 1
            self.taken += len(line)
            if self.taken > LONGEST_ROW:
                refuse(
                    self.number,
                    f"a row of more than {LONGEST_ROW:,} characters is not a measurement",
                )
            yield line


def _check_delimiter(delimiter):
    if not isinstance(delimiter, str) or len(delimiter) != 1 or delimiter in '\r\n"':
        raise ValueError(
            f"delimiter = {shorten(repr(delimiter))}: must be one character other than a double "
            "quote or a line break"
        )


def rows_of(text, delimiter=",", what="rows") -> Iterator[tuple[int, list[str]]]:
    """Yield (line, cells) of every row that is not blank, blanks around a cell dropped.

    Raises ValueError that names the line for rows of unequal length or of more than
    LONGEST_ROW characters and for unclosed quotes, and if there is no row; what names them in
    that sentence.

    >>> list(rows_of("rtt_s,rate_bps\\n0.5,1000\\n0.25, 2000\\n", delimiter=","))
    [(1, ['rtt_s', 'rate_bps']), (2, ['0.5', '1000']), (3, ['0.25', '2000'])]
    """
    _check_delimiter(delimiter)
    lines = _Lines(text)
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    first_line = width = 0
    try:
        for row in reader:
            lines.taken = 0
            cells = [cell.strip() for cell in row]
            if not any(cells):
                continue
            if not width:
                first_line, width = reader.line_num, len(cells)
            if len(cells) != width:
                _refuse_width(reader.line_num, cells, width, first_line)
            yield reader.line_num, cells
    except csv.Error as error:
        reason = str(error)
        unclosed = "a quote is not closed: " if reason == "unexpected end of data" else ""
        refuse(reader.line_num, unclosed + reason)
    if not width:
        refuse(1, f"there are no {what} in this text")


def _refuse_width(line, cells, width, first_line):
    hint = ""
    if len(cells) > width and all(re.fullmatch(r"[+-]?\d[\d.]*", cell) for cell in cells):
        hint = "; write a number without commas, or put it in quotes"
    refuse(line, f"the number of columns is {len(cells)}, but line {first_line} has {width}{hint}")


def delimiter_of(text) -> str:
    """Return what parts the cells of the first line that is not blank: tab, semicolon or comma.

    >>> delimiter_of("at;size\\n1;2,5"), delimiter_of("at\\tsize\\n"), delimiter_of("size\\n1")
    (';', '\\t', ',')
    """
    first = next(iter(text.lstrip()[:LONGEST_ROW].splitlines()), "")
    return next((candidate for candidate in "\t;" if candidate in first.strip()), ",")


_SPACING, _POINT, _COMMA = (re.compile(pattern, re.ASCII) for pattern in (SPACING, POINT, COMMA))


def _plain(columns):
    """Return the columns as arrays if every cell is a number with a decimal point, else None.

    Python reads the digits of all scripts, and 1_000; what else reads these files does not.
    """
    for cells in columns.values():
        together = "".join(cells)
        if not together.isascii() or "_" in together:
            return None
    try:
        return {name: np.array(cells, dtype=np.float64) for name, cells in columns.items()}
    except ValueError:
        return None


def _separators(columns, lines):
    """Return (thousands, decimal) of a whole file.

    A comma that can only be decimal in one cell is decimal in all, and the other way round.
    """
    only: dict[str, tuple[int, str]] = {}  # convention -> a cell that no other one can read
    unsure = None
    for name, cells in columns.items():
        for line, cell in zip(lines, cells, strict=True):
            point, comma = _POINT.fullmatch(cell), _COMMA.fullmatch(cell)
            if not point and not comma:
                refuse_cell(line, name, cell)
            if point and not comma:
                only.setdefault("point", (line, cell))
            elif comma and not point:
                only.setdefault("comma", (line, cell))
            elif unsure is None and "," in cell:
                unsure = (line, cell)
    return separators(only.get("point"), only.get("comma"), unsure)


def numbers_of(columns, lines) -> dict[str, np.ndarray]:
    """Return columns of text, name -> cells, as arrays of finite numbers.

    Thousands separators and decimal commas are recognised where some cell of the file leaves
    no doubt which they are, and are refused where none does: "1,234" alone. lines[i] is the
    line of row i.
    Raises ValueError that names the line, the column and what to write instead.

    >>> numbers_of({"size": ["1.234", "2,5"]}, [2, 3])["size"].tolist()
    [1234.0, 2.5]
    """
    result = _plain(columns)
    if result is None:
        columns = {
            name: [_SPACING.sub("", cell) for cell in cells] for name, cells in columns.items()
        }
        thousands, decimal = _separators(columns, lines)
        result = {
            name: np.array(
                [cell.replace(thousands, "").replace(decimal, ".") for cell in cells],
                dtype=np.float64,
            )
            for name, cells in columns.items()
        }
    for name, values in result.items():
        if not np.isfinite(values).all():
            row = int(np.argmin(np.isfinite(values)))
            refuse_infinite(lines[row], name, columns[name][row])
    return result


# Where numbers break a column's limit, by its kind.
_BREAKS = {
    "size": lambda x, _: (abs(x) > LARGEST) | (abs(x) < SMALLEST) & (x != 0),
    "above": lambda x, bound: x <= bound,
    "at_least": lambda x, bound: x < bound,
    "at_most": lambda x, bound: x > bound,
    "integer": lambda x, _: x != np.floor(x),
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

    source: see `text_of`. Logs and what load tools print are rewritten first, by
    `tunables.core.logs` and `tunables.base.user_data.load_tools`. Cells are parted by tabs,
    semicolons or commas, as the first line is. Other columns are passed over; a column that is
    not required may be missing. A heading may carry another unit: latency_ms for latency_s.
    Raises ValueError with a sentence that says what to do for what `text_of` and `numbers_of`
    refuse, for headings that are missing, double or other than wanted, for values outside
    their range, and for fewer rows than at_least_rows.

    >>> from tunables.base.user_data.columns import Column
    >>> read_columns("RTT (ms);note\\n12,5;a\\n7;b\\n", [Column("rtt_s", "", above=0)])
    {'rtt_s': array([0.0125, 0.007 ])}
    """
    text = text_of(source)
    text = table_of_runs(text) or as_table(text)
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
