"""Questions that no page shows: those of exams, and the draws of homework.

They are drawn by the problems' generator, an exam question is a `Problem`, and the same relative
error counts as right: `tunables.page.problem.TOLERANCE`, or none for a count.
"""

import random
from typing import Any, NamedTuple

from tunables.base.numbers_as_text import significant
from tunables.page.problem import TOLERANCE, Problem, generator_of

_DIGITS = 4


class Draws(random.Random):
    """The problems' generator with the methods of `random.Random`.

    >>> Draws(7, "an example").randint(1, 6) == Draws(7, "an example").randint(1, 6)
    True
    """

    def __new__(cls, seed: str | int, stream: str) -> "Draws":
        """Leave the seed to the problems' generator."""
        return super().__new__(cls)

    def __init__(self, seed: str | int, stream: str):
        self._generator = generator_of(seed, stream)

    def getrandbits(self, k: int, /) -> int:
        """Return an integer of k random bits."""
        bits = 0
        for _ in range(-(-k // 32)):
            bits = bits << 32 | self._generator.next_32()
        return bits >> (-k % 32)

    def random(self) -> float:
        """Return a number from 0 to 1, 1 excluded."""
        return self.getrandbits(53) * 2.0**-53


def uniform(chance: random.Random, low: float, high: float) -> float:
    """Return a number from low to high, uniformly distributed, to three digits."""
    return float(f"{chance.uniform(low, high):.3g}")


def factor(chance: random.Random, low: float, high: float) -> float:
    """Return a number from low to high whose logarithm is uniform, to three digits."""
    return float(f"{low * (high / low) ** chance.random():.3g}")


# Of each question of a homework two functions: one from its arguments to the answer, and one from
# `Draws` to arguments.
Homework = dict[str, tuple[Any, Any]]


class Question(NamedTuple):
    """A kind of exam question.

    text: with a {name} for each number given; unit: of the answer; way: two functions, as in
    `Homework`; part: which of several answers is asked for.
    """

    text: str
    unit: str
    way: tuple[Any, Any]
    part: int | None = None


def round_as_printed(given):
    """Return numbers as the question prints them: floats to four significant digits."""
    if isinstance(given, dict):
        return {name: round_as_printed(value) for name, value in given.items()}
    if isinstance(given, (list, tuple)):
        return [round_as_printed(value) for value in given]
    return float(f"{given:.{_DIGITS}g}") if isinstance(given, float) else given


def _words(given):
    """Return numbers as texts, with commas between thousands."""
    if isinstance(given, list):
        return [_words(value) for value in given]
    if isinstance(given, float):
        return significant(given, _DIGITS)
    return f"{given:,}" if isinstance(given, int) else given


def draw_question(chapter: str, kind: str, question: Question, seed: int, draws: Draws) -> Problem:
    """Return a problem of that kind, whose answer follows from the numbers as they are printed."""
    answer_of, draw = question.way
    given = round_as_printed(draw(draws))
    answer = answer_of(**given)
    wanted = answer if question.part is None else answer[question.part]
    text = question.text.format(**{name: _words(value) for name, value in given.items()})
    tolerance = 0 if isinstance(wanted, int) else TOLERANCE
    return Problem(chapter, kind, seed, kind, text, given, question.unit, wanted, tolerance, [], "")
