"""Grades a class on this machine: writes a CSV row for each student as soon as it is known.

    python -m assignments.grade ARCHIVE SUBMISSIONS [--roster class.csv] [--open open.html] \
        > grades.csv

ARCHIVE is the zip of autograder/. SUBMISSIONS is a folder or a zip, as a learning platform gives
it: folders and zips within are searched. What students wrote runs apart from the rest as far as
this machine can keep it (walls.py): README.md says what that is.
"""

import argparse
import csv
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, NoReturn

from assignments.archive import Archive, read_archive
from assignments.grading import Graded, Limits, grade
from assignments.look_at import group_by_shape, shape
from assignments.notebook import read_notebook
from assignments.open_sheet import Answered, open_sheet
from assignments.reasons import Lost, points_text
from assignments.sandbox import walls
from tunables.base.arguments import number
from tunables.hand_in.files import Handed, handed_in
from tunables.hand_in.matching import Matcher, Origin, name_some, origin, remark_on_unclear
from tunables.options import parse_integer
from tunables.terminal import table_encoding, write_file
from tunables.views.classroom import Student, read_roster
from tunables.views.safe_text import as_cells, legible

NOBODY = Student("", "")
MOST_NOTEBOOKS = 100  # graded of one hand-in, where no roster says whose they are
LONGEST_CELL = 1000  # characters of a file's name, of an error, of what to look at
INTERRUPTED = 128 + signal.SIGINT
NOT_WRITTEN = 1
FOOT = "see the foot"  # of the table; in a note for the teacher, which names other students
NO_CODE = "the notebook has no code cells"
WHY = "_why"  # after a question's name: the column that says why points are lost
_NO_ANSWERS: Mapping[str, str] = MappingProxyType({})
MOST_WORKERS, MOST_CPU_S, MOST_TIMEOUT_S = 256, 3600, 86400


class Work(NamedTuple):
    """What one student handed in for grading: code cells, or why there are none.

    unknown: nobody can tell what it is worth without looking, so that it gets no points, not 0.
    is_notebook: of this assignment, though it may lack code cells.
    """

    student: Student
    path: str
    cells: list[str]
    error: str = ""
    others: str = ""  # files that were not taken
    shape: str = ""
    hints: tuple[str, ...] = ()
    unknown: bool = False
    answers: Mapping[str, str] = _NO_ANSWERS  # to the open questions
    is_notebook: bool = False


def _refuse_file(work: Work, file: Handed, why: str) -> Work:
    """Return a work with a file that is not graded: it says what a person should know of it."""
    if work.is_notebook:
        unread = f"not read: {file.path}: {why}" if file.trouble and not work.others else ""
        return work._replace(others=work.others or unread)
    if work.path and not file.trouble and (work.unknown or not _may_be_one(file)):
        return work
    return Work(work.student, file.path, [], why, unknown=bool(file.trouble))


def _may_be_one(file: Handed) -> bool:
    return file.path.lower().endswith(".ipynb")


def _with(archive: Archive, work: Work, file: Handed) -> Work:
    """Return a work with one more file.

    Of several notebooks the last by its path is graded, of those with code cells if there are any.
    """
    if file.trouble or not _may_be_one(file):
        return _refuse_file(work, file, file.trouble or "not a notebook")
    try:
        read = read_notebook(file.content, archive.name, archive.open_headings())
    except Exception as error:
        why = str(error) if isinstance(error, ValueError) else f"cannot be read: {error!r}"
        return _refuse_file(work, file._replace(trouble=why), why)
    if work.cells and not read.cells:
        return work._replace(others=f"several notebooks, not graded: {file.path}: {NO_CODE}")
    others = work.others
    if work.is_notebook:
        others = f"several notebooks, not graded: {work.path}"
    elif work.unknown:
        others = f"not read: {work.path}: {work.error}"
    return Work(
        work.student,
        file.path,
        read.cells,
        "" if read.cells else NO_CODE,
        others,
        read.shape,
        tuple(read.hints),
        answers=read.answers,
        is_notebook=True,
    )


def _alone(archive: Archive, files: Iterable[Handed], others: str = "") -> Iterator[Work]:
    """Return a work for each notebook, and for each file that may be one."""
    count: Counter[str] = Counter()
    for file in files:
        if not (_may_be_one(file) or file.trouble):
            continue
        count[file.top] += 1
        if count[file.top] > MOST_NOTEBOOKS:
            error = f"more than {MOST_NOTEBOOKS} notebooks in one hand-in"
            work = Work(NOBODY, file.path, [], error, unknown=True)
        else:
            work = _with(archive, Work(NOBODY, "", []), file)
        yield work._replace(others="; ".join(filter(None, (others, work.others))))


class _Class:
    """The hand-ins of a class: each is one student's, or nobody can tell whose."""

    def __init__(self, archive: Archive, students: list[Student]):
        self._archive, self._students = archive, students
        self.matcher = Matcher(students)
        self._works: dict[Student, dict[Origin, Work]] = {student: {} for student in students}
        self._nobodys: list[tuple[Work, str]] = []
        self._same_name: dict[Student, list[Student]] = {}

    def take(self, file: Handed) -> None:
        """Note a file of somebody's, or of nobody's."""
        found = origin(file.top)
        fits = self.matcher.fits(found)
        if len(fits) == 1:
            works = self._works[fits[0]]
            before = works.get(found, Work(fits[0], "", [], "nothing handed in"))
            works[found] = _with(self._archive, before, file)
            return
        self._same_name |= {one: [other for other in fits if other != one] for one in fits}
        remark = remark_on_unclear([student.id for student in fits])
        self._nobodys += [(work, remark) for work in _alone(self._archive, [file])]

    def _of(self, student: Student) -> Work:
        """Return the student's work; where several claim to be it, the one named by them alone."""
        works = self._works[student]
        if not works and student in self._same_name:
            same = name_some([other.id for other in self._same_name[student]])
            return Work(student, "", [], f"same name as {same}: {FOOT} of the table", unknown=True)
        if len(works) > 1:
            sure = [one for one in works if self.matcher.names_alone(one, student)]
            chosen = sure[0] if len(sure) == 1 else None
            for one, work in works.items():
                if one != chosen:
                    remark = f"student unclear: perhaps {student.id}, like another hand-in"
                    self._nobodys.append((work._replace(student=NOBODY), remark))
            if chosen is None:
                error = f"{len(works)} hand-ins claim to be from {student.id}: {FOOT} of the table"
                return Work(student, "", [], error, unknown=True)
            return works[chosen]
        return next(iter(works.values()), Work(student, "", [], "nothing handed in"))

    def works(self) -> list[Work]:
        """Return a work for each student, then those of nobody."""
        known = [self._of(student) for student in self._students]
        return known + [
            work._replace(others="; ".join(filter(None, (remark, work.others))))
            for work, remark in self._nobodys
        ]


def works(archive: Archive, place: Path, students: list[Student]) -> list[Work]:
    """Return a work for each student of the roster; without one, for each notebook."""
    if not students:
        return list(_alone(archive, handed_in(place)))
    found = _Class(archive, students)
    for file in handed_in(place, found.matcher.is_somebodys):
        found.take(file)
    return found.works()


def _grade_work(archive: Archive, work: Work, limits: Limits) -> Graded:
    """Return what a work got; it has no points where they are not known.

    Where there is no notebook, a person has nothing to mark either: all questions get 0. One
    without code cells may have an answer to the open question.
    """
    if work.unknown:
        return Graded({}, work.error, {})
    if not work.cells:
        by_hand = [] if work.is_notebook else archive.by_hand
        return Graded(dict.fromkeys((*archive.tests, *by_hand), 0.0), work.error, {})
    try:
        return grade(archive, work.cells, limits)
    except Exception as error:
        return Graded({}, f"could not be graded: {type(error).__name__}: {error}", {})


def _reasons(lost: list[Lost]) -> str:
    return " ".join(f"Loses {points_text(one.points)}: {one.reason}" for one in lost)


def row(archive: Archive, work: Work, alike_to: list[str], limits: Limits) -> dict:
    """Return the row of one work, whatever it holds."""
    graded = _grade_work(archive, work, limits)
    points = graded.points
    looks = [work.others] if work.others else []
    looks += [f"mentions {', '.join(work.hints)}"] if work.hints else []
    looks += [f"same code as {name_some(alike_to)}"] if alike_to else []
    told = {
        "id": work.student.id,
        "name": work.student.name,
        "file": work.path,
        **{name: f"{value:g}" for name, value in points.items()},
        "total": f"{sum(points.values()):g}" if points else "",
        "possible": f"{archive.possible:g}",
        "error": graded.trouble,
        "look_at": "; ".join(looks),
        **{f"{name}{WHY}": _reasons(lost) for name, lost in graded.lost.items()},
    }
    return {name: legible(text, LONGEST_CELL) for name, text in told.items()}


def rows(archive: Archive, todo: list[Work], limits: Limits, workers: int) -> Iterator[dict]:
    """Return the rows in order, each as soon as it and those before it are known."""
    shapes = {str(number): work.shape for number, work in enumerate(todo) if work.cells}
    same = group_by_shape(shapes, shape(archive.handed_out))
    paths = [
        [todo[int(one)].student.name or todo[int(one)].path for one in same.get(str(n), [])]
        for n in range(len(todo))
    ]
    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(lambda work, to: row(archive, work, to, limits), todo, paths)


def columns(archive: Archive, with_roster: bool) -> list[str]:
    """Return the CSV's columns: one a question, those marked by hand left empty, and reasons."""
    who = ["id", "name", "file"] if with_roster else ["file"]
    questions = sorted([*archive.tests, *archive.by_hand])
    reasons = [f"{name}{WHY}" for name in questions]
    return [*who, *questions, "total", "possible", "error", "look_at", *reasons]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("archive", type=Path)
    parser.add_argument("submissions", type=Path)
    parser.add_argument(
        "--roster",
        type=Path,
        help="a CSV with the columns id and name, or Moodle's participants or grading worksheet",
    )
    parser.add_argument(
        "--open", help="write all answers to the open question to this HTML file, for you to mark"
    )
    limits = Limits()
    parser.add_argument(
        "--workers", default=str(os.cpu_count() or 1), help="how many notebooks run at once"
    )
    cpu_s, timeout_s = str(limits.cpu_s), f"{limits.timeout_s:g}"
    parser.add_argument(
        "--cpu_s", default=cpu_s, help="CPU seconds for all cells together, and for each call"
    )
    parser.add_argument("--timeout_s", default=timeout_s, help="clock time of each notebook, in s")
    return parser.parse_args()


def _leave(code: int, sentence: str) -> NoReturn:
    """End at once: what the notebooks started ends with this process, and so do its folders."""
    print(f"grade: {sentence}", file=sys.stderr, flush=True)
    os._exit(code)


def _leave_interrupted(*_) -> NoReturn:
    _leave(INTERRUPTED, "interrupted; the rows above are complete")


def _seconds(name: str, text: str) -> float:
    """Return a time from its digits. Raises ValueError for none, or one out of range."""
    try:
        value: object = float(text)
    except ValueError:
        value = text
    return number(name, value, at_least=1, at_most=MOST_TIMEOUT_S)


def _write_open(archive: Archive, todo: list[Work], place: str) -> None:
    """Write the sheet with all answers to the open questions. Raises ValueError if it cannot."""
    answered = [
        Answered(work.student.id or work.path, work.student.name, work.cells, work.answers)
        for work in todo
        if work.is_notebook
    ]
    write_file(place, open_sheet(archive, answered))


def _write(names: list[str], todo: list[Work], known_rows: Iterator[dict]) -> None:
    """Write the table. Raises OSError where its output cannot be written."""
    writer = csv.DictWriter(sys.stdout, names, restval="", extrasaction="ignore")
    writer.writeheader()
    sys.stdout.flush()
    for count, known in enumerate(known_rows, 1):
        writer.writerow(as_cells(known))
        sys.stdout.flush()
        who = known["name"] or known["id"] or known["file"]
        said = known["error"] or f"{known['total']} of {known['possible']}"
        print(f"{count}/{len(todo)} {who}: {said}", file=sys.stderr, flush=True)


def main() -> int:
    given = _options()
    signal.signal(signal.SIGINT, _leave_interrupted)
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        workers = parse_integer("workers", given.workers, 1, MOST_WORKERS)
        cpu_s = parse_integer("cpu_s", given.cpu_s, 1, MOST_CPU_S)
        limits = Limits(cpu_s, _seconds("timeout_s", given.timeout_s))
        archive = read_archive(given.archive)
        students = read_roster(given.roster) if given.roster else []
        apart = walls()[1]
        todo = works(archive, given.submissions, students)
        if given.open is not None:
            _write_open(archive, todo, given.open)
    except ValueError as error:
        print(f"grade: {legible(str(error), LONGEST_CELL)}", file=sys.stderr)
        return 2
    print(f"{archive.name}: {len(todo)} to grade; {apart}", file=sys.stderr, flush=True)
    encoding = table_encoding(sys.stdout.isatty())
    sys.stdout.reconfigure(encoding=encoding)  # type: ignore[union-attr]
    try:
        names = columns(archive, bool(students))
        _write(names, todo, rows(archive, todo, limits, workers))
    except OSError as error:
        _leave(NOT_WRITTEN, f"the table could not be written: {error.strerror}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
