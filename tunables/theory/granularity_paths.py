"""Paths of a work queue's granularity between two prints of its counters.

The granularity after each run is a Markov chain (see tunables.theory.granularity). Here its two
ends and the number of runs are known; the items of those runs, or their cost, are computed.
"""

import math

from tunables.base.arguments import choice, integer, number
from tunables.base.kinds import Chances
from tunables.base.portable import plain_sum
from tunables.base.refusals import refusal
from tunables.theory.gamma_slices import continuation_probabilities
from tunables.theory.slicing import GROWTH_RULES

_MOST_ON_THE_WAY = 10_000
_MOST_SQUARED = 600_000_000  # granularities to the third, and this a squaring: ten seconds


def _moves(p, g, rule):
    """{next granularity: (its probability, expected items of such runs times it)} from g.

    p[j] is the chance that a run goes on after j looks. E[k; k <= n] = sum_{j < n} P_j - n P_n
    gives the items of the runs that make a move.
    """
    factor, ramp = GROWTH_RULES[rule]

    def up_to(checks):
        p_n = p[checks] if checks < len(p) else 0.0
        return 1 - p_n, plain_sum(p[:checks]) - checks * p_n

    last = (1.0, plain_sum(p))
    stay = up_to(factor) if factor else last
    step = up_to(factor * factor) if ramp else last
    result: dict = {}
    below = (0.0, 0.0)
    for target, bound in ((g, stay), (g + factor, step), (g * factor, last)):
        if bound[0] > below[0]:
            old = result.get(target, (0.0, 0.0))
            gain = bound[0] - below[0], g * (bound[1] - below[1])
            result[target] = old[0] + gain[0], old[1] + gain[1]
        below = bound
    return result


def _follow(states, moves):
    """Return states after the moves; both hold (probability, items times probability)."""
    after: dict = {}
    for g, (probability, items) in states.items():
        for target, (chance, cycles) in moves[g].items():
            old = after.get(target, (0.0, 0.0))
            after[target] = (
                old[0] + probability * chance,
                old[1] + items * chance + probability * cycles,
            )
    return after


def path_between(
    start: int, end: int, runs: int, rule: str, chances: Chances
) -> tuple[float, float]:
    """Probability that granularity goes from start to end in a number of runs, and their items.

    chances(g) lists the chances that a run at granularity g goes on after look 0, 1, 2, ...
    Returns (probability, expected items of the runs given that path's two ends), by the
    chain's forward equations; (0.0, nan) if the chain cannot get there. Large numbers of runs
    are computed by squaring.
    Raises ValueError for a number out of range, more than 10,000 granularities from start to
    end, some hundreds of them and too many runs, or an unknown rule.

    >>> probability, items = path_between(1, 3, 2, "2005-05-06", lambda g: [1.0, 0.9, 0.5, 0.1])
    >>> round(probability, 6), round(items, 6)
    (0.5, 6.8)
    """
    start = integer("start", start, at_least=1)
    end = integer("end", end, at_least=start)
    runs = integer("runs", runs, at_least=1)
    choice("rule", rule, GROWTH_RULES)
    moves: dict = {}
    coming = [start]
    while coming:
        g = coming.pop()
        if g not in moves:
            if len(moves) == _MOST_ON_THE_WAY:
                raise refusal(
                    f"end = {end}: there must be at most {_MOST_ON_THE_WAY} granularities "
                    f"between start = {start} and end"
                )
            reached = _moves(chances(g), g, rule)
            moves[g] = {target: reached[target] for target in reached if target <= end}
            coming.extend(moves[g])
    if (runs // len(moves)).bit_length() * len(moves) ** 3 > _MOST_SQUARED:
        raise refusal(
            f"runs = {runs}: too many for the {len(moves)} granularities between "
            f"start = {start} and end = {end}"
        )
    states = {start: (1.0, 0.0)}
    while runs:
        # squaring all states is expensive, and pays off for many runs
        if runs % 2 or runs < len(moves):
            states = _follow(states, moves)
            runs -= 1
        else:
            moves = {g: _follow(moves[g], moves) for g in moves}
            runs //= 2
    probability, items = states.get(end, (0.0, 0.0))
    return probability, items / probability if probability > 0 else math.nan


def runs_between(
    start: int, end: int, runs: int, mean_cost_s: float, shape: float, quantum_s: float, rule: str
) -> tuple[float, float]:
    """Return what `path_between` does for gamma costs: the probability, and the items taken.

    Errors as in `path_between` and `continuation_probabilities`.

    >>> probability, items = runs_between(1, 3, 1, 0.0001, 1, 0.010, "2005-05-06")
    >>> round(probability, 6), round(items, 6)  # Q/c + 1 items of exponential cost
    (1.0, 101.0)
    >>> rules = ("2005-05-06", "2005-05-23")
    >>> [round(runs_between(1, 3, 2, 0.004, 0.8, 0.010, rule)[0], 6) for rule in rules]
    [0.869874, 0.528303]
    """

    def chances(g):
        return continuation_probabilities(g, mean_cost_s, shape, quantum_s)

    return path_between(start, end, runs, rule, chances)


def mean_cost_between(
    items: float, runs: int, start: int, end: int, shape: float, quantum_s: float, rule: str
) -> float:
    """Mean cost of an item, s, for which the runs from start to end take the given items.

    Solves runs_between(...)[1] = items by the secant method from Q/(items per run less half a
    granularity). Raises ValueError as runs_between does, and where no cost is found.

    >>> round(mean_cost_between(101, 1, 1, 3, 1, 0.010, "2005-05-06"), 9)
    0.0001
    """
    items = number("items", items, above=0)
    runs = integer("runs", runs, at_least=1)
    quantum_s = number("quantum_s", quantum_s, above=0)
    kappa = number("shape", shape, above=0)
    start = integer("start", start, at_least=1)
    end = integer("end", end, at_least=start)
    a_run = items / runs
    overshoot = min((end + 1 / kappa) / 2, 0.8 * a_run)
    cost, step = quantum_s / (a_run - overshoot), 0.01
    gap = None
    for _ in range(40):
        previous = gap
        expected = runs_between(start, end, runs, cost, kappa, quantum_s, rule)[1]
        if math.isnan(expected):
            break
        gap = expected / items - 1
        if abs(gap) < 1e-12 or abs(step) < 1e-13:
            return cost
        if previous is not None:
            step = -gap * step / (gap - previous) if gap != previous else 0.0
            step = min(max(step, -0.3), 0.3)
        cost *= 1 + step
    raise refusal(
        f"items = {items:g}: no mean cost makes {runs} runs from granularity {start} to {end} take "
        "so many items"
    )
