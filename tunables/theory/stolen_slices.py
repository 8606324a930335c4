"""Slices of a process from which other programs steal the processor: a rival to random costs.

Every item costs the same CPU time, but the daemon reads the wall clock, which runs on while the
processor is away. Whether a run goes on is then up to the scheduler.
"""

import math

from tunables.base.arguments import integer, number

_TOLERANCE = 1e-11  # of a chance, as in tunables.theory.gamma_slices
_MOST_BURSTS = 500  # that fit into the quantum: beyond, exp(-x) would lose its digits

_MOST_LOOKS = 10_000


def _at_most(mu, x):
    """Pr(N <= M) for independent Poisson numbers N of mean mu and M of mean x."""
    n, chance, total = 0, math.exp(-mu), 0.0
    equal, at_least = math.exp(-x), 1.0  # Pr(M = n), Pr(M >= n)
    while n < mu or chance > _TOLERANCE * 1e-4:
        total += chance * at_least
        at_least = max(at_least - equal, 0.0)
        n += 1
        chance *= mu / n
        equal *= x / n
    return total


def stolen_continuation_probabilities(
    granularity: int, cost_s: float, share: float, burst_s: float, quantum_s: float
) -> list[float]:
    """P_j = Pr(j g c + T <= Q) for j = 0, 1, 2, ...: the chance that a run goes on after look j.

    Each item costs c = cost_s of CPU time. Thefts come at random as the process computes, and
    each lasts an exponential time of mean d = burst_s; together they take this share of the
    wall's time. So T is a compound Poisson sum of mu = j g c share/((1 - share) d) thefts on
    average, and P_j = Pr(N <= M) for independent Poisson N of mean mu and M of mean
    (Q - j g c)/d: n thefts fit into x seconds if a Poisson stream of rate 1/d has n by then.
    The list ends where P_j is below 1e-11.

    Raises ValueError for a granularity that is not a whole number at least 1, a cost or burst
    that is not above 0, a share outside 0 to 0.99, or a quantum below 0, above 500 bursts or
    with room for more than 10,000 looks.
    Derived here; the tests compare it with sums of exponential times.

    >>> [round(p, 3) for p in stolen_continuation_probabilities(29, 173e-6, 0.0, 0.55e-3, 0.01)]
    [1.0, 1.0, 0.0]
    >>> [round(p, 3) for p in stolen_continuation_probabilities(29, 173e-6, 0.5, 0.55e-3, 0.01)]
    [1.0, 0.541, 0.0]
    """
    g = integer("granularity", granularity, at_least=1)
    block_s = g * number("cost_s", cost_s, above=0)
    share = number("share", share, at_least=0, at_most=0.99)
    d = number("burst_s", burst_s, above=0)
    quantum_s = number("quantum_s", quantum_s, at_least=0, at_most=_MOST_BURSTS * d)
    number("quantum_s / (granularity * cost_s)", quantum_s / block_s, at_most=_MOST_LOOKS)
    result = [1.0]
    while result[-1] > _TOLERANCE:
        busy_s = len(result) * block_s
        fits = busy_s <= quantum_s
        mu = busy_s * share / ((1 - share) * d)
        result.append(_at_most(mu, (quantum_s - busy_s) / d) if fits else 0.0)
    return result
