"""A request sent to two servers, where the first answer counts; and one that waits for many.

S(t) is the probability that one copy takes longer than t. All times have one unit.
"""

import math

from tunables.base.arguments import integer, number
from tunables.base.kinds import Function
from tunables.base.roots import falling_root
from tunables.theory.latency_tails import SMALLEST_TAIL

MOST_LEAVES = 10**6
_WITHIN = 1e-13  # of a root
_FEW = 100  # leaves, below which the slowest are counted one by one


def hedged_tail(first: float, second: float, shared: float = 0.0) -> float:
    """Return the probability that neither copy is answered: S1 (c + (1 - c) S2).

    first = S1 = S(t), second = S2 = S(t - d) for a second copy that is sent d later. A share c of
    the requests takes as long wherever it is asked; of the others, the copies are independent.
    Raises ValueError for a probability outside [0, 1].

    >>> round(hedged_tail(0.1, 0.1), 6), round(hedged_tail(0.1, 0.1, shared=0.5), 6)
    (0.01, 0.055)
    """
    one, other, c = [
        number(name, value, at_least=0, at_most=1)
        for name, value in (("first", first), ("second", second), ("shared", shared))
    ]
    return one * (c + (1 - c) * other)


def hedged_quantile(
    tail: Function, inverse: Function, share: float, delay: float, shared: float = 0.0
) -> float:
    """Return the time that a share of the hedged requests exceeds.

    It solves S(t) (c + (1 - c) S(t - d)) = share; tail(t) = S(t), and inverse is the
    inverse of tail. A second copy is sent after d = delay. The result lies between the times that
    one copy exceeds with the probabilities sqrt(share) and share.
    Raises ValueError for a share outside (0, 1], a negative delay or shared outside [0, 1].

    >>> from functools import partial
    >>> from tunables.theory.latency_tails import tail_at, tail_points, time_at
    >>> exponential = tail_points([(math.log(2), 0.5), (math.log(10), 0.1)])
    >>> tail, inverse = partial(tail_at, exponential), partial(time_at, exponential)
    >>> round(hedged_quantile(tail, inverse, 0.01, 0.0), 4)
    2.3026
    >>> round(hedged_quantile(tail, inverse, 0.01, 1.0, shared=0.1), 4)
    3.0644
    """
    share = number("share", share, above=0, at_most=1)
    d = number("delay", delay, at_least=0)
    c = number("shared", shared, at_least=0, at_most=1)

    def excess(time):
        first = tail(time)
        return math.log(first * (c + (1 - c) * tail(time - d)) / share) if first > 0 else -1.0

    latest = inverse(share)
    return falling_root(excess, inverse(math.sqrt(share)), latest, _WITHIN * latest)


def any_slow(servers: int, slow: float) -> float:
    """Return the probability that at least one of n servers is slow: 1 - (1 - p)^n.

    p = slow: the probability that one is; they are independent.
    Raises ValueError for servers that are not a whole number at least 1, or p outside [0, 1].
    Source: Dean and Barroso (2013), the figure on page 77.

    >>> round(any_slow(100, 0.01), 3), round(any_slow(2000, 0.0001), 3)
    (0.634, 0.181)
    """
    n = integer("servers", servers, at_least=1, at_most=MOST_LEAVES)
    return 1 - (1 - number("slow", slow, at_least=0, at_most=1)) ** n


def slowest_leaf_share(share: float, leaves: int) -> float:
    """How often one leaf can exceed a time that a wait for all n exceeds with this share.

    1 - (1 - share)^(1/n), for independent leaves: the inverse of `any_slow`.
    Raises ValueError for a share outside (0, 1), or leaves that are not whole and at least 1.

    >>> round(slowest_leaf_share(0.5, 1), 6), round(slowest_leaf_share(0.01, 1000), 9)
    (0.5, 1.005e-05)
    """
    n = integer("leaves", leaves, at_least=1, at_most=MOST_LEAVES)
    share = number("share", share, above=0, below=1)
    return max(-math.expm1(math.log(1 - share) / n), SMALLEST_TAIL)


def _more_than(missing, n, p):
    """Return the probability that more than `missing` of n independent leaves are slow."""
    term = (1 - p) ** n
    total = term
    for k in range(missing):
        term *= (n - k) / (k + 1) * p / (1 - p)
        total += term
    return 1 - total


def most_leaves_share(share: float, leaves: int, z: float, waited_for: float = 0.95) -> float:
    """How often one leaf can exceed a time that a wait for most of n exceeds with this share.

    The root waits until a part w of its n leaves has answered, so m = n - ceil(w n) may be
    missing. It waits longer than t if more than m leaves do. From 100 leaves on their number is
    taken as normal,

        s = (1 - w) - z sqrt(w (1 - w)/n),

    with z the normal quantile of 1 - share; below, it is counted one by one. For many leaves s is
    1 - w whatever the share: the 95th of 100 independent leaves hardly varies.
    Raises ValueError for a share or waited_for outside (0, 1), or leaves that are not whole.

    >>> round(most_leaves_share(0.01, 1_000_000, 2.326), 4), round(most_leaves_share(0.5, 20, 0), 4)
    (0.0495, 0.0825)
    """
    n = integer("leaves", leaves, at_least=1, at_most=MOST_LEAVES)
    share = number("share", share, above=0, below=1)
    w = number("waited_for", waited_for, above=0, below=1)
    if n >= _FEW:
        spread = number("z", z) * math.sqrt(w * (1 - w) / n)
        return min(max((1 - w) - spread, SMALLEST_TAIL), 1.0)
    missing = n - math.ceil(w * n - 1e-9)
    if missing == 0:
        return slowest_leaf_share(share, n)
    highest = 1.0 - 1e-12
    return falling_root(lambda s: share - _more_than(missing, n, s), 0.0, highest, _WITHIN)
