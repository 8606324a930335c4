"""An exam: questions of kinds that the book does not show, drawn by a teacher's secret."""

import csv
import hmac
import io
import random

from tunables.page.chapters import find_chapter, module, with_facet
from tunables.parts.exam import Drawn, drawn
from tunables.plain.arguments import choice, text, whole
from tunables.plain.digits import significant

FORMATS = ("md", "csv")
MOST_QUESTIONS = 100
_DRAWS = 1000


def exam(chapter: str | int, secret: str, questions: int = 12) -> list[Drawn]:
    """Return so many questions of a chapter, its kinds in turn, no two alike.

    The same chapter and secret give the same questions, and more of them begin with those.
    Raises ValueError for an unknown chapter, an empty secret, or questions not from 1 to 100.
    """
    slug = find_chapter(choice("chapter", find_chapter(chapter).slug, with_facet("exam"))).slug
    whole("questions", questions, at_least=1, at_most=MOST_QUESTIONS)
    if not text("secret", secret).strip():
        raise ValueError(f"secret = {secret!r}: must be a word of your own")
    seed = hmac.digest(secret.strip().encode(), f"exam/{slug}".encode(), "sha256")
    chance = random.Random(seed)
    kinds = list(module(slug, "exam").EXAM.items())
    found: dict[str, Drawn] = {}
    for count in range(_DRAWS):
        if len(found) == questions:
            break
        kind, question = kinds[count % len(kinds)]
        made = drawn(kind, question, chance)
        found.setdefault(made.text, made)
    return list(found.values())


def _answer(question: Drawn) -> str:
    return f"{significant(question.answer)} {question.unit}".strip()


def _markdown(questions: list[Drawn], title: str, with_answer: bool) -> str:
    lines = [f"# {title}", "", "Answers within 1 %, counts exactly. Say how you came to each.", ""]
    lines += [f"{n}. {question.text}\n" for n, question in enumerate(questions, 1)]
    if with_answer:
        lines += ["## Answers", ""]
        lines += [
            f"{n}. {_answer(question)} (*{question.kind}*)"
            for n, question in enumerate(questions, 1)
        ]
    return "\n".join(lines)


def _csv(questions: list[Drawn], with_answer: bool) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    answers = ("answer", "unit") if with_answer else ("unit",)
    writer.writerow(["number", "kind", "question", *answers])
    for number, question in enumerate(questions, 1):
        last = [getattr(question, name) for name in answers]
        writer.writerow([number, question.kind, question.text, *last])
    return text.getvalue().rstrip("\n")


def exam_sheet(
    chapter: str | int, secret: str, questions: int = 12, form: str = "md", with_answer=False
) -> str:
    """Return an exam as Markdown or CSV, with answers if so wished. Raises ValueError as `exam`."""
    asked = exam(chapter, secret, questions)
    if choice("format", form, FORMATS) == "csv":
        return _csv(asked, with_answer)
    return _markdown(asked, f"Exam: {find_chapter(chapter).title}", with_answer)
