"""Questions that no page shows: those of exams, and the draws of homework.

They are drawn by the problems' generator, an exam question is a `Problem`, and the same relative
error counts as right: `tunables.page.problem.TOLERANCE`, or none for a count.
"""

import random
from typing import Any, NamedTuple

from tunables.base.numbers_as_text import significant
from tunables.base.units import unit_text
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

    text: with a {name} for each number given, or {name:form} with a form of `Quantity`; unit: of
    the answer; way: two functions, as in `Homework`; method: the way to the answer in a line, for
    the person who marks; part: which of several answers is asked for.
    """

    text: str
    unit: str
    way: tuple[Any, Any]
    method: str
    part: int | None = None


# Units in which a number is printed, the largest first, and the size of each.
_SCALES = {
    "time": (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)),
    "bits": (("Gb/s", 1e9), ("Mb/s", 1e6), ("kb/s", 1e3), ("b/s", 1.0)),
    "bytes": (("GB", 1e9), ("MB", 1e6), ("kB", 1e3), ("B", 1.0)),
    "byte rate": (("GB/s", 1e9), ("MB/s", 1e6), ("kB/s", 1e3)),
    "share": (("%", 1e-2), ("per million", 1e-6)),
}
_SMALLEST_PERCENT = 1e-3  # a share below is so many per million
_ANSWERED_IN = {"s": "time", "B": "bytes", "B/s": "byte rate"}


def _scaled(value: float, form: str) -> tuple[float, str]:
    """Return a number in SI units in the unit in which one writes it on paper."""
    if form == "share":
        unit, size = _SCALES[form][0 if value >= _SMALLEST_PERCENT or not value else 1]
        return value / size, unit
    for unit, size in _SCALES[form]:
        if abs(value) >= size:
            return value / size, unit
    unit, size = _SCALES[form][-1 if value else 0]
    return value / size, unit


class Quantity:
    """A number of a question, which a format prints with its unit, as one writes it on paper.

    Forms: time (of s), bits (of b/s), bytes (of B), share (in % or per million); without one, the
    plain number with commas between thousands.

    >>> f"{Quantity(0.0000173):time}, {Quantity(5.04e9):bits}, {Quantity(9.39e-6):share}"
    '17.3 µs, 5.04 Gb/s, 9.39 per million'
    """

    def __init__(self, value):
        self._value = value

    def __format__(self, form: str) -> str:
        if form:
            value, unit = _scaled(self._value, form)
            return significant(value, _DIGITS) + unit_text(unit)
        value = self._value
        if isinstance(value, float):
            return significant(value, _DIGITS)
        return f"{value:,}" if isinstance(value, int) else str(value)


def round_as_printed(given):
    """Return numbers as the question prints them: floats to four significant digits."""
    if isinstance(given, dict):
        return {name: round_as_printed(value) for name, value in given.items()}
    if isinstance(given, (list, tuple)):
        return [round_as_printed(value) for value in given]
    return float(f"{given:.{_DIGITS}g}") if isinstance(given, float) else given


def _quantities(given):
    """Return numbers, and those of lists, as quantities."""
    return [*map(_quantities, given)] if isinstance(given, list) else Quantity(given)


def draw_question(chapter: str, kind: str, question: Question, seed: int, draws: Draws) -> Problem:
    """Return a problem of that kind, whose answer follows from the numbers as they are printed.

    The answer is asked for in the unit in which one would write it on paper.
    """
    answer_of, draw = question.way
    given = round_as_printed(draw(draws))
    answer = answer_of(**given)
    wanted = answer if question.part is None else answer[question.part]
    text = question.text.format(**{name: _quantities(value) for name, value in given.items()})
    unit, tolerance = question.unit, 0 if isinstance(wanted, int) else TOLERANCE
    if unit in _ANSWERED_IN and tolerance:
        wanted, unit = _scaled(wanted, _ANSWERED_IN[unit])
    steps = [question.method]
    return Problem(chapter, kind, seed, kind, text, given, unit, wanted, tolerance, steps, "")
