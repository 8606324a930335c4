"""Whose a row of the grades is, after a spreadsheet saved them: it takes the id 007 for 7."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tunables.views.classroom import Student
from tunables.views.safe_text import as_cell

Row = Mapping[str, str]


def _without_zeros(id: str) -> str:
    """Return an id as a spreadsheet saves it, which takes 007 for the number 7."""
    return id.lstrip("0") or "0" if id.isdecimal() else id


class Matched(NamedTuple):
    """The rows of the grades by the students' ids, and what a teacher should know of the others.

    rewritten: the id in the grades of each student that has another one in the roster.
    unknown: the ids in the grades that the roster lacks.
    """

    rows: dict[str, Row]
    rewritten: dict[str, str]
    unknown: list[str]


def match_rows(rows: Iterable[Row], students: list[Student]) -> Matched:
    """Return the row of each student. Raises ValueError for an id that has two rows.

    >>> match_rows([{"id": "7"}], [Student("007", "James")]).rows
    {'007': {'id': '7'}}
    """
    by_id: dict[str, Row] = {}
    meant = Counter(_without_zeros(student.id) for student in students)
    for row in rows:
        if row["id"] and by_id.setdefault(row["id"], row) is not row:
            id = row["id"]
            zeros = ", or put the zeros back that a spreadsheet took away"
            zeros = zeros if meant[_without_zeros(id)] > 1 else ""
            raise ValueError(f"grades: {id} has two rows; keep only the one that counts{zeros}")
    written = {student.id: str(as_cell(student.id)) for student in students}
    exact = {id: by_id.pop(id, None) or by_id.pop(cell, None) for id, cell in written.items()}
    found = {id: row for id, row in exact.items() if row is not None}
    given = Counter(map(_without_zeros, [*by_id, *found]))
    rewritten = {}
    for id in written:
        plain = _without_zeros(id)
        [*same] = [other for other in by_id if _without_zeros(other) == plain]
        if id not in found and same and meant[plain] == given[plain] == 1:
            rewritten[id] = same[0]
            found[id] = by_id.pop(same[0])
    return Matched(found, rewritten, [*by_id])
