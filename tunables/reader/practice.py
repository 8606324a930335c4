"""`practice(chapter)`: problems to try, as Jupyter widgets and as a page's markup.

`exercise(chapter, kind, seed)` is one of them, printed in a chapter with its solution folded away.
"""

from html import escape
from secrets import randbelow

import ipywidgets as widgets

from tunables.arguments import whole
from tunables.problems.check import check_answer
from tunables.problems.page import shown
from tunables.problems.problem import LARGEST_SEED, Problem, as_text, kinds, make_problem
from tunables.reader.problem_markup import (
    exercise_html,
    practice_html,
    question_html,
    solution_html,
)

SMALL_NUMBERS = 9999  # enough for a class, and easy to read out


class Exercise:
    """A problem with a fixed seed: text and answer are computed where it stands."""

    def __init__(self, problem: Problem):
        self.problem = problem

    def _repr_mimebundle_(self, **kwargs):
        return {
            "text/plain": as_text(self.problem, with_answer=True),
            "text/html": exercise_html(self.problem),
        }


def exercise(chapter: int, kind: str, seed: int) -> Exercise:
    """Return the exercise of that chapter, kind and seed.

    Raises ValueError as `make_problem` does.
    """
    return Exercise(make_problem(chapter, seed, kind))


class Practice(widgets.VBox):
    """The widgets of one chapter's problems. `problem` is the one shown; `show_problem` another.

    Shown outside Jupyter (on the book's static page) it is the markup that the page's own
    script brings to life.
    """

    def __init__(self, problem: Problem):
        self._first = problem
        self._moving = False
        options = [(title, name) for name, (title, _) in kinds(problem.chapter).items()]
        self._kind = widgets.Dropdown(options=options, description="Kind")
        self._seed = widgets.BoundedIntText(max=LARGEST_SEED, description="Number")
        self._question = widgets.HTML()
        self._answer = widgets.Text(description="Answer", continuous_update=False)
        self._verdict = widgets.HTML()
        self._steps = widgets.HTML()
        new = widgets.Button(description="New problem")
        check = widgets.Button(description="Check my answer")
        new.on_click(lambda _: self.show_problem(self.problem.kind, 1 + randbelow(SMALL_NUMBERS)))
        check.on_click(lambda _: self.check(self._answer.value))
        self._answer.observe(self._entered, names="value")
        for field in (self._kind, self._seed):
            field.observe(self._chosen, names="value")
        answering = widgets.HBox([self._answer, check])
        choosing = widgets.HBox(
            [self._kind, self._seed, new], layout=widgets.Layout(flex_flow="row wrap")
        )
        super().__init__([choosing, self._question, answering, self._verdict, self._steps])
        self.show_problem(problem.kind, problem.seed)

    def _repr_mimebundle_(self, **kwargs):
        bundle = super()._repr_mimebundle_(**kwargs)
        plain = f"Practice({self._first.chapter}, {self._first.kind!r}, {self._first.seed})"
        return bundle | {"text/plain": plain, "text/html": practice_html(self._first)}

    def _chosen(self, _) -> None:
        if not self._moving:  # a field that `show_problem` moves must not answer back
            self.show_problem(self._kind.value, self._seed.value)

    def _entered(self, change) -> None:
        if change["new"]:  # Enter, or leaving the field
            self.check(change["new"])

    def show_problem(self, kind: str, seed: int) -> None:
        """Show the problem of that kind and seed. Raises ValueError as `make_problem` does."""
        self.problem = make_problem(self._first.chapter, seed, kind)
        self._moving = True
        try:
            self._kind.value, self._seed.value, self._answer.value = kind, seed, ""
        finally:
            self._moving = False
        text = shown(self.problem)
        self._question.value = question_html(text)
        self._steps.value = solution_html(text, "Show the steps")
        self._verdict.value = ""

    def check(self, text: str) -> str:
        """Show and return the verdict on an answer; what is no number is refused in a sentence."""
        try:
            verdict, sentence = check_answer(self.problem, text)
        except ValueError as error:
            verdict, sentence = "refused", str(error)
        self._verdict.value = f'<p role="status">{escape(sentence)}</p>'
        return verdict


def practice(chapter: int, kind: str | None = None, seed: int = 1) -> Practice:
    """Return the practice box of a chapter, opened at a problem (the chapter's first kind).

    Raises ValueError for an unknown chapter or kind, or a bad seed.
    """
    first = kinds(whole("chapter", chapter))
    return Practice(make_problem(chapter, seed, kind or next(iter(first))))
