"""Inputs that the student does not see, drawn by a seed, and what the book's models answer."""

from tunables.base.arguments import integer
from tunables.core.exam import Draws
from tunables.core.registry import chapters_with, find_homework
from tunables.page.chapters import page_name

CHAPTERS = [page_name(slug) for slug in chapters_with("homework")]  # as the notebooks are called
CASES = 8  # a question


def hidden_cases(chapter, seed) -> dict:
    """Return for each hidden test of a chapter its cases: lists of (arguments, answer).

    Each question draws from a generator of its own, so that a change of one leaves the others.
    Raises ValueError for an unknown chapter, or a seed that is no whole number and no word of
    letters and digits.
    """
    questions = find_homework(chapter)
    if not (isinstance(seed, str) and seed.isalnum()):
        integer("seed", seed)
    drawn = {}
    for name, (answer, draw) in questions.items():
        chance = Draws(seed, f"{page_name(chapter)} {name}")
        arguments = [draw(chance) for _ in range(CASES)]
        drawn[name] = [(given, answer(**given)) for given in arguments]
    return drawn
