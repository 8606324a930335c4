"""A question bank: groups of problems of one kind, of which a quiz draws one for each student."""

from typing import NamedTuple

from tunables.page.chapters import find_chapter, with_facet
from tunables.page.problem import Problem, kinds, make_problem
from tunables.plain.arguments import choice, whole
from tunables.reader.classes import MOST_STUDENTS, Sheet, class_problems, secret_seed

EXPORTS = ("moodle", "qti")


class Group(NamedTuple):
    """Problems of one kind: the chapter's number, the kind, its title, name and problem of each."""

    chapter: int
    kind: str
    title: str
    problems: list[tuple[str, Problem]]


def _drawn(chapter: str, kind: str, each: int, secret: str | None) -> list[Problem]:
    """Return so many problems of a kind, no two with one question."""
    if secret is None:
        return class_problems(chapter, 1, each, kind)
    found: dict[str, Problem] = {}
    count = 0
    while len(found) < each:
        problem = make_problem(chapter, secret_seed(secret, chapter, f"{kind} {count}"), kind)
        found.setdefault(problem.question, problem)
        count += 1
    return list(found.values())


def bank(chapter: str | int | None, each: int, secret: str | None = None) -> list[Group]:
    """Return each problems of each kind of a chapter, or of all; a secret draws other ones.

    Raises ValueError for an unknown chapter, each not from 1 to 1,000, or an empty secret.
    """
    each = whole("each", each, at_least=1, at_most=MOST_STUDENTS)
    slugs = with_facet("problems") if chapter is None else [find_chapter(chapter).slug]
    groups = []
    for slug in slugs:
        for kind, (title, *_) in kinds(slug).items():
            problems = _drawn(slug, kind, each, secret)
            named = [(f"{kind} {count}", problem) for count, problem in enumerate(problems, 1)]
            groups.append(Group(find_chapter(slug).number, kind, title, named))
    return groups


def groups_of(sheets: list[Sheet]) -> list[Group]:
    """Return the problems of a class as groups: one a kind, each problem named by its student."""
    groups: dict[str, Group] = {}
    for sheet in sheets:
        problem = sheet.problem
        number = find_chapter(problem.chapter).number
        group = groups.setdefault(problem.kind, Group(number, problem.kind, problem.title, []))
        group.problems.append((sheet.who, problem))
    return list(groups.values())


def exported(groups: list[Group], form: str) -> str | bytes:
    """Return groups as Moodle's XML, or as a QTI package. Raises ValueError for another format."""
    if choice("format", form, EXPORTS) == "moodle":
        from tunables.reader.moodle import moodle_xml

        return moodle_xml(groups)
    from tunables.reader.canvas import qti_zip

    return qti_zip(groups)
