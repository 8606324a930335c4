"""An exam question: a text with drawn numbers in it, and the number that answers it."""

from typing import Any, NamedTuple

from tunables.plain.digits import significant

_DIGITS = 4


class Question(NamedTuple):
    """A kind of exam question.

    text: with a {name} for each number given; unit: of the answer; way: two functions, from the
    numbers to the answer, and from a `random.Random` to numbers, as the chapter's homework has
    them; part: which of several answers is asked for.
    """

    text: str
    unit: str
    way: tuple[Any, Any]
    part: int | None = None


class Drawn(NamedTuple):
    """A question with its numbers: the kind's name, the text, the answer and its unit."""

    kind: str
    text: str
    answer: float
    unit: str


def printed(given):
    """Return numbers as the question prints them: floats to four significant digits."""
    if isinstance(given, dict):
        return {name: printed(value) for name, value in given.items()}
    if isinstance(given, (list, tuple)):
        return [printed(value) for value in given]
    return float(f"{given:.{_DIGITS}g}") if isinstance(given, float) else given


def _words(given):
    """Return numbers as texts, thousands apart."""
    if isinstance(given, list):
        return [_words(value) for value in given]
    if isinstance(given, float):
        return significant(given, _DIGITS)
    return f"{given:,}" if isinstance(given, int) else given


def drawn(kind: str, question: Question, chance) -> Drawn:
    """Return a question of that kind: its answer follows from the numbers as they are printed."""
    answer_of, draw = question.way
    given = printed(draw(chance))
    answer = answer_of(**given)
    wanted = answer if question.part is None else answer[question.part]
    words = {name: _words(value) for name, value in given.items()}
    return Drawn(kind, question.text.format(**words), wanted, question.unit)
