"""Who gets which problem: one, so many counted on from a seed, or one for each of a roster."""

import hmac
from typing import NamedTuple

from tunables.page.chapters import find_chapter
from tunables.page.problem import LARGEST_SEED, Problem, make_problem
from tunables.plain.arguments import text, whole
from tunables.reader.roster import Student

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

    again: another one, if the first drew what somebody else has. Capitals and spaces around an id
    do not count, as in a seed. Raises ValueError for an empty secret or an unknown chapter.
    """
    if not text("secret", secret).strip():
        raise ValueError(f"secret = {secret!r}: must be a word of your own")
    who = text("student", student).strip().lower()
    said = f"{find_chapter(chapter).slug}/{who}/{whole('again', again)}"
    drawn = hmac.digest(secret.strip().encode(), said.encode(), "sha256")
    return int.from_bytes(drawn[:8], "big") % (LARGEST_SEED + 1)


def _kept_apart(secret, chapter, student: Student, kind, taken: set[str]) -> Sheet:
    """Return a student's sheet with a question that nobody has yet, if the kind has so many."""
    for again in range(MOST_STUDENTS):
        problem = make_problem(chapter, secret_seed(secret, chapter, student.id, again), kind)
        if problem.question not in taken:
            break
    return Sheet(student.id, student.name, problem, secret=True)


def roster_sheets(
    chapter: str | int, students: list[Student], secret: str | None, kind: str | None = None
) -> list[Sheet]:
    """Return a sheet for each student: drawn by the secret, or else by the id, which is public.

    Raises ValueError as `make_problem` and `secret_seed` do.
    """
    sheets: list[Sheet] = []
    for student in students:
        if secret is None:
            problem = make_problem(chapter, student.id, kind)
            sheets.append(Sheet(student.id, student.name, problem))
        else:
            taken = {sheet.problem.question for sheet in sheets}
            sheets.append(_kept_apart(secret, chapter, student, kind, taken))
    return sheets


def class_problems(
    chapter: str | int, seed: int | str, students: int, kind: str | None = None
) -> list[Problem]:
    """Return a problem for each student, from seed on; a question that came before is left out.

    Raises ValueError as `make_problem` does, for students not from 1 to 1,000, and for a seed
    that is a word, from which nobody can count on, if there are several.
    """
    students = whole("students", students, at_least=1, at_most=MOST_STUDENTS)
    first = make_problem(chapter, seed, kind)
    problems = {first.question: first}
    last = whole("seed of the first student", first.seed) if students > 1 else 0
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

    A single student is who the seed names. Raises ValueError as `class_problems` does.
    """
    if secret is None:
        problems = class_problems(chapter, seed, students, kind)
        return [Sheet(number, "", problem) for number, problem in enumerate(problems, 1)]
    many = whole("students", students, at_least=1, at_most=MOST_STUDENTS)
    ids = [str(seed)] if many == 1 else [str(number) for number in range(1, many + 1)]
    return roster_sheets(chapter, [Student(name, "") for name in ids], secret, kind)
