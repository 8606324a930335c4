"""How the granularity of a work queue climbs when the costs of its items vary.

With gamma costs the granularity after each run is a Markov chain: at granularity g a run
makes k clock checks, Pr(k > n) = P_n (see tunables.theory.gamma_slices), and the rule moves g by k.
"""

import math
from collections import namedtuple

from tunables.base.arguments import choice, integer, number
from tunables.base.portable import memoize, plain_sum
from tunables.base.refusals import refusal
from tunables.theory.gamma_slices import chances_to_go_on, moments
from tunables.theory.slicing import GROWTH_RULES
from tunables.theory.special import lower_gammas

_NEVER = 1e-15  # one that is reached less often than this is left out: it could even round to 0
_SURE = 14.0  # exp(-14) is below one in a million
_MANY_CHECKS = 200
_UNLIKELY = 1e-4  # a granularity that is reached less often than this grows no more
_LEAST_GROWTH = 1e-9  # below it 1 - p loses its digits
_MOST_VALUES = 100_000  # half a second of work

# A run at one granularity: its expected items, the mean square of its length, the chance that
# it raises the granularity, and [(granularity it then leads to, chance of that one)].
Level = namedtuple("Level", ["items", "square", "growth", "targets"])


def _surely_exceeds(a, x):
    """Whether Pr(X > x) < 1e-6 for X of a gamma distribution of shape a, by Chernoff's bound."""
    return x > a and x - a - a * math.log(x / a) > _SURE


def _long_moments(block, scale, quantum_s):
    """Mean and mean square of the length of a run that is sure to pass many checks.

    It needs no sum over them: its length beyond the quantum is the residual life of a block
    of g items, E[X^2]/2E[X], with square E[X^3]/3E[X].
    """
    beyond = (block + 1) * scale / 2
    square = quantum_s * (quantum_s + 2 * beyond) + (block + 1) * (block + 2) * scale**2 / 3
    return quantum_s + beyond, square


@memoize
def _level(g, mean_cost_s, shape, quantum_s, rule):
    """Return the `Level` of a granularity; queues that differ in their items share it.

    A run is taken for a long one where growth is certain (one run, whose length matters
    little) and, under a rule that never grows, where 200 checks are.
    """
    factor, ramp = GROWTH_RULES[rule]
    block, x = g * shape, quantum_s * shape / mean_cost_s
    if _surely_exceeds((factor or _MANY_CHECKS) * block, x):
        mean, square = _long_moments(block, mean_cost_s / shape, quantum_s)
        growth = 1.0 if factor else 0.0
        ramps = lower_gammas(factor * factor * block, x)[0] if ramp else 0.0
    else:
        chances = chances_to_go_on(block, x)
        mean, square = moments(chances, g, mean_cost_s, shape)
        passed = [p for p, _ in chances] + [0.0] * factor * factor
        growth = passed[factor] if factor else 0.0
        ramps = passed[factor * factor] if ramp else 0.0
    moves = ((g + factor, growth - ramps), (g * factor, ramps))
    targets = [(target, chance / growth) for target, chance in moves if chance > 0]
    return Level(mean / mean_cost_s, square, growth, targets)


def _stay(growth, runs):
    """Return the chance that none of n runs grows, and the mean number of runs until one does.

    With p = growth: (1 - p)^n and (1 - (1 - p)^n)/p; the last run, which the queue's end cuts
    short, counts in part.
    """
    whole_runs = int(runs)
    last = runs - whole_runs
    kept = (1 - growth) ** whole_runs
    return kept * (1 - growth * last), (1 - kept) / growth + kept * last


def granularity_runs(
    items: int, mean_cost_s: float, shape: float, quantum_s: float, rule: str, granularity: int = 1
) -> tuple[dict[int, float], dict[int, float], float]:
    """How a queue of gamma costs spends its runs: (runs, chances, mean square of a slice).

    runs: expected number of runs at each granularity, a dict. chances: the probability that
    each is in force when the last item is done. The mean square, s^2, is over all runs. One pass
    from the first granularity up: a queue that arrives at g with n runs' worth of items left
    stays for good with probability (1 - p)^n, p = Pr(growth), and makes (1 - (1 - p)^n)/p
    runs there on average. n is replaced by its mean, which is the only approximation.

    Raises ValueError for a number out of range, an unknown rule, or a quantum in which the
    granularity climbs through more than 100,000 values.
    Source: Cox (1962), Renewal Theory, chapters 4 and 5, for runs that are sure to grow.

    >>> runs, chances, _ = granularity_runs(320_975, 0.00033, 0.8, 0.010, "2005-05-06")
    >>> round(sum(runs.values())), max(chances, key=chances.get)
    (6893, 29)
    >>> costs = {"items": 3000, "mean_cost_s": 0.00033, "shape": 0.8, "quantum_s": 0.010}
    >>> rules = ("2005-05-06", "2005-05-23", "2010", "fixed")
    >>> [round(sum(granularity_runs(rule=rule, **costs)[0].values())) for rule in rules]
    [72, 71, 81, 95]
    """
    items = integer("items", items, at_least=1)
    c = number("mean_cost_s", mean_cost_s, above=0)
    kappa = number("shape", shape, above=0)
    quantum_s = number("quantum_s", quantum_s, at_least=0)
    choice("rule", rule, GROWTH_RULES)
    runs: dict = {}
    chances = {}
    squares = 0.0
    # granularity: probability to get there, and the items that are left then times it
    coming = {integer("granularity", granularity, at_least=1): (1.0, float(items))}
    while coming:
        g = min(coming)
        if len(runs) == _MOST_VALUES:
            raise refusal(
                f"quantum_s = {quantum_s!r}: must be so short that the granularity takes at "
                f"most {_MOST_VALUES} values when mean_cost_s = {c!r} and items = {items!r}"
            )
        probability, left = coming.pop(g)
        level = _level(g, c, kappa, quantum_s, rule)
        stays, made = 1.0, left / (probability * level.items)
        if level.growth > _LEAST_GROWTH and probability > _UNLIKELY:
            stays, made = _stay(level.growth, made)
        chances[g] = probability * stays
        runs[g] = probability * made
        squares += runs[g] * level.square
        leaves, left = probability * (1 - stays), left - runs[g] * level.items
        for target, share in level.targets:
            if leaves * share > _NEVER:
                old = coming.get(target, (0.0, 0.0))
                coming[target] = (old[0] + leaves * share, old[1] + left * share)
    return runs, chances, squares / plain_sum(runs.values())
