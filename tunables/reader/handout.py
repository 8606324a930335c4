"""Problems on paper: one, or one for each student of a class with a key to correct them by."""

import csv
import io
import json

from tunables.arguments import choice, whole
from tunables.problems.problem import (
    Problem,
    answer_text,
    as_markdown,
    as_record,
    as_text,
    make_problem,
    wanted_text,
)

FORMATS = ("text", "md", "json", "csv")
COLUMNS = ("student", "chapter", "kind", "seed", "question", "wanted")
KEY_COLUMNS = ("answer", "unit", "tolerance")
MOST_STUDENTS = 1000


def class_problems(chapter: int, seed: int, students: int, kind: str | None = None) -> list:
    """Return a problem for each student, from seed on; a question that came before is left out.

    Raises ValueError as `make_problem` does, and for students not from 1 to 1,000.
    """
    students = whole("students", students, at_least=1, at_most=MOST_STUDENTS)
    problems: dict[str, Problem] = {}
    while len(problems) < students:
        problem = make_problem(chapter, seed, kind)
        problems.setdefault(problem.question, problem)
        seed += 1
    return list(problems.values())


def _key(problems: list) -> str:
    rows = [
        f"| {student} | {problem.kind} | {problem.seed} | {answer_text(problem)} "
        f"| {wanted_text(problem)} |"
        for student, problem in enumerate(problems, 1)
    ]
    head = ["| student | kind | seed | answer | asked for |", "|---|---|---|---|---|"]
    return "\n".join(["## Answer key", "", *head, *rows])


def _csv(problems: list, with_answer: bool) -> str:
    columns = COLUMNS + (KEY_COLUMNS if with_answer else ())
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for student, problem in enumerate(problems, 1):
        writer.writerow(as_record(problem) | {"student": student})
    return text.getvalue().rstrip("\n")


def _text(problems: list, with_answer: bool) -> str:
    shown = [as_text(problem, with_answer) for problem in problems]
    if len(problems) > 1:
        shown = [f"Student {student}. {text}" for student, text in enumerate(shown, 1)]
    return "\n\n\n".join(shown)


def _markdown(problems: list, with_answer: bool) -> str:
    if len(problems) == 1:
        return as_markdown(problems[0], with_answer)
    shown = [
        as_markdown(problem, title=f"Student {student}: {problem.title}")
        for student, problem in enumerate(problems, 1)
    ]
    return "\n\n".join([*shown, *([_key(problems)] if with_answer else [])])


def _json(problems: list, with_answer: bool) -> str:
    records = [as_record(problem, with_answer) for problem in problems]
    if len(records) > 1:
        records = [{"student": student} | record for student, record in enumerate(records, 1)]
    shown = records if len(records) > 1 else records[0]
    return json.dumps(shown, indent=2, ensure_ascii=False, allow_nan=False)


def handout(problems: list, form: str = "text", with_answer: bool = False) -> str:
    """Return problems as text, Markdown ("md"), JSON or CSV.

    With answers a single problem has its steps; Markdown for a class ends with an answer key.
    Raises ValueError for another format.
    """
    made = {"text": _text, "md": _markdown, "json": _json, "csv": _csv}
    return made[choice("format", form, FORMATS)](problems, with_answer)
