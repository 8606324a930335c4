"""A question bank: groups of problems of one kind, of which a quiz draws one for each student.

Moodle reads its own XML, of which it publishes no schema; the elements are those of its manual,
"Moodle XML format", and what they mean is in its "Numerical question type". Canvas imports QTI
1.2, which text2qti makes from a text; zip and manifest are made the same each time.
"""

import io
import re
import zipfile
from html import escape
from typing import NamedTuple
from xml.etree import ElementTree

from tunables.base.arguments import choice, integer
from tunables.base.units import UNITS
from tunables.page.chapters import with_facet
from tunables.page.problem import (
    APART,
    Problem,
    answer_text,
    kinds,
    make_problem,
    number,
    problem_number,
    problem_place,
    problem_slug,
    slip_factors,
    wanted_text,
)
from tunables.views.classroom import MOST_STUDENTS, Sheet, class_problems, secret_seed
from tunables.views.safe_text import one_line

EXPORTS = ("moodle", "qti")


class Group(NamedTuple):
    """Problems of one kind: the chapter's number, the kind, its title, name and problem of each.

    chapter: "audit" for problems that belong to none; folder: a category for what doesn't belong
    into the bank, so that no quiz mixes them; points: of each problem.
    """

    chapter: int | str
    kind: str
    title: str
    problems: list[tuple[str, Problem]]
    folder: str = ""
    points: int = 1


def _draw(chapter: str, kind: str, each: int, secret: str | None) -> list[Problem]:
    """Return `each` problems of a kind, no two with the same question."""
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

    >>> [len(group.problems) for group in bank(3, each=2, secret="word")][:3]
    [2, 2, 2]
    """
    each = integer("each", each, at_least=1, at_most=MOST_STUDENTS)
    everywhere = [*with_facet("problems"), *APART]
    slugs = everywhere if chapter is None else [problem_slug(chapter)]
    groups = []
    for slug in slugs:
        for kind, (title, *_) in kinds(slug).items():
            problems = _draw(slug, kind, each, secret)
            named = [(f"{kind} {count}", problem) for count, problem in enumerate(problems, 1)]
            groups.append(Group(problem_number(slug), kind, title, named))
    return groups


def groups_of(sheets: list[Sheet]) -> list[Group]:
    """Return the problems of a class as groups: one a kind, each problem named by its student."""
    groups: dict[str, Group] = {}
    for sheet in sheets:
        problem = sheet.problem
        empty = Group(number(problem), problem.kind, problem.title, [], folder="By student")
        group = groups.setdefault(problem.kind, empty)
        group.problems.append((sheet.who, problem))
    return list(groups.values())


def export(groups: list[Group], form: str) -> str | bytes:
    """Return groups as Moodle's XML, or as a QTI package. Raises ValueError for another format.

    >>> export(bank(3, each=1), "moodle")[:21]
    '<?xml version="1.0" e'
    """
    if choice("format", form, EXPORTS) == "moodle":
        return moodle_xml(groups)
    return qti_zip(groups)


_MARKS = re.compile(r"[^\w ,;:.?%/()=]|_")  # what may be Markdown's
_RIGHTS = "Text and figures: CC BY 4.0"
_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # a zip's first day


def _plain(text: str) -> str:
    """Return a text in which Markdown finds no markup."""
    return _MARKS.sub(lambda found: f"&#{ord(found[0])};", text)


def _answer(problem: Problem) -> str:
    if problem.tolerance == 0:
        return f"{problem.answer}"
    return f"{problem.answer:.12g} +- {abs(problem.answer) * problem.tolerance:.12g}"


def _question(name: str, problem: Problem) -> list[str]:
    """Return the lines of a question as text2qti reads them."""
    said = [*problem.steps, f"Answer: {answer_text(problem)}", problem.remark]
    paragraphs = [f"    {_plain(line.strip())}" for line in said if line]
    return [
        f"Title: {one_line(name)}",
        f"1.  {_plain(problem.question)}",
        "",
        f"    {_plain(wanted_text(problem))}",
        "... " + "\n\n".join(paragraphs).lstrip(),
        f"=   {_answer(problem)}",
        "",
    ]


def quiz_text(groups: list[Group], title: str = "Tunables") -> str:
    """Return a quiz that draws one question of each group, as text2qti reads it."""
    lines = [f"Quiz title: {title}", ""]
    for group in groups:
        lines += ["GROUP", "pick: 1", f"points per question: {group.points}", ""]
        for name, problem in group.problems:
            lines += _question(f"{group.chapter} {name}", problem)
        lines += ["END_GROUP", ""]
    return "\n".join(lines)


def _manifest(text: str) -> str:
    """Return text2qti's manifest without the day, and with the book's licence."""
    text = re.sub(r"(<imsmd:dateTime>).*?(</)", r"\g<1>1980-01-01\2", text)
    return re.sub(r"Private \(Copyrighted\)[^<]*", escape(_RIGHTS), text)


def qti_zip(groups: list[Group]) -> bytes:
    """Return a QTI 1.2 package; the same groups give the same bytes."""
    from text2qti.config import Config
    from text2qti.qti import QTI
    from text2qti.quiz import Quiz

    made = QTI(Quiz(quiz_text(groups), config=Config(), source_name="tunables"))
    name = made.assessment_identifier
    texts = {
        "imsmanifest.xml": _manifest(made.imsmanifest_xml),
        f"{name}/assessment_meta.xml": made.assessment_meta,
        f"{name}/{name}.xml": made.assessment,
    }
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as package:
        for path, text in texts.items():
            package.writestr(zipfile.ZipInfo(path, _LONG_AGO), text, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


_HALF = 50  # per cent of the marks, if the unit alone is wrong
_SLIP = "The digits are right, but the unit is wrong, so you get half of the marks."
_OPTIONAL, _NO_UNIT = "0", "3"  # Moodle's <showunits>: may a unit be typed behind the number?
_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_OTHER_NAMES = {"us"}  # second names of listed units


def _add(parent, tag: str, text: str = "", **attributes: str):
    """Add an element with a text; Moodle wants longer texts in a <text> element: see _add_text."""
    element = ElementTree.SubElement(parent, tag, attributes)
    element.text = text or None
    return element


def _add_text(parent, tag: str, text: str, **attributes: str):
    element = _add(parent, tag, **attributes)
    _add(element, "text", text)
    return element


def question_html(problem: Problem) -> str:
    """Return a problem's question and what is asked for."""
    return f"<p>{escape(problem.question)}</p><p><em>{escape(wanted_text(problem))}</em></p>"


def feedback_html(problem: Problem) -> str:
    """Return the way to a problem's answer, and what the answer says."""
    steps = "".join(f"<li>{escape(step)}</li>" for step in problem.steps)
    remark = f"<p>{escape(problem.remark)}</p>" if problem.remark else ""
    return f"<ol>{steps}</ol><p>Answer: {escape(answer_text(problem))}</p>{remark}"


def _add_answer(parent, value: float, tolerance: float, fraction: int, said: str) -> None:
    answer = _add(parent, "answer", fraction=str(fraction), format="moodle_auto_format")
    _add(answer, "text", f"{value:.12g}")
    _add_text(answer, "feedback", said, format="html")
    _add(answer, "tolerance", f"{tolerance:.12g}")


def _add_units(parent, unit: str) -> None:
    """Let the answer be typed in any unit of its kind; a wrong one makes it another number."""
    kind, size = UNITS.get(unit, ("", 1))
    known = {name: size / other for name, (of, other) in UNITS.items() if of == kind}
    if kind and unit != "1":
        units = _add(parent, "units")
        for name in [unit, *sorted(known.keys() - {unit, "1"} - _OTHER_NAMES)]:
            one = _add(units, "unit")
            _add(one, "multiplier", f"{known[name]:.12g}")
            _add(one, "unit_name", name)
    _add(parent, "unitgradingtype", "0")
    _add(parent, "showunits", _OPTIONAL if kind and unit != "1" else _NO_UNIT)


def _slips(problem: Problem) -> list[float]:
    """Return the factors of a wrong unit; none for a number without a unit, or for a count."""
    kind, _ = UNITS.get(problem.unit, ("", 1))
    return slip_factors(problem.unit) if kind and problem.unit != "1" else []


def _add_question(quiz, name: str, problem: Problem, points: int) -> None:
    question = _add(quiz, "question", type="numerical")
    _add_text(question, "name", name)
    _add_text(question, "questiontext", question_html(problem), format="html")
    _add_text(question, "generalfeedback", feedback_html(problem), format="html")
    _add(question, "defaultgrade", str(points))
    _add(question, "penalty", "0.3333333")
    _add(question, "hidden", "0")
    near = abs(problem.answer) * problem.tolerance
    _add_answer(question, problem.answer, near, 100, "")
    for slip in _slips(problem):
        _add_answer(question, problem.answer * slip, near * slip, _HALF, _SLIP)
    _add_units(question, problem.unit)


def moodle_xml(groups: list[Group]) -> str:
    """Return a question bank for Moodle's import: a category a kind, a question a problem."""
    quiz = ElementTree.Element("quiz")
    for group in groups:
        category = _add(quiz, "question", type="category")
        folders = [group.folder] if group.folder else []
        parts = ["Tunables", *folders, problem_place(group.chapter), group.kind]
        place = "/".join(["$course$/top", *parts])
        _add_text(category, "category", place)
        _add_text(category, "info", escape(group.title), format="html")
        for name, problem in group.problems:
            _add_question(quiz, f"{one_line(name)}: {problem.title}", problem, group.points)
    ElementTree.indent(quiz)
    return _DECLARATION + ElementTree.tostring(quiz, encoding="unicode")
