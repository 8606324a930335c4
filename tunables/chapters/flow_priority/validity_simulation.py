"""The run behind chapter 4's map: a shortened test in which the delays vary more or less.

It runs in the page too.
"""

from tunables.chapters.flow_priority.predictor import CLASSES, TRANSACTIONS, predict
from tunables.chapters.flow_priority.simulation import ahead_bytes, end_times
from tunables.plain.arguments import number

USERS_SIMULATED = 48  # in all runs of a cell: few users make noisy runs
FEWEST_RUNS, MOST_RUNS = 3, 12
SHARE = 40  # one transaction in so many is carried out, and the time counted so many times
CLASS = "large_1"


def runs_needed(*, users, **_) -> int:
    """Return how many runs a number of users takes: more, where few make noisy ones."""
    return min(max(USERS_SIMULATED // int(users), FEWEST_RUNS), MOST_RUNS)


def run(seed, *, spread, **settings) -> dict:
    """Return the seconds that large 1 takes with DPP, from a shortened test of all classes.

    Raises ValueError for settings that `predict` refuses, or a spread outside [0, 1].
    """
    predict(**settings)
    spread = number("spread", spread, at_least=0, at_most=1)
    transactions = [round(count / SHARE) for count in TRANSACTIONS]
    ends_s = end_times(seed, settings, "with", ahead_bytes(settings), transactions, spread)
    k = CLASSES.index(CLASS)
    return {f"{CLASS}_with_s": ends_s[k] * TRANSACTIONS[k] / transactions[k]}
