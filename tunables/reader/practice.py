"""`practice(chapter)`: problems to try, in a notebook and in a page of the book.

`exercise(chapter, kind, seed)` is one of them, printed in a chapter with its solution folded away.
"""

import json

from tunables.page.practice import Page
from tunables.page.problem import Problem, as_text, kinds, make_problem, number
from tunables.reader.live import Live
from tunables.reader.problem_markup import exercise_html, practice_html


class Exercise:
    """A problem with a fixed seed: text and answer are computed where it stands."""

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
    """
    return Exercise(make_problem(chapter, seed, kind))


class Practice(Live):
    """One chapter's problems. `problem` is the one shown; `show_problem` shows another."""

    def __init__(self, problem: Problem):
        self._first = problem
        self._key = f"problem.{number(problem)}"
        plain = f"Practice({number(problem)}, {problem.kind!r}, {problem.seed!r})"
        page = Page(json.dumps({"chapter": problem.chapter}))
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
