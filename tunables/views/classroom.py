"""Problems for a class: its roster, who gets which problem, and the sheets with an answer key."""

import csv
import hmac
import io
import json
import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from tunables.base.arguments import choice, integer, text
from tunables.base.arguments import path as file_path
from tunables.base.user_data.columns import shorten
from tunables.page.problem import (
    LARGEST_SEED,
    Problem,
    answer_text,
    as_markdown,
    as_record,
    as_text,
    make_problem,
    problem_slug,
    wanted_text,
)
from tunables.views import moodle
from tunables.views.safe_text import as_cells, one_line

LARGEST_BYTES = 2**20  # a thousand students have 50 KB
MOST_GRADES_BYTES = 20 * 2**20  # with a reason for every lost mark
ROSTER_COLUMNS = ("id", "name")


class Student(NamedTuple):
    """A student: the id is the university's, the name is free text."""

    id: str
    name: str


def _table_text(name: str, path: Path, largest_bytes: int) -> str:
    """Return a file's text; what is no UTF-8 comes from an older spreadsheet."""
    try:
        with path.open("rb") as file:
            content = file.read(largest_bytes + 1)  # a device or a pipe may have no end
    except OSError as error:
        raise ValueError(f"{name} = {shorten(str(path))!r}: {error.strerror}") from None
    if len(content) > largest_bytes:
        raise ValueError(
            f"{name} = {str(path)!r}: must be no larger than {largest_bytes // 2**20} MiB"
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


class Roster(NamedTuple):
    """A roster as a file holds it: its headings, and the rows of its students, by their ids.

    columns: where each heading is, by its small letters; the first of several that are equal.
    """

    headings: list[str]
    columns: dict[str, int]
    rows: dict[str, tuple[Student, list[str]]]


def read_roster(path: str | Path) -> list[Student]:
    """Return the students of a CSV, in its order; commas, semicolons or tabs part its columns.

    It has the columns id and name, or those of Moodle's list of participants or of the grading
    worksheet of an assignment. Raises ValueError for a file that cannot be read, lacks a column,
    has no students, has a line without an id, or an id twice.
    """
    return [student for student, _ in read_roster_rows(path).rows.values()]


def read_roster_rows(path: str | Path) -> Roster:
    """Return the students of a CSV with their whole rows. Raises ValueError as `read_roster`."""
    rows, head = _table("roster", path, LARGEST_BYTES)
    try:
        return _students(path, rows, head)
    except csv.Error as error:
        raise ValueError(
            f"roster, line {rows.line_num}: must be a valid row of CSV: {error}"
        ) from None


class _Rows:
    """The rows of a CSV, but for empty lines, and the line that the last one ended on."""

    def __init__(self, content: str, delimiter: str):
        self._reader = csv.reader(io.StringIO(content, newline=""), delimiter=delimiter)

    @property
    def line_num(self) -> int:
        return self._reader.line_num

    def __iter__(self) -> Iterator[list[str]]:
        return filter(None, self._reader)


def _table(name: str, path: str | Path, largest_bytes: int) -> tuple[_Rows, str]:
    """Return the rows of a spreadsheet's CSV, headings first, and its first line."""
    content = _table_text(name, Path(file_path(name, path)), largest_bytes)
    head = re.split(r"[\r\n]", content, maxsplit=1)[0]  # splitlines parts at a form feed, too
    return _Rows(content, max(",;\t", key=head.count)), head


def _check_once(name: str, path: object, columns: Iterable[str], headings: list[str]) -> None:
    """Raise ValueError if two of the headings are one of these columns: which one counts?"""
    for column in columns:
        if headings.count(column) > 1:
            raise ValueError(f"{name} = {str(path)!r}: must have exactly one column named {column}")


def read_grades(path: str | Path, columns: Iterable[str]) -> list[dict[str, str]]:
    """Return the rows of a CSV of grades, as a spreadsheet saves it.

    columns: what it must have, once. Raises ValueError for a file that cannot be read, or lacks
    one.
    """
    rows, _ = _table("grades", path, MOST_GRADES_BYTES)
    try:
        headings, *found = [*rows] or [[]]
    except csv.Error as error:
        raise ValueError(
            f"grades, line {rows.line_num}: must be a valid row of CSV: {error}"
        ) from None
    columns = tuple(columns)
    for name in columns:
        if name not in headings:
            raise ValueError(f"grades = {str(path)!r}: must have a column named {name}")
    _check_once("grades", path, columns, headings)
    return [dict(zip_longest(headings, row[: len(headings)], fillvalue="")) for row in found]


def _student(cells: list[str], columns: dict[str, int], line: int) -> Student:
    row = {name: cells[place] for name, place in columns.items()}
    if all(name in row for name in ROSTER_COLUMNS):
        return Student(*[one_line(row[name]) for name in ROSTER_COLUMNS])
    try:
        return Student(*map(one_line, moodle.identity(row)))
    except ValueError as error:
        raise ValueError(f"roster, line {line}: {error}") from None


def _students(path: object, rows: _Rows, head: str) -> Roster:
    each = iter(rows)
    headings = next(each, [])
    names = [heading.strip().lower() for heading in headings]
    columns = {name: place for place, name in reversed([*enumerate(names)])}
    plain = all(name in columns for name in ROSTER_COLUMNS)
    if not (plain or moodle.is_worksheet(columns) or moodle.is_participants(columns)):
        raise ValueError(
            f"roster = {str(path)!r}: must have the columns id and name, not {shorten(head)!r}, "
            "or be Moodle's list of participants or its grading worksheet, exported in English"
        )
    _check_once("roster", path, ROSTER_COLUMNS if plain else moodle.ONCE, names)
    students: dict[str, tuple[Student, list[str]]] = {}
    for row in each:
        cells = row + [""] * (len(headings) - len(row))
        one = _student(cells, columns, rows.line_num)
        if not any(one):
            continue
        if not one.id or one.id in students:
            raise ValueError(
                f"roster, line {rows.line_num}: must have an id that no other student has"
            )
        students[one.id] = one, cells
    if not students:
        raise ValueError(f"roster = {str(path)!r}: must list at least one student")
    return Roster(headings, columns, students)


MOST_STUDENTS = 1000


class Sheet(NamedTuple):
    """A student's problem; is its seed a secret, which opens its steps in the page?"""

    student: str | int
    name: str
    problem: Problem
    secret: bool = False

    @property
    def who(self) -> str:
        """How a sheet names its student."""
        return f"{self.name} ({self.student})" if self.name else f"Student {self.student}"


def secret_seed(secret: str, chapter: str | int, student: str, again: int = 0) -> int:
    """Return the seed that a secret gives a student in a chapter: a hash keyed by the secret.

    again: the number of the retry, if earlier seeds drew another student's problem. Capitals and
    spaces around an id do not count, as in a seed.
    Raises ValueError for an empty secret or an unknown chapter.

    >>> secret_seed("word", 3, "s1") == secret_seed("word", "cache_cliff", " S1 ", again=0)
    True
    """
    if not text("secret", secret).strip():
        raise ValueError(f"secret = {secret!r}: must be a secret word of your own")
    who = text("student", student).strip().lower()
    said = f"{problem_slug(chapter)}/{who}/{integer('again', again)}"
    drawn = hmac.digest(secret.strip().encode(), said.encode(), "sha256")
    return int.from_bytes(drawn[:8], "big") % (LARGEST_SEED + 1)


class _DistinctProblems:
    """Draws each student a question that no other has, if the kind has enough."""

    def __init__(self, secret: str, chapter: str | int, kind: str | None):
        self._secret, self._chapter, self._kind = secret, chapter, kind
        self._taken: set[str] = set()
        self._tries = MOST_STUDENTS

    def sheet(self, student: Student) -> Sheet:
        for again in range(self._tries):
            seed = secret_seed(self._secret, self._chapter, student.id, again)
            problem = make_problem(self._chapter, seed, self._kind)
            if problem.question not in self._taken:
                break
        else:
            self._tries = 1  # the kind has no more: do not search as long for later students
        self._taken.add(problem.question)
        return Sheet(student.id, student.name, problem, secret=True)


def roster_sheets(
    chapter: str | int, students: list[Student], secret: str | None, kind: str | None = None
) -> list[Sheet]:
    """Return a sheet for each student: drawn by the secret, or else by the id, which is public.

    Raises ValueError as `make_problem` and `secret_seed` do.

    >>> sheets = roster_sheets(3, [Student("s1", "Ada")], secret="word", kind="zigzag")
    >>> [sheet.problem.kind for sheet in sheets]
    ['zigzag']
    """
    if secret is not None:
        apart = _DistinctProblems(secret, chapter, kind)
        return [apart.sheet(student) for student in students]
    return [
        Sheet(student.id, student.name, make_problem(chapter, student.id, kind))
        for student in students
    ]


def class_problems(
    chapter: str | int, seed: int | str, students: int, kind: str | None = None
) -> list[Problem]:
    """Return a problem for each student, from seed on; a question that came before is left out.

    Raises ValueError as `make_problem` does, for students not from 1 to 1,000, and for a seed
    that is a word, which has no successor, if there are several.

    >>> [problem.seed for problem in class_problems(3, seed=7, students=2, kind="zigzag")]
    [7, 8]
    """
    students = integer("students", students, at_least=1, at_most=MOST_STUDENTS)
    first = make_problem(chapter, seed, kind)
    problems = {first.question: first}
    last = integer("seed of the first student", first.seed) if students > 1 else 0
    while len(problems) < students:
        last += 1
        problem = make_problem(chapter, last, kind)
        problems.setdefault(problem.question, problem)
    return list(problems.values())


def counted_sheets(
    chapter: str | int,
    seed: str | int,
    students: int,
    kind: str | None = None,
    secret: str | None = None,
) -> list[Sheet]:
    """Return sheets for students 1, 2, ...; with a secret each is drawn by it and their number.

    A single student is the one that the seed names. Raises ValueError as `class_problems` does.

    >>> [sheet.problem.kind for sheet in counted_sheets(3, "7", 2, kind="zigzag", secret="word")]
    ['zigzag', 'zigzag']
    """
    if secret is None:
        problems = class_problems(chapter, seed, students, kind)
        return [Sheet(number, "", problem) for number, problem in enumerate(problems, 1)]
    many = integer("students", students, at_least=1, at_most=MOST_STUDENTS)
    ids = [str(seed)] if many == 1 else [str(number) for number in range(1, many + 1)]
    return roster_sheets(chapter, [Student(name, "") for name in ids], secret, kind)


FORMATS = ("text", "md", "json", "csv")
COLUMNS = ("student", "name", "chapter", "kind", "seed", "question", "wanted")
KEY_COLUMNS = ("answer", "unit", "tolerance")
_MARK_AS = {mark: f"\\{mark}" for mark in "\\`*_[]#~$"}
_MARK_AS |= {"<": "&lt;", ">": "&gt;", "&": "&amp;", "|": "&#124;"}
_MARKS = re.compile("[" + re.escape("".join(_MARK_AS)) + "]")
OPENS_STEPS = ("seed", "link")  # fields that open the steps in the page


def _record(sheet: Sheet, with_answer: bool) -> dict:
    """Return a sheet as plain data; what would open its steps is for the teacher alone."""
    record = {"student": sheet.student, "name": sheet.name}
    record |= as_record(sheet.problem, with_answer)
    hidden = {*OPENS_STEPS} if sheet.secret and not with_answer else set()
    if not sheet.name:
        hidden.add("name")
    return {name: value for name, value in record.items() if name not in hidden}


def markdown_name(text: object) -> str:
    """Return a name in which Markdown finds no marks, no table's bar and no HTML."""
    return _MARKS.sub(lambda found: _MARK_AS[found[0]], one_line(str(text)))


def _key(sheets: list[Sheet]) -> str:
    rows = [
        f"| {markdown_name(sheet.student)} | {sheet.problem.kind} | {sheet.problem.seed} "
        f"| {answer_text(sheet.problem)} | {wanted_text(sheet.problem)} |"
        for sheet in sheets
    ]
    head = ["| student | kind | seed | answer | asked for |", "|---|---|---|---|---|"]
    return "\n".join(["## Answer key", "", *head, *rows])


def _csv(sheets: list[Sheet], with_answer: bool) -> str:
    records = [_record(sheet, with_answer) for sheet in sheets]
    wanted = COLUMNS + (KEY_COLUMNS if with_answer else ())
    columns = [name for name in wanted if name in records[0]]
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(map(as_cells, records))
    return text.getvalue().rstrip("\n")


def _alone(sheets: list[Sheet]) -> bool:
    """Say whether it is one problem for no student in particular, which needs no name."""
    return len(sheets) == 1 and not sheets[0].name


def _text(sheets: list[Sheet], with_answer: bool) -> str:
    shown = [as_text(sheet.problem, with_answer) for sheet in sheets]
    if not _alone(sheets):
        shown = [f"{sheet.who}. {text}" for sheet, text in zip(sheets, shown, strict=True)]
    return "\n\n\n".join(shown)


def _markdown(sheets: list[Sheet], with_answer: bool) -> str:
    if _alone(sheets):
        return as_markdown(sheets[0].problem, with_answer)
    shown = [
        as_markdown(sheet.problem, title=f"{markdown_name(sheet.who)}: {sheet.problem.title}")
        for sheet in sheets
    ]
    return "\n\n".join([*shown, *([_key(sheets)] if with_answer else [])])


def _json(sheets: list[Sheet], with_answer: bool) -> str:
    records = [_record(sheet, with_answer) for sheet in sheets]
    if _alone(sheets):
        del records[0]["student"]
    shown = records[0] if _alone(sheets) else records
    return json.dumps(shown, indent=2, ensure_ascii=False, allow_nan=False)


def handout(sheets: list[Sheet], form: str = "text", with_answer: bool = False) -> str:
    """Return problems as text, Markdown ("md"), JSON or CSV.

    With answers a single problem has its steps; Markdown for a class ends with an answer key.
    Raises ValueError for another format.

    >>> handout(counted_sheets(3, 7, 2), form="md", with_answer=True).count("\\n") > 9
    True
    """
    made = {"text": _text, "md": _markdown, "json": _json, "csv": _csv}
    return made[choice("format", form, FORMATS)](sheets, with_answer)
