"""Inputs that the student does not see, drawn by a seed, and what the book's models answer."""

import random

from tunables.page.chapters import module, page_name, with_facet
from tunables.plain.arguments import whole

CHAPTERS = [page_name(slug) for slug in with_facet("homework")]  # as the notebooks are called
CASES = 8  # a question


def hidden_cases(chapter, seed) -> dict:
    """Return for each hidden test of a chapter its cases: lists of (arguments, answer).

    Each question draws from a generator of its own, so that a change of one leaves the others.
    Raises ValueError for an unknown chapter, or a seed that is no whole number and no word of
    letters and digits.
    """
    questions = module(chapter, "homework").QUESTIONS
    if not (isinstance(seed, str) and seed.isalnum()):
        whole("seed", seed)
    drawn = {}
    for name, (answer, draw) in questions.items():
        chance = random.Random(f"{seed} {page_name(chapter)} {name}")
        arguments = [draw(chance) for _ in range(CASES)]
        drawn[name] = [(given, answer(**given)) for given in arguments]
    return drawn
