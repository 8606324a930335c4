"""An exam: questions of kinds that the book does not show, drawn by a teacher's secret."""

import csv
import io
from html import escape

from tunables.base.arguments import choice, integer, text
from tunables.base.numbers_as_text import significant
from tunables.core.exam import Draws, draw_question
from tunables.page.chapters import find_chapter
from tunables.page.problem import TOLERANCE, Problem, answer_text
from tunables.views.classroom import Student, markdown_name, secret_seed
from tunables.views.html_page import html_page
from tunables.views.question_bank import EXPORTS, Group, export
from tunables.views.safe_text import as_cell, one_line

FORMATS = ("md", "html", "csv")
MOST_QUESTIONS = 100
POINTS, METHOD_POINTS = 4, 2  # of a question; the answer has the other points
MINUTES = 6  # for a question
FIRST_VARIANT = "A"
_DRAWS = 1000
_RULES = (
    f"Each question is worth {POINTS} points: {METHOD_POINTS} for the method and "
    f"{POINTS - METHOD_POINTS} for the answer. So show how you found it. A number within "
    f"{significant(100 * TOLERANCE)}% of the right value is right, and a count must be exact. "
    "Write the unit: if only the unit is wrong, the answer gets half of its points."
)


def exam(
    chapter: str | int,
    secret: str,
    questions: int | None = None,
    variant: str = FIRST_VARIANT,
) -> list[Problem]:
    """Return questions of a chapter, its kinds in turn, no two alike; each kind once by default.

    The same chapter, secret and variant give the same questions, and more of them begin with those.
    Another variant has the same kinds with other numbers, in an order turned by one for each letter
    after A; a variant can be a student's id, too.
    Raises ValueError for an unknown chapter, an empty secret or variant, or questions not from 1 to
    100.

    >>> len(exam(3, "word", questions=2, variant="B"))
    2
    """
    from tunables.core.registry import chapters_with, find_exam  # loads numpy

    slug = choice("chapter", find_chapter(chapter).slug, chapters_with("exam"))
    known = list(find_exam(slug).items())
    wanted = len(known) if questions is None else questions
    integer("questions", wanted, at_least=1, at_most=MOST_QUESTIONS)
    variant = text("variant", variant).strip()
    if not variant:
        raise ValueError(f"variant = {variant!r}: must be a letter, or a student's id")
    first = variant.upper() == FIRST_VARIANT
    seed = secret_seed(secret, slug, "exam" if first else f"exam {variant}")
    draws = Draws(seed, f"{find_chapter(slug).number}/exam")
    turn = ord(variant.upper()) - ord(FIRST_VARIANT) if len(variant) == 1 else 0
    found: dict[str, Problem] = {}
    for count in range(_DRAWS):
        if len(found) == wanted:
            break
        kind, question = known[(count + turn) % len(known)]
        made = draw_question(slug, kind, question, seed, draws)
        found.setdefault(made.question, made)
    return list(found.values())


def _title(questions: list[Problem]) -> str:
    return f"Exam: {find_chapter(questions[0].chapter).title}"


def _head(questions: list[Problem], who: str) -> str:
    """Return who writes this exam, how long it takes and how many points it has."""
    count = len(questions)
    return f"{who} · {count * MINUTES} minutes · {count * POINTS} points"


def _key_line(question: Problem) -> str:
    [method] = question.steps
    return f"{answer_text(question)} ({question.kind}). Method: {method}."


def _markdown(questions: list[Problem], who: str, with_answer: bool) -> str:
    lines = [f"# {_title(questions)}", "", markdown_name(_head(questions, who)), ""]
    lines += ["Name: ______________________________", "", _RULES, ""]
    lines += [
        f"{n}. {question.question} ({POINTS} points)\n" for n, question in enumerate(questions, 1)
    ]
    if with_answer:
        lines += ["## Answers", ""]
        lines += [
            f"{n}. {markdown_name(_key_line(question))}" for n, question in enumerate(questions, 1)
        ]
    return "\n".join(lines)


_STYLE = """
@page { size: A4; margin: 16mm; }
body { max-width: 44rem; margin: 0 auto; padding: 1rem; font: 12pt/1.4 Georgia, serif;
  color: #1c1f24; background: #fff; }
h1, h2 { font-family: system-ui, sans-serif; line-height: 1.2; font-size: 1.3rem; }
.name { display: inline-block; width: 16rem; border-bottom: 1px solid #1c1f24; }
.room { height: 4.2cm; } .sheet + .sheet, .key { break-before: page; }
li { break-inside: avoid; margin-bottom: .6rem; }
"""


def _html_sheet(questions: list[Problem], who: str) -> str:
    asked = "".join(
        f'<li>{escape(one.question)} ({POINTS} points)<div class="room"></div></li>'
        for one in questions
    )
    return (
        f'<section class="sheet"><h1>{escape(_title(questions))}</h1>'
        f"<p>{escape(_head(questions, who))}</p>"
        f'<p>Name: <span class="name">&nbsp;</span></p><p>{escape(_RULES)}</p><ol>{asked}</ol>'
        "</section>"
    )


def _html_key(questions: list[Problem], who: str) -> str:
    said = "".join(f"<li>{escape(_key_line(one))}</li>" for one in questions)
    return f'<section class="key"><h2>Answers: {escape(who)}</h2><ol>{said}</ol></section>'


def _html(sheets: list[tuple[str, list[Problem]]], with_answer: bool) -> str:
    shown = [_html_sheet(questions, who) for who, questions in sheets]
    if with_answer:
        shown += [_html_key(questions, who) for who, questions in sheets]
    return html_page(_title(sheets[0][1]), _STYLE, "".join(shown))


def _csv(sheets: list[tuple[str, list[Problem]]], with_answer: bool) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    answers = ["answer", "unit", "method"] if with_answer else ["unit"]
    who = [] if len(sheets) == 1 else ["for"]
    writer.writerow([*who, "number", "kind", "question", "points", *answers])
    for name, questions in sheets:
        for number, one in enumerate(questions, 1):
            first = [as_cell(name)] if who else []
            last = [one.answer, one.unit, one.steps[0]] if with_answer else [one.unit]
            writer.writerow([*first, number, one.kind, one.question, POINTS, *last])
    return stream.getvalue().rstrip("\n")


def _groups(sheets: list[tuple[str, list[Problem]]]) -> list[Group]:
    """Return the questions as groups: one a kind, so that a quiz draws one of each."""
    groups: dict[str, Group] = {}
    for who, questions in sheets:
        for n, one in enumerate(questions, 1):
            number = find_chapter(one.chapter).number
            empty = Group(number, one.kind, one.kind, [], folder="Exam", points=POINTS)
            group = groups.setdefault(one.kind, empty)
            group.problems.append((one_line(f"{one.kind}, {who}, question {n}"), one))
    return list(groups.values())


def exam_sheets(
    chapter: str | int,
    secret: str,
    questions: int | None = None,
    variant: str = FIRST_VARIANT,
    students: list[Student] | None = None,
) -> list[tuple[str, list[Problem]]]:
    """Return exams, each with a name: of one variant, or with numbers of its own for each student.

    Raises ValueError as `exam` does.

    >>> [name for name, _ in exam_sheets(3, "word", 2, students=[Student("s1", "Ada")])]
    ['Ada (s1)']
    """
    if not students:
        asked = exam(chapter, secret, questions, variant)
        return [(f"Variant {one_line(variant).strip()}", asked)]
    return [
        (
            f"{one.name} ({one.id})" if one.name else one.id,
            exam(chapter, secret, questions, f"student {one.id}"),
        )
        for one in students
    ]


def exam_file(
    sheets: list[tuple[str, list[Problem]]], form: str = "md", with_answer: bool = False
) -> str | bytes:
    """Return exams as Markdown, HTML to print, CSV, or for Moodle and Canvas ("moodle", "qti").

    with_answer: answers and methods too; Moodle's and Canvas's always have them.
    Raises ValueError for another format.

    >>> exam_file(exam_sheets(3, "word", 2), form="csv", with_answer=True).splitlines()[0]
    'number,kind,question,points,answer,unit,method'
    """
    choice("format", form, (*FORMATS, *EXPORTS))
    if form in EXPORTS:
        return export(_groups(sheets), form)
    if form == "csv":
        return _csv(sheets, with_answer)
    if form == "html":
        return _html(sheets, with_answer)
    return "\n\n".join(_markdown(questions, who, with_answer) for who, questions in sheets)
