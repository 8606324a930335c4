"""A class: the students of a CSV with the columns id and name."""

import csv
from pathlib import Path
from typing import NamedTuple

from tunables.plain.arguments import path as file_path
from tunables.plain.own.words import shown

LARGEST_BYTES = 2**20  # a thousand students have 50 KB
COLUMNS = ("id", "name")


class Student(NamedTuple):
    """A student: the id is a university's own, the name is free text."""

    id: str
    name: str


def _text(path: Path) -> str:
    """Return a file's text; what is no UTF-8 comes from an older spreadsheet."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_BYTES + 1)  # a device or a pipe may have no end
    except OSError as error:
        raise ValueError(f"roster = {shown(str(path))!r}: {error.strerror}") from None
    if len(content) > LARGEST_BYTES:
        raise ValueError(f"roster = {str(path)!r}: must be at most {LARGEST_BYTES // 2**20} MiB")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def read_roster(path: str | Path) -> list[Student]:
    """Return the students of a CSV, in its order; commas, semicolons or tabs part its columns.

    Raises ValueError for a file that cannot be read, lacks a column, holds nobody, has a line
    without an id, or an id twice.
    """
    path = file_path("roster", path)
    lines = _text(Path(path)).splitlines()
    head = lines[0] if lines else ""
    delimiter = max(",;\t", key=head.count)
    rows = csv.DictReader(lines, delimiter=delimiter)
    try:
        return _students(path, rows, head)
    except csv.Error as error:
        raise ValueError(f"roster, line {rows.line_num}: must be a row of a CSV: {error}") from None


def _students(path, rows, head) -> list[Student]:
    found = {str(name).strip().lower(): name for name in rows.fieldnames or []}
    missing = [name for name in COLUMNS if name not in found]
    if missing:
        raise ValueError(
            f"roster = {str(path)!r}: must have the columns id and name, not {shown(head)!r}"
        )
    students: dict[str, Student] = {}
    for row in rows:
        one = Student(*[(row[found[name]] or "").strip() for name in COLUMNS])
        if not any(one):
            continue
        if not one.id or one.id in students:
            raise ValueError(f"roster, line {rows.line_num}: must have an id, and one of its own")
        students[one.id] = one
    if not students:
        raise ValueError(f"roster = {str(path)!r}: must hold a student")
    return list(students.values())
