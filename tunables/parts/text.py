"""The text of a paste, an upload or a file: refused with a sentence unless it is plain text."""

import csv
import io
import os
import re
from collections.abc import Iterator

from tunables.plain.own.words import refuse, shown

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


def _decoded(data):
    for first_bytes, what in _NO_TEXT:
        if data.startswith(first_bytes):
            raise ValueError(f"this is {what}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        refuse(line, f"byte 0x{data[error.start]:02x} is no UTF-8 text; save the file as UTF-8")


def _check_size(size):
    if size > LARGEST_BYTES:
        raise ValueError(
            f"{size / 2**20:.0f} MiB are too many: at most {LARGEST_BYTES // 2**20}; "
            "take a shorter span of time, or every tenth run"
        )


def _bytes_of(path):
    """Return the bytes of a file, a device or a pipe."""
    if os.path.isdir(path):
        raise ValueError(f"{shown(path)}: this is a folder, not a file")
    try:
        with open(path, "rb") as file:
            _check_size(os.fstat(file.fileno()).st_size)
            data = file.read(LARGEST_BYTES + 1)  # a device or a pipe does not tell its size
            _check_size(len(data))
            return data
    except OSError as error:
        raise ValueError(f"{shown(path)}: this file cannot be read: {error.strerror}") from None


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
        text = _decoded(bytes(source))
    elif isinstance(source, os.PathLike) or (isinstance(source, str) and os.path.exists(source)):
        text = _decoded(_bytes_of(source))
    else:
        raise ValueError(f"{shown(repr(source))}: neither a file nor lines of text")
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
                    self.number, f"a row of more than {LONGEST_ROW:,} characters is no measurement"
                )
            yield line


def _check_delimiter(delimiter):
    if not isinstance(delimiter, str) or len(delimiter) != 1 or delimiter in '\r\n"':
        raise ValueError(f"delimiter = {shown(repr(delimiter))}: must be one character")


def rows_of(text, delimiter=",", what="rows") -> Iterator[tuple[int, list[str]]]:
    """Yield (line, cells) of every row that is not blank, blanks around a cell dropped.

    Raises ValueError that names the line for rows of unequal length or of more than
    LONGEST_ROW characters and for unclosed quotes, and if there is no row; what names them in
    that sentence.
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
        hint = "; a number with commas in it must stand in quotes, or better without them"
    refuse(line, f"the columns are {len(cells)}, but {width} in line {first_line}{hint}")


def delimiter_of(text) -> str:
    """Return what parts the cells of the first line that is not blank: tab, semicolon or comma.

    >>> delimiter_of("at;size\\n1;2,5"), delimiter_of("at\\tsize\\n"), delimiter_of("size\\n1")
    (';', '\\t', ',')
    """
    first = next(iter(text.lstrip()[:LONGEST_ROW].splitlines()), "")
    return next((candidate for candidate in "\t;" if candidate in first.strip()), ",")
