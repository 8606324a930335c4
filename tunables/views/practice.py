"""`practice(chapter)`: problems to try, in a notebook and in a page of the book.

`exercise(chapter, kind, seed)` is one of them, printed in a chapter with its solution folded away.
"""

import json
from html import escape

from tunables.base.numbers_as_text import LONGEST
from tunables.page.problem import (
    LONGEST_SEED,
    PracticeSession,
    Problem,
    as_text,
    describe_problem,
    kinds,
    make_problem,
    number,
    problem_place,
)
from tunables.views.charts import script_json
from tunables.views.live import Live, static_text

STATIC_TEXT = static_text(
    "This is one of many problems.", "draw others and have your answer checked"
)

SMALL_NUMBERS = 9999  # largest random seed: enough for a class, and easy to read out


def question_html(text: dict) -> str:
    """Return a shown problem's question and what is asked for."""
    return (
        f'<p class="problem-question">{escape(text["question"])}</p>'
        f'<p class="problem-wanted">{escape(text["wanted"])}</p>'
    )


def solution_html(text: dict, summary: str) -> str:
    """Return a shown problem's steps and answer, folded away under a summary."""
    steps = "".join(f"<li>{escape(step)}</li>" for step in text["steps"])
    return (
        f'<details class="problem-solution"><summary>{summary}</summary>'
        f'<ol class="problem-steps">{steps}</ol>'
        f'<p>Answer: <strong class="problem-answer">{escape(text["answer"])}</strong></p>'
        f'<p class="problem-remark">{escape(text["remark"])}</p></details>'
    )


def exercise_html(problem: Problem) -> str:
    """Return an exercise of a chapter, in the looks of the theme's exercises."""
    text = describe_problem(problem)
    return (
        '<div class="admonition exercise tunables-exercise">'
        f'<p class="admonition-title">Exercise: {escape(problem.title)}</p>'
        f"{question_html(text)}{solution_html(text, 'Solution')}</div>"
    )


def practice_html(problem: Problem) -> str:
    """Return a practice box with this problem, static until the page's script mounts it."""
    text, chapter = describe_problem(problem), number(problem)
    page = {
        "chapter": chapter,
        "kind": problem.kind,
        "seed": problem.seed,
        "longest_seed": LONGEST_SEED,
        "longest_answer": LONGEST,
        "small_numbers": SMALL_NUMBERS,
        "kinds": [{"name": name, "title": title} for name, (title, *_) in kinds(chapter).items()],
    }
    return (
        f'<section class="tunables-practice" id="practice-{chapter}" '
        f'aria-label="Practice: {problem_place(chapter)}">'
        f'<script type="application/json" class="practice-description">{script_json(page)}'
        "</script>"
        f'<p class="practice-message" role="status">{STATIC_TEXT} In a terminal: '
        f"<code>python -m tunables problem {chapter} --seed 7</code></p>"
        '<div class="practice-controls"></div>'
        '<div class="practice-problem" aria-live="polite">'
        f'<p class="problem-title">{escape(text["title"])}</p>{question_html(text)}</div>'
        '<form class="practice-answer"></form>'
        '<p class="practice-verdict" role="status"></p>'
        f"{solution_html(text, 'Show the steps')}</section>"
    )


class Exercise:
    """A problem with a fixed seed: text and answer are computed where it is printed."""

    def __init__(self, problem: Problem):
        self.problem = problem

    def _repr_mimebundle_(self, **kwargs):
        return {
            "text/plain": as_text(self.problem, with_answer=True),
            "text/html": exercise_html(self.problem),
        }


def exercise(chapter: str | int, kind: str, seed: int | str) -> Exercise:
    """Return the exercise of that chapter, kind and seed.

    Raises ValueError as `make_problem` does.

    >>> exercise(3, "zigzag", 7).problem.seed
    7
    """
    return Exercise(make_problem(chapter, seed, kind))


class Practice(Live):
    """One chapter's problems. `problem` is the one shown; `show_problem` shows another."""

    def __init__(self, problem: Problem):
        self._first = problem
        self._key = f"problem.{number(problem)}"
        plain = f"Practice({number(problem)}, {problem.kind!r}, {problem.seed!r})"
        page = PracticeSession(json.dumps({"chapter": problem.chapter}))
        super().__init__(practice_html(problem), plain, page)

    @property
    def problem(self) -> Problem:
        """The problem shown."""
        if self._key not in self.entries:
            return self._first
        kind, seed = self.entries[self._key].rsplit(".", 1)
        return make_problem(self._first.chapter, seed, kind)

    def show_problem(self, kind: str, seed: int | str) -> None:
        """Show the problem of that kind and seed. Raises ValueError as `make_problem` does."""
        problem = make_problem(self._first.chapter, seed, kind)
        self.entries = {} if problem == self._first else {self._key: f"{kind}.{problem.seed}"}


def practice(chapter: str | int, kind: str | None = None, seed: int | str = 1) -> Practice:
    """Return the practice box of a chapter, opened at a problem (the chapter's first kind).

    Raises ValueError for an unknown chapter or kind, or a bad seed.
    """
    first = kinds(chapter)
    return Practice(make_problem(chapter, seed, kind or next(iter(first))))
