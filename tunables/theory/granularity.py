"""How the granularity of a work queue climbs when the costs of its items vary.

With gamma costs the granularity after each run is a Markov chain: at granularity g a run
makes k clock checks, Pr(k > n) = P_n (see tunables.theory.gamma_slices), and the rule moves g by k.
"""

import math

from tunables.arguments import choice, number, whole
from tunables.theory.gamma_slices import chances_to_go_on, continuation_probabilities, moments
from tunables.theory.slicing import GROWTH_RULES
from tunables.theory.special import lower_gammas

_NEVER = 1e-15  # one that is reached less often than this is left out: it could even round to 0
_SURE = 14.0  # exp(-14) is below one in a million
_MANY_CHECKS = 200
_UNLIKELY = 1e-4  # a granularity that is reached less often than this grows no more


# {costs and rule: {g: stage}} computed before: queues that differ in their items share them.
# functools.lru_cache would do, but the page's Python has none.
_known: dict = {}
_MOST_KNOWN = 60


def _stages(*costs):
    """Return the known stages of (mean_cost_s, shape, quantum_s, rule), to look up and fill in."""
    if costs not in _known:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        _known[costs] = {}
    return _known[costs]


def _surely_exceeds(a, x):
    """Whether Pr(X > x) < 1e-6 for X of a gamma distribution of shape a, by Chernoff's bound."""
    return x > a and x - a - a * math.log(x / a) > _SURE


def _stage(g, mean_cost_s, shape, quantum_s, rule):
    """Of a run at g: expected items, mean square of its length, chances to step and to ramp.

    A run that is sure to pass many checks needs no sum over them: its length beyond the
    quantum is the residual life of a block of g items, E[X^2]/2E[X], with square E[X^3]/3E[X].
    So it is taken where growth is certain (one run, whose length matters little) and, under
    a rule that never grows, where 200 checks are.
    """
    factor, ramp = GROWTH_RULES[rule]
    x = quantum_s * shape / mean_cost_s
    block = g * shape
    if _surely_exceeds((factor or _MANY_CHECKS) * block, x):
        scale = mean_cost_s / shape
        beyond = (block + 1) * scale / 2
        mean = quantum_s + beyond
        square = quantum_s * (quantum_s + 2 * beyond) + (block + 1) * (block + 2) * scale**2 / 3
        growth = 1.0 if factor else 0.0
        ramps = lower_gammas(factor * factor * block, x)[0] if ramp else 0.0
    else:
        chances = chances_to_go_on(block, x)
        mean, square = moments(chances, g, mean_cost_s, shape)
        passed = [p for p, _ in chances] + [0.0] * factor * factor
        growth = passed[factor] if factor else 0.0
        ramps = passed[factor * factor] if ramp else 0.0
    return mean / mean_cost_s, square, growth - ramps, ramps


def granularity_runs(items, mean_cost_s, shape, quantum_s, rule, granularity=1) -> tuple:
    """How a queue of gamma costs spends its runs: (runs, chances, mean square of a slice).

    runs: expected number of runs at each granularity, a dict. chances: the probability that
    each stands when the last item is done. The mean square, s^2, is over all runs. One pass
    from the first granularity up: a queue that arrives at g with n runs' worth of items left
    stays for good with probability (1 - p)^n, p = Pr(growth), and makes (1 - (1 - p)^n)/p
    runs there on average. n stands for its own mean, which is the one approximation.

    Raises ValueError for a number out of range or an unknown rule.
    Source: Cox (1962), Renewal Theory, chapters 4 and 5, for runs that are sure to grow.

    >>> runs, chances, _ = granularity_runs(320_975, 0.00033, 0.8, 0.010, "2005-05-06")
    >>> round(sum(runs.values())), max(chances, key=chances.get)
    (6893, 29)
    """
    items = whole("items", items, at_least=1)
    c = number("mean_cost_s", mean_cost_s, above=0)
    kappa = number("shape", shape, above=0)
    quantum_s = number("quantum_s", quantum_s, at_least=0)
    factor = GROWTH_RULES[choice("rule", rule, GROWTH_RULES)][0]
    stages = _stages(c, kappa, quantum_s, rule)
    runs = {}
    chances = {}
    squares = 0.0
    # granularity: probability to get there, and the items that are left then times it
    coming = {whole("granularity", granularity, at_least=1): (1.0, float(items))}
    while coming:
        g = min(coming)
        probability, left = coming.pop(g)
        if g not in stages:
            stages[g] = _stage(g, c, kappa, quantum_s, rule)
        cycles, square, step, ramps = stages[g]
        grows = step + ramps
        stays, made = 1.0, left / (probability * cycles)
        if grows > 1e-9 and probability > _UNLIKELY:  # below that 1 - grows loses its digits
            whole_runs = int(made)
            last = made - whole_runs  # the run that the queue's end cuts short
            kept = (1 - grows) ** whole_runs
            stays, made = kept * (1 - grows * last), (1 - kept) / grows + kept * last
        chances[g] = probability * stays
        runs[g] = made = probability * made
        squares += made * square
        leaves, left = probability * (1 - stays), left - made * cycles
        for target, chance in ((g + factor, step), (g * factor, ramps)):
            if chance and leaves * chance / grows > _NEVER:
                share = chance / grows
                old = coming.get(target, (0.0, 0.0))
                coming[target] = (old[0] + leaves * share, old[1] + left * share)
    return runs, chances, squares / sum(runs.values())


def _moves(g, mean_cost_s, shape, quantum_s, rule):
    """Triples (next granularity, its probability, expected items of such runs) from g.

    E[k; k <= n] = sum_{j < n} P_j - n P_n gives the items of the runs that make a move.
    """
    p = continuation_probabilities(g, mean_cost_s, shape, quantum_s)
    factor, ramp = GROWTH_RULES[rule]

    def up_to(checks):
        p_n = p[checks] if checks < len(p) else 0.0
        return 1 - p_n, sum(p[:checks]) - checks * p_n

    last = (1.0, sum(p))
    stay = up_to(factor) if factor else last
    step = up_to(factor * factor) if ramp else last
    bounds = ((g, stay), (g + factor, step), (g * factor, last))
    result = []
    below = (0.0, 0.0)
    for target, bound in bounds:
        result.append((target, bound[0] - below[0], g * (bound[1] - below[1])))
        below = bound
    return result


def runs_between(start, end, runs, mean_cost_s, shape, quantum_s, rule) -> tuple:
    """Probability that granularity goes from start to end in so many runs, and their items.

    Returns (probability, expected items of the runs given that path's two ends), by the
    chain's forward equations; (0.0, nan) where the chain cannot get there.
    Raises ValueError for a number out of range or an unknown rule.

    >>> probability, items = runs_between(1, 3, 1, 0.0001, 1, 0.010, "2005-05-06")
    >>> round(probability, 6), round(items, 6)  # Q/c + 1 items of exponential cost
    (1.0, 101.0)
    """
    start = whole("start", start, at_least=1)
    end = whole("end", end, at_least=start)
    choice("rule", rule, GROWTH_RULES)
    moves = {}
    states = {start: (1.0, 0.0)}
    for _ in range(whole("runs", runs, at_least=1)):
        after: dict = {}
        for g, (probability, items) in states.items():
            if g not in moves:
                moves[g] = _moves(g, mean_cost_s, shape, quantum_s, rule)
            for target, chance, cycles in moves[g]:
                if target <= end and chance > 0:
                    old = after.get(target, (0.0, 0.0))
                    after[target] = (
                        old[0] + probability * chance,
                        old[1] + items * chance + probability * cycles,
                    )
        states = after
    probability, items = states.get(end, (0.0, 0.0))
    return probability, items / probability if probability > 0 else math.nan


def mean_cost_between(items, runs, start, end, shape, quantum_s, rule) -> float:
    """Mean cost of an item, s, for which so many runs from start to end take so many items.

    Solves runs_between(...)[1] = items by the secant method from Q/(items a run less half a
    granularity). Raises ValueError as runs_between does, and where no cost is found.

    >>> round(mean_cost_between(101, 1, 1, 3, 1, 0.010, "2005-05-06"), 9)
    0.0001
    """
    items = number("items", items, above=0)
    runs = whole("runs", runs, at_least=1)
    quantum_s = number("quantum_s", quantum_s, above=0)
    kappa = number("shape", shape, above=0)
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
    raise ValueError(
        f"items = {items:g}: no mean cost found for {runs} runs from granularity {start} to {end}"
    )
