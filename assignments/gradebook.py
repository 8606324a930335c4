"""Adds up the grades once the open question is marked: writes a gradebook and feedback pages.

    python -m assignments.gradebook ARCHIVE GRADES --roster class.csv [--feedback feedback.zip] \\
        > gradebook.csv

GRADES is the CSV of `assignments.grade`, with the points of the open question filled in. The roster
is the one that was graded with: Moodle's grading worksheet comes back filled, any other with a
column more. The zip is what Moodle's *Upload multiple feedback files in a zip* takes. A spreadsheet
that saved the grades may have made 7 of the id 007: it is matched if no other student can be meant.
"""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from assignments.archive import Archive, read_archive
from assignments.feedback import Feedback, feedback_zip
from assignments.grade import FOOT, LONGEST_CELL, WHY
from assignments.spreadsheet_ids import Matched, Row, match_rows
from tunables.hand_in.matching import name_some, origin
from tunables.terminal import table_encoding, write_file
from tunables.views import moodle
from tunables.views.classroom import Student, read_grades, read_roster_rows
from tunables.views.gradebook import Mark, MarkedQuestion, feedback_page, gradebook
from tunables.views.safe_text import legible


def _points(row: Row, name: str, possible: float) -> float | None:
    """Return the points of a question, None for an empty cell. Raises ValueError for no points."""
    text = row[name].strip().replace(",", ".")
    if not text:
        return None
    try:
        points = float(text)
    except ValueError:
        points = -1.0
    if not 0 <= points <= possible:
        raise ValueError(
            f"{name} of {row['id']} = {row[name]!r}: must be a number from 0 to {possible:g}"
        )
    return points


def marked_questions(archive: Archive, row: Row) -> list[MarkedQuestion] | None:
    """Return a student's questions, or None if one of them has no points yet.

    Raises ValueError for points that are no number, or beyond what the question has.
    """
    found = []
    for name, possible in archive.worth().items():
        points = _points(row, name, possible)
        if points is None:
            return None
        heading = f"{name.removeprefix('q')}. {archive.headings.get(name, '')}".rstrip(" .")
        found.append(MarkedQuestion(heading, points, possible, row.get(f"{name}{WHY}", "")))
    return found


def _comment(questions: list[MarkedQuestion], trouble: str) -> str:
    said = [
        f"{one.heading} ({one.points:g} of {one.possible:g}): {one.why}"
        for one in questions
        if one.why
    ]
    return " ".join([f"{trouble}." if trouble else "", *said]).strip()


def _folder(student: Student, row: Row, worksheet: bool) -> str:
    """Return the folder of a student's feedback: as in the platform's download, if it is known."""
    for part in row.get("file", "").split("/"):
        if moodle.IN_A_FOLDER in part and (found := origin(part)).number:
            if worksheet and found.number != student.id:
                continue  # another's notebook, which a teacher let count for this student too
            return moodle.feedback_folder(found.who, found.number)
    if worksheet:
        return moodle.feedback_folder(student.name, student.id)
    return moodle.plain_folder(f"{student.name} {student.id}")


def add_up(
    archive: Archive, rows: Mapping[str, Row], students: list[Student], worksheet: bool
) -> tuple[dict[str, Mark], list[Feedback], list[Student]]:
    """Return marks by id, pages of feedback, and the students with points missing."""
    marks: dict[str, Mark] = {}
    pages: list[Feedback] = []
    missing = []
    for student in students:
        row = rows.get(student.id)
        questions = marked_questions(archive, row) if row else None
        if row is None or questions is None:
            missing.append(student)
            continue
        points = sum(one.points for one in questions)
        error = "" if FOOT in row["error"] else row["error"]
        marks[student.id] = Mark(points, _comment(questions, error))
        page = feedback_page(archive.name, student, questions, error)
        pages.append(Feedback(student, _folder(student, row, worksheet), page))
    return marks, pages, missing


def _summary(matched: Matched, marked: int, students: int, missing: list[Student]) -> str:
    """Return what a teacher should know of the gradebook, in one line."""
    said = [f"the points of {marked} of {students} students are complete"]
    if missing:
        names = ", ".join(f"{each.name} ({each.id})" if each.name else each.id for each in missing)
        said.append(f"points are missing for {names}, so nothing is written for them")
    if matched.rewritten:
        pairs = name_some([f"{given} for {id}" for id, given in matched.rewritten.items()])
        said.append(f"a spreadsheet changed ids in the grades, but they were matched: {pairs}")
    if matched.unknown:
        said.append(
            f"the roster has no {', '.join(matched.unknown)}, so their rows of grades were left "
            "out: if a spreadsheet changed these ids, put them right in the grades"
        )
    return "; ".join(said)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("archive", type=Path)
    parser.add_argument(
        "grades", type=Path, help="the CSV of assignments.grade, with the open question marked"
    )
    parser.add_argument("--roster", type=Path, required=True, help="the roster used for grading")
    parser.add_argument("--feedback", help="the zip to write with a page for each student")
    return parser.parse_args()


def main() -> int:
    given = _options()
    try:
        archive = read_archive(given.archive)
        worth = archive.worth()
        rows = read_grades(given.grades, ("id", *worth, "error"))
        roster = read_roster_rows(given.roster)
        students = [student for student, _ in roster.rows.values()]
        matched = match_rows(rows, students)
        worksheet = moodle.is_worksheet(roster.columns)
        marks, pages, missing = add_up(archive, matched.rows, students, worksheet)
        filled = gradebook(given.roster, marks, sum(worth.values()), archive.name)
        if given.feedback is not None:
            write_file(given.feedback, feedback_zip(pages))
    except ValueError as error:
        print(f"gradebook: {legible(str(error), LONGEST_CELL)}", file=sys.stderr)
        return 2
    encoding = table_encoding(sys.stdout.isatty())
    sys.stdout.reconfigure(encoding=encoding, errors="backslashreplace")  # type: ignore[union-attr]
    sys.stdout.write(filled)
    said = f"{archive.name}: {_summary(matched, len(marks), len(students), missing)}"
    print(legible(said, LONGEST_CELL), file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
