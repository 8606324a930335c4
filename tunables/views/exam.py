"""An exam: questions of kinds that the book does not show, drawn by a teacher's secret."""

import csv
import io

from tunables.base.arguments import choice, integer
from tunables.core.exam import Draws, draw_question
from tunables.page.chapters import find_chapter
from tunables.page.problem import Problem, answer_text
from tunables.views.classroom import secret_seed

FORMATS = ("md", "csv")
MOST_QUESTIONS = 100
_DRAWS = 1000


def exam(chapter: str | int, secret: str, questions: int = 12) -> list[Problem]:
    """Return `questions` questions of a chapter, its kinds in turn, no two alike.

    The same chapter and secret give the same questions, and more of them begin with those.
    Raises ValueError for an unknown chapter, an empty secret, or questions not from 1 to 100.

    >>> len(exam(3, "word", questions=2))
    2
    """
    from tunables.core.registry import chapters_with, find_exam  # loads numpy

    slug = choice("chapter", find_chapter(chapter).slug, chapters_with("exam"))
    integer("questions", questions, at_least=1, at_most=MOST_QUESTIONS)
    seed = secret_seed(secret, slug, "exam")
    draws = Draws(seed, f"{find_chapter(slug).number}/exam")
    kinds = list(find_exam(slug).items())
    found: dict[str, Problem] = {}
    for count in range(_DRAWS):
        if len(found) == questions:
            break
        kind, question = kinds[count % len(kinds)]
        made = draw_question(slug, kind, question, seed, draws)
        found.setdefault(made.question, made)
    return list(found.values())


def _markdown(questions: list[Problem], title: str, with_answer: bool) -> str:
    lines = [
        f"# {title}",
        "",
        "Give answers to within 1%, and counts exactly. Show how you found each answer.",
        "",
    ]
    lines += [f"{n}. {question.question}\n" for n, question in enumerate(questions, 1)]
    if with_answer:
        lines += ["## Answers", ""]
        lines += [
            f"{n}. {answer_text(question)} (*{question.kind}*)"
            for n, question in enumerate(questions, 1)
        ]
    return "\n".join(lines)


def _csv(questions: list[Problem], with_answer: bool) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    answers = ("answer", "unit") if with_answer else ("unit",)
    writer.writerow(["number", "kind", "question", *answers])
    for number, question in enumerate(questions, 1):
        last = [getattr(question, name) for name in answers]
        writer.writerow([number, question.kind, question.question, *last])
    return text.getvalue().rstrip("\n")


def exam_sheet(
    chapter: str | int, secret: str, questions: int = 12, form: str = "md", with_answer=False
) -> str:
    """Return an exam as Markdown or CSV, with answers if asked for. Raises ValueError as `exam`.

    >>> exam_sheet(3, "word", questions=2, form="csv", with_answer=True).splitlines()[0]
    'number,kind,question,answer,unit'
    """
    asked = exam(chapter, secret, questions)
    if choice("format", form, FORMATS) == "csv":
        return _csv(asked, with_answer)
    return _markdown(asked, f"Exam: {find_chapter(chapter).title}", with_answer)
