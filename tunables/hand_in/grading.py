"""Marks the hand-ins of a class: a gradebook with a row for each student and chapter.

Problems are checked again, by the page's own rule. Guesses, steps, map and own numbers are said to
be done or not, and give no points. A hand-in that is refused gets no points, not 0: somebody must
look at it.
"""

import csv
import io
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tunables.hand_in.codes import class_codes
from tunables.hand_in.files import LARGEST_BYTES, Handed, handed_in
from tunables.hand_in.matching import Matcher, name_some, origin, remark_on_unclear, words_of
from tunables.hand_in.reading import NO_HAND_IN, Piece, UnknownCode, decoded, open_piece, pieces
from tunables.page.chapters import CHAPTERS, find_chapter
from tunables.page.hand_in import HandIn, problems_of
from tunables.page.problem import Problem, check_answer, kinds
from tunables.views.classroom import Student
from tunables.views.safe_text import as_cells, legible, one_line

TEXTS = (".txt", ".html", ".htm", ".md", ".eml", ".csv")
POINTS = {"right": 1.0, "close": 1.0, "unit": 0.5, "wrong": 0.0}
WORDS = {"right": "right", "close": "right", "unit": "wrong unit", "wrong": "wrong"}
NOT_ANSWERED = "no answer"
NOTHING = "nothing handed in"
COLUMNS = (
    *("id", "name", "file", "chapter", "guesses", "steps", "map", "own_numbers"),
    *("answers", "points", "possible", "error", "look_at"),
)
NOBODY = Student("", "")
LONGEST_CELL = 1000


class Work(NamedTuple):
    """A hand-in that was found: where, whose and what it holds, or why it is refused.

    maybe: the students whose it may be, if it is refused and nothing says whose it is.
    """

    path: str
    student: Student = NOBODY
    code: str = ""
    hand_in: HandIn | None = None
    error: str = ""
    maybe: tuple[Student, ...] = ()


def _read_file(place: Path) -> Iterator[Handed]:
    """Return a file that is no folder and no zip, whatever its name."""
    try:
        with place.open("rb") as file:
            content = file.read(LARGEST_BYTES + 1)
    except OSError as error:
        raise ValueError(f"SUBMISSIONS = {str(place)!r}: {error.strerror}") from None
    if len(content) > LARGEST_BYTES:
        largest = LARGEST_BYTES // 2**20
        raise ValueError(f"SUBMISSIONS = {str(place)!r}: must be at most {largest} MiB")
    yield Handed(place.name, content, "", place.name)


class _Class:
    """The students, their codes, and who may have handed a file in."""

    def __init__(self, students: list[Student], secret: str, chapter: str | None):
        self.students, self.chapter = students, chapter
        self.matcher = Matcher(students)
        self.owners = {code: student for student, code in class_codes(students, secret).items()}
        self.unknown = 0  # hand-ins that name nobody of this class

    def works(self, file: Handed, alone: bool) -> Iterator[Work]:
        """Return a work for each text in a file; alone: no platform has said whose the file is."""
        fits = [] if alone else self.matcher.fits(origin(file.top))
        if file.trouble:
            yield self._refused(file.path, fits, f"not read: {file.trouble}")
        elif not (alone or file.path.lower().endswith(TEXTS)):
            error = "not a text file: ask the student to paste the text of the hand-in"
            yield self._refused(file.path, fits, error, holds_work=False)
        elif not file.content.strip():
            yield self._refused(file.path, fits, "an empty file", holds_work=alone)
        else:
            for piece in pieces(decoded(file.content)):
                yield self._work(file.path, fits, piece, alone)

    def _refused(self, path: str, fits: list[Student], error: str, holds_work: bool = True) -> Work:
        """Return a refused work: whose it is, or whose it may be.

        fits: whom the file's name fits; if nobody, it may be anybody's who handed in a work.
        """
        if len(fits) == 1:
            return Work(path, fits[0], error=error)
        maybe = fits or (self.students if holds_work else [])
        return Work(path, error=error, maybe=tuple(maybe))

    def _work(self, path: str, fits: list[Student], piece: Piece, alone: bool) -> Work:
        try:
            code, hand_in = open_piece(piece, self.owners)
        except ValueError as error:
            self.unknown += isinstance(error, UnknownCode)
            holds_work = alone or piece.refusal != NO_HAND_IN
            return self._refused(path, fits, str(error), holds_work)
        student = self.owners[code]
        if fits and student not in fits:
            whose = f"signed with the code of {student.id}, but handed in by another student"
            several = "one of several students whom the file's name fits"
            sender = fits[0].id if len(fits) == 1 else several
            return self._refused(path, fits, f"{whose}: {sender}")
        if self.chapter not in (None, hand_in.chapter):
            another = f"{_chapter_words(hand_in.chapter)}, not {self._wanted()}"
            return Work(path, student, error=another)
        return Work(path, student, code, hand_in)

    def _wanted(self) -> str:
        return _chapter_words(self.chapter)


def _chapter_words(chapter) -> str:
    return f"chapter {find_chapter(chapter).number}"


def _verdict(problem: Problem, given: dict[str, list]) -> tuple[str, str]:
    """Return what an answer is worth, "" for none, and what a person should know of it."""
    _, seed, words = given.get(problem.kind, ["", problem.seed, ""])
    if seed != problem.seed:
        return "", f"{problem.kind}: this is not the problem drawn for this student's code"
    if not words:
        return "", ""
    try:
        return check_answer(problem, words)[0], ""
    except ValueError:
        return "wrong", f"{problem.kind}: the answer is not a number"


def _counted(done: int, of: int) -> str:
    return f"{done} of {of}"


def _yes(done: bool) -> str:
    return "yes" if done else "no"


def _marked(work: Work) -> dict[str, str]:
    """Return the cells that a good hand-in gets."""
    hand_in = work.hand_in
    assert hand_in is not None
    given = {row[0]: row for row in hand_in.answers}
    problems = problems_of(work.code, hand_in.chapter)
    verdicts = {problem.kind: _verdict(problem, given) for problem in problems}
    said = one_line(hand_in.name)
    looks = [why for _, why in verdicts.values() if why]
    looks += [f"{kind}: there is no such problem" for kind in given if kind not in verdicts]
    if work.student.name and not {*words_of(said)} & {*words_of(work.student.name)}:
        looks.append(f'claims to be from "{said}"')
    return {
        "chapter": str(find_chapter(hand_in.chapter).number),
        "guesses": _counted(sum(bool(guess) for _, guess in hand_in.guesses), len(hand_in.guesses)),
        "steps": _counted(*hand_in.steps),
        "map": _yes(hand_in.map),
        "own_numbers": _yes(hand_in.own_numbers),
        "answers": "; ".join(
            f"{kind}: {WORDS.get(verdict, NOT_ANSWERED)}" for kind, (verdict, _) in verdicts.items()
        ),
        "points": f"{sum(POINTS.get(verdict, 0.0) for verdict, _ in verdicts.values()):g}",
        "possible": str(len(problems)),
        "look_at": "; ".join(looks),
    }


def _row(student: Student, path: str, **cells: str) -> dict[str, str]:
    return {"id": student.id, "name": student.name, "file": path, **cells}


def _joined(*texts: str) -> str:
    return "; ".join(text for text in texts if text)


def _whose(work: Work) -> str:
    """Return whose a refused hand-in may be, if that is known of some."""
    if work.student != NOBODY:
        return ""
    return remark_on_unclear([student.id for student in work.maybe])


def _student_row(
    student: Student, chapter: str, good: list[Work], refused: list[Work], maybe: list[Work]
) -> dict[str, str]:
    """Return a student's row for a chapter: the last hand-in by its path counts.

    maybe: refused hand-ins that may be this student's, so that 0 points could be wrong.
    """
    refusals = [f"refused: {work.path}: {work.error}" for work in refused]
    number, possible = str(find_chapter(chapter).number), str(len(kinds(chapter)))
    if good:
        cells, last = _marked(good[-1]), good[-1].hand_in
        others = [f"not graded: {work.path}" for work in good[:-1] if work.hand_in != last]
        look_at = _joined(cells.pop("look_at"), *others, *refusals)
        return _row(student, good[-1].path, **cells, look_at=look_at)
    if refused:
        first, error = refused[0], _joined(*(work.error for work in refused))
        return _row(student, first.path, chapter=number, possible=possible, error=error)
    if maybe:
        texts = name_some([f"{work.path}: {work.error}" for work in maybe])
        error = f"a refused hand-in may be this student's: {texts}"
        return _row(student, "", chapter=number, possible=possible, error=error)
    return _row(student, "", chapter=number, points="0", possible=possible, error=NOTHING)


def _all_works(place: Path, group: _Class) -> list[Work]:
    alone = not (place.is_dir() or place.suffix.lower() == ".zip")
    files = _read_file(place) if alone else handed_in(place, group.matcher.is_somebodys, TEXTS)
    works = [work for file in files for work in group.works(file, alone)]
    if group.unknown and not any(work.hand_in for work in works):
        raise ValueError(
            f"SUBMISSIONS = {str(place)!r}: none of the hand-ins is signed with a code from this "
            "class. Use the roster and the secret that the codes were made with"
        )
    return works


def grade_rows(
    place: Path, students: list[Student], secret: str, chapter: str | int | None = None
) -> list[dict[str, str]]:
    """Return the gradebook's rows: each student's for each chapter, then what is nobody's.

    place: a file with hand-ins in it, or a folder or zip of files as a platform gives it.
    chapter: the one that was set; without it, each chapter that somebody handed in.
    Raises ValueError for a place that cannot be read, an empty secret, an unknown chapter, and if
    the class's codes fit no hand-in at all.
    """
    wanted = None if chapter is None else find_chapter(chapter).slug
    works = _all_works(place, group := _Class(students, secret, wanted))
    good: dict[tuple[Student, str], list[Work]] = defaultdict(list)
    refused: dict[Student, list[Work]] = defaultdict(list)
    maybe: dict[Student, list[Work]] = defaultdict(list)
    for work in works:
        if work.hand_in:
            good[work.student, work.hand_in.chapter].append(work)
            continue
        refused[work.student].append(work)
        for student in work.maybe:
            maybe[student].append(work)
    handed = {slug for _, slug in good}
    slugs = [each.slug for each in CHAPTERS if each.slug in handed or each.slug == wanted]
    rows = [
        _student_row(student, slug, good[student, slug], refused[student], maybe[student])
        for slug in slugs
        for student in group.students
    ]
    left = refused[NOBODY] if slugs else [work for some in refused.values() for work in some]
    return rows + [
        _row(work.student, work.path, error=work.error, look_at=_whose(work)) for work in left
    ]


def gradebook(rows: list[dict[str, str]]) -> str:
    """Return the rows as a CSV that a spreadsheet shows and computes nothing of."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow(as_cells({name: legible(text, LONGEST_CELL) for name, text in row.items()}))
    return out.getvalue().rstrip("\n")
