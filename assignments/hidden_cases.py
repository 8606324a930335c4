"""Holds a student's function against the answers in hidden_cases.json.

Goes into the autograder archive. The answers were computed when the assignment was made, so
that grading needs neither the book nor its models.
"""

import json
import math
from pathlib import Path

TOLERANCE = 1e-2  # relative, the same as in the book's problems


def agree(given, answer) -> bool:
    """Whether given is answer: text and counts exactly, measures within TOLERANCE."""
    if isinstance(answer, list):
        given = list(given)
        return len(given) == len(answer) and all(map(agree, given, answer))
    if isinstance(answer, (str, int)):
        return given == answer
    return math.isclose(float(given), answer, rel_tol=TOLERANCE, abs_tol=1e-12)


class WrongAnswer(AssertionError):
    """A function's result differs from the answer, in one hidden case."""

    def __init__(self, arguments, given, answer):
        super().__init__(f"{arguments}: {given!r} instead of {answer!r}")
        self.arguments, self.given, self.answer = arguments, given, answer


def compare(cases, function):
    """Raise WrongAnswer unless function gives the answer in each of these cases."""
    for arguments, answer in cases:
        given = function(*arguments.values())
        try:
            right = agree(given, answer)
        except (TypeError, ValueError):  # None, a text or a list in the place of a number
            right = False
        if not right:
            raise WrongAnswer(arguments, given, answer)


def check(name, function):
    """Raise AssertionError unless function gives the answer in each hidden case of that name."""
    cases = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
    compare(cases[name], function)
