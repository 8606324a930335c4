"""The law of lab 8: how many requests are slow if each of their leaves has two replicas."""

from tunables.base.arguments import integer, number
from tunables.page.labs import lab_session
from tunables.theory.hedging import MOST_LEAVES, any_slow, hedged_tail


def slow_requests(leaves, stall_probability, shared, asks_again) -> float:
    """Return the share of the requests that wait for a stalled leaf: 1 - (1 - p)^n.

    A leaf's answer stalls with p = s if it is asked once. If it is asked again at its other
    replica, both must stall: p = s (c + (1 - c) s), with c = shared.
    Raises ValueError for probabilities outside [0, 1], or leaves that are not whole and at least 1.

    >>> round(slow_requests(100, 0.01, 0.5, False), 3)
    0.634
    >>> round(slow_requests(100, 0.01, 0.5, True), 3)
    0.397
    """
    s = number("stall_probability", stall_probability, at_least=0, at_most=1)
    both = hedged_tail(s, s, number("shared", shared, at_least=0, at_most=1))
    n = integer("leaves", leaves, at_least=1, at_most=MOST_LEAVES)
    return any_slow(n, both if asks_again else s)


LabSession = lab_session(slow_requests=slow_requests)
