"""Inputs that the student does not see, drawn by a seed, and what the book's models answer."""

import random

from assignments.draw import (
    cache_cliff,
    flow_priority,
    group_commit,
    replication,
    time_outs,
    work_queues,
)
from tunables.arguments import choice, whole

CHAPTERS: dict[str, dict] = {
    "01-group-commit": group_commit.QUESTIONS,
    "02-time-outs": time_outs.QUESTIONS,
    "03-cache-cliff": cache_cliff.QUESTIONS,
    "04-flow-priority": flow_priority.QUESTIONS,
    "05-replication": replication.QUESTIONS,
    "06-work-queues": work_queues.QUESTIONS,
}
CASES = 8  # a question


def hidden_cases(chapter, seed) -> dict:
    """Return for each hidden test of a chapter its cases: lists of (arguments, answer).

    Each question draws from a generator of its own, so that a change of one leaves the others.
    Raises ValueError for an unknown chapter or a seed that is not a whole number.
    """
    questions = CHAPTERS[choice("chapter", chapter, CHAPTERS)]
    whole("seed", seed)
    drawn = {}
    for name, (answer, draw) in questions.items():
        chance = random.Random(f"{seed} {chapter} {name}")
        arguments = [draw(chance) for _ in range(CASES)]
        drawn[name] = [(given, answer(**given)) for given in arguments]
    return drawn
