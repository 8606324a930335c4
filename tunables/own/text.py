"""The text of a paste, an upload or a file: refused with a sentence unless it is plain text."""

import csv
import io
import os
import re
from collections.abc import Iterator
from pathlib import Path

LARGEST_BYTES = 64 * 2**20
_BINARY = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
# First bytes of files that people take for a table, and what to do about each.
_NO_TEXT = (
    (b"PK\x03\x04", "a spreadsheet or ZIP archive, not text; save the table as CSV (UTF-8)"),
    (b"\x1f\x8b", "compressed; unpack the file first"),
    (b"\xff\xfe", "UTF-16 text; save the file as UTF-8"),
    (b"\xfe\xff", "UTF-16 text; save the file as UTF-8"),
    (b"%PDF", "a PDF, not a table; save the table as CSV (UTF-8)"),
)


def refuse(line, reason):
    """Raise ValueError that names the line."""
    raise ValueError(f"line {line}: {reason}")


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


def text_of(source) -> str:
    """Return the text of a str of several lines, of bytes, or of the file at a path.

    The text is read and nothing else: not run, not stored. A byte order mark is dropped.
    Raises ValueError that says what to do for binary or compressed data, another encoding than
    UTF-8, more than LARGEST_BYTES, or a str that is neither lines of text nor a file.

    >>> text_of(b"key\\r\\na\\r\\n")
    'key\\r\\na\\r\\n'
    """
    if isinstance(source, str) and ("\n" in source or "\r" in source):
        _check_size(len(source))
        text = source.removeprefix("\ufeff")
    elif isinstance(source, (bytes, bytearray, memoryview)):
        _check_size(len(source))
        text = _decoded(bytes(source))
    elif isinstance(source, (str, os.PathLike)) and os.path.isfile(source):
        _check_size(os.path.getsize(source))
        text = _decoded(Path(source).read_bytes())
    else:
        raise ValueError(f"{source!r}: neither a file nor lines of text")
    if found := _BINARY.search(text):
        refuse(len(re.split(r"\r\n|\r|\n", text[: found.start()])), "binary data, not text")
    return text


def rows_of(text, delimiter=",", what="rows") -> Iterator[tuple[int, list[str]]]:
    """Yield (line, cells) of every row that is not blank, blanks around a cell dropped.

    Raises ValueError that names the line for rows of unequal length and unclosed quotes, and
    if there is no row; what names them in that sentence.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    first_line = width = 0
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if not any(cells):
                continue
            if not width:
                first_line, width = reader.line_num, len(cells)
            if len(cells) != width:
                _refuse_width(reader.line_num, cells, width, first_line)
            yield reader.line_num, cells
    except csv.Error as error:
        refuse(reader.line_num, str(error))
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
    first = next((line for line in text.splitlines() if line.strip()), "")
    return next((candidate for candidate in "\t;" if candidate in first.strip()), ",")
