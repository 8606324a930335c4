"""Grades a class on this machine: a CSV with a row for every student, each written when known.

    python -m assignments.grade ARCHIVE SUBMISSIONS [--roster class.csv] > grades.csv

ARCHIVE is the zip of autograder/. SUBMISSIONS is a folder or a zip, as a learning platform gives
it: folders and zips within are searched. What students wrote runs apart from the rest as far as
this machine can keep it (sandbox.py), but with your rights to read: see README.md.
"""

import argparse
import csv
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from assignments.archive import Archive, read_archive
from assignments.grading import Limits, grade
from assignments.handed_in import Handed, code_cells, handed_in
from assignments.look_at import alike, mentions, shape
from assignments.matching import by_student
from assignments.sandbox import walls
from tunables.plain.cells import as_cells
from tunables.reader.roster import Student, read_roster

NOBODY = Student("", "")
NAMED = 3  # of those whose functions are the same


class Work(NamedTuple):
    """What one student handed in for grading: code cells, or why there are none."""

    student: Student
    path: str
    cells: list[str]
    error: str = ""
    others: str = ""  # files that were not taken


def _read(archive: Archive, student: Student, files: list[Handed]) -> Work:
    """Return a student's work: of several notebooks of this assignment the last by its path."""
    work = Work(student, "", [], "nothing handed in")
    for file in files:
        try:
            if file.trouble or not file.path.lower().endswith(".ipynb"):
                raise ValueError(file.trouble or "not a notebook")
            cells = code_cells(file.content, archive.name)
        except ValueError as error:
            work = work if work.cells else Work(student, file.path, [], str(error))
        else:
            others = f"several notebooks, not taken: {work.path}" if work.cells else work.others
            work = Work(student, file.path, cells, "", others)
    return work


def works(archive: Archive, files: list[Handed], students: list[Student]) -> list[Work]:
    """Return a work for each student of the roster; without one, for each notebook."""
    if not students:
        theirs = [file for file in files if file.path.lower().endswith(".ipynb") or file.trouble]
        return [_read(archive, NOBODY, [file]) for file in theirs]
    found, nobodys = by_student(files, students)
    known = [_read(archive, student, theirs) for student, theirs in found.items()]
    return known + [
        _read(archive, NOBODY, [file])._replace(others="whose? nobody's id or name is in the path")
        for file in nobodys
    ]


def _equals(others: list[str]) -> str:
    more = f" and {len(others) - NAMED} more" if len(others) > NAMED else ""
    return f"equals {', '.join(others[:NAMED])}{more}"


def row(archive: Archive, work: Work, alike_to: list[str], limits: Limits) -> dict:
    """Return the row of one work."""
    points, error = dict.fromkeys(archive.tests, 0.0), work.error
    if work.cells:
        points, error = grade(archive, work.cells, limits)
    looks = [work.others] if work.others else []
    hints = mentions(work.cells)
    looks += [f"mentions {', '.join(hints)}"] if hints else []
    looks += [_equals(alike_to)] if alike_to else []
    return {
        "id": work.student.id,
        "name": work.student.name,
        "file": work.path,
        **{question: f"{value:g}" for question, value in points.items()},
        "total": f"{sum(points.values()):g}",
        "possible": f"{archive.possible:g}",
        "error": error,
        "look_at": "; ".join(looks),
    }


def rows(archive: Archive, todo: list[Work], limits: Limits, workers: int) -> Iterator[dict]:
    """Return the rows in order, each as soon as it and those before it are known."""
    sources = {work.path: work.cells for work in todo if work.cells}
    same = alike(sources, shape(archive.handed_out))
    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(lambda work: row(archive, work, same.get(work.path, []), limits), todo)


def columns(archive: Archive, with_roster: bool) -> list[str]:
    """Return the CSV's columns: one a question, those marked by hand left empty."""
    who = ["id", "name", "file"] if with_roster else ["file"]
    questions = sorted([*archive.tests, *archive.by_hand])
    return [*who, *questions, "total", "possible", "error", "look_at"]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("archive", type=Path)
    parser.add_argument("submissions", type=Path)
    parser.add_argument("--roster", type=Path, help="a CSV with the columns id and name")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="notebooks at a time")
    parser.add_argument(
        "--cpu_s", type=int, default=Limits().cpu_s, help="CPU time: of all cells, and of a call"
    )
    parser.add_argument(
        "--timeout_s", type=float, default=Limits().timeout_s, help="of a notebook, on the clock"
    )
    return parser.parse_args()


def main() -> int:
    given = _options()
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    try:
        archive = read_archive(given.archive)
        students = read_roster(given.roster) if given.roster else []
        todo = works(archive, list(handed_in(given.submissions)), students)
    except ValueError as error:
        print(f"grade: {error}", file=sys.stderr)
        return 2
    print(f"{archive.name}: {len(todo)} to grade; {walls()[1]}", file=sys.stderr)
    names = columns(archive, bool(students))
    writer = csv.DictWriter(sys.stdout, names, extrasaction="ignore")
    writer.writeheader()
    limits = Limits(given.cpu_s, given.timeout_s)
    for count, known in enumerate(rows(archive, todo, limits, given.workers), 1):
        writer.writerow(as_cells(known))
        sys.stdout.flush()
        who = known["name"] or known["id"] or known["file"]
        said = known["error"] or f"{known['total']} of {known['possible']}"
        print(f"{count}/{len(todo)} {who}: {said}", file=sys.stderr, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
