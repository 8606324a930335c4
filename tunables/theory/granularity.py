"""How the granularity of a work queue climbs when the costs of its items vary.

With gamma costs the granularity after each run is a Markov chain: at granularity g a run
makes k clock checks, Pr(k > n) = P_n (see tunables.theory.slicing), and the rule moves g by k.
"""

import math

from tunables.arguments import choice, number, whole
from tunables.theory.slicing import GROWTH_RULES, continuation_probabilities
from tunables.theory.special import regularised_lower_gamma


def granularity_path(items, mean_cost_s, shape, quantum_s, rule, granularity=1) -> list:
    """Pairs (granularity, expected runs at it) on the way through a queue of gamma costs.

    The queue stays at g for 1/p runs on average, p = P_f = Pr(S_fg <= Q), with f of the
    rule. While p is 1, a run takes Q/c + (g + 1/kappa)/2 items (renewal theory); after that
    E[cycles]. The last stage ends with the queue's last item.

    Raises ValueError for a number out of range or an unknown rule.
    Source: Cox (1962), Renewal Theory, section 4.2, for the items of a run.

    >>> path = granularity_path(320_975, 0.00033, 0.8, 0.010, "2005-05-06")
    >>> [(g, round(runs)) for g, runs in path[-3:]]
    [(25, 485), (27, 3094), (29, 3168)]
    """
    left = whole("items", items, at_least=1)
    c = number("mean_cost_s", mean_cost_s, above=0)
    kappa = number("shape", shape, above=0)
    quantum_s = number("quantum_s", quantum_s, at_least=0)
    factor, ramp = GROWTH_RULES[choice("rule", rule, GROWTH_RULES)]
    g = whole("granularity", granularity, at_least=1)

    def continues(checks):
        return regularised_lower_gamma(checks * g * kappa, quantum_s * kappa / c)

    path = []
    while True:
        growth = continues(factor) if factor else 0.0
        if growth == 1:
            cycles = quantum_s / c + (g + 1 / kappa) / 2
        else:
            cycles = g * sum(continuation_probabilities(g, c, kappa, quantum_s))
        runs = 1 / growth if growth > 0 else math.inf
        if runs * cycles >= left:
            return path + [(g, left / cycles)]
        path.append((g, runs))
        left -= runs * cycles
        ramps = ramp and continues(factor * factor) > growth / 2
        g = g * factor if ramps else g + factor


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
        after = {}
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
