"""Second copies in a queue: how many are sent, when they cause a storm, what is late.

Many servers, each M/M/1 with load r. A request that is not answered within a delay is sent to a
second server, and no copy is cancelled. Times are in mean service times.
"""

import math

from tunables.base.arguments import number
from tunables.base.roots import bisect


def _due(load, delay, copies):
    """Return the share that is due for a copy if q have one: exp(-(1 - r (1 + q)) d)."""
    return math.exp(min(0.0, -(1 - load * (1 + copies)) * delay))


def copy_fixed_points(load: float, delay: float, budget: float = 1.0) -> list[float]:
    """Return the shares q of requests with a second copy at which servers settle, sorted.

    The copies are load too: q = min(b, exp(-(1 - r (1 + q)) d)), with 0 for an exponent above 0,
    r = load, d = delay and a budget of b copies per request. One root; or three, of which
    the middle one is where a storm tips in or out.
    Raises ValueError for a load outside (0, 1), a negative delay or a budget outside [0, 1].
    Source: derived here, as `retry_fixed_points` is for retries.

    >>> [round(q, 4) for q in copy_fixed_points(0.4, 3.0)]
    [0.2136]
    >>> [round(q, 4) for q in copy_fixed_points(0.7, 12.0)]
    [0.0374, 0.2748, 1.0]
    >>> copy_fixed_points(0.7, 3.0), copy_fixed_points(0.7, 3.0, budget=0.1)
    ([1.0], [0.1])
    """
    r = number("load", load, above=0, below=1)
    d = number("delay", delay, at_least=0)
    b = number("budget", budget, at_least=0, at_most=1)
    full = min(1.0, (1 - r) / r)  # with more copies the servers are overloaded
    # The curve is convex up to there. Here it comes closest to the diagonal, or furthest below.
    nearest = full if r * d <= 1 else (1 - r) / r - math.log(r * d) / (r * d)
    nearest = min(max(nearest, 0.0), full)
    if _due(r, d, nearest) > nearest:
        return [b]
    quiet = bisect(lambda q: _due(r, d, q) <= q, 0.0, nearest)
    if b <= quiet:
        return [b]
    if r <= 0.5:
        return [quiet]
    tipping = bisect(lambda q: _due(r, d, q) > q, nearest, full)
    return [quiet] if b <= tipping else [quiet, tipping, b]


def least_delay(load: float) -> float:
    """Return the shortest delay with a quiet state, in mean service times.

    Below a load of one half it is 0: with every request sent twice the servers still keep up.
    From one half on it is the larger root of

        (1 - r) d = 1 + ln(r d),

    at which the curve of `copy_fixed_points` touches the diagonal, at q = 1/(r d).
    Raises ValueError for a load outside (0, 1).

    >>> [round(least_delay(r), 2) for r in (0.4, 0.5, 0.6, 0.7, 0.8)]
    [0.0, 2.0, 5.47, 9.73, 18.46]
    """
    r = number("load", load, above=0, below=1)
    if r < 0.5:
        return 0.0

    def has_quiet_state(delay):
        return (1 - r) * delay >= 1 + math.log(r * delay)

    low, high = 1 / (1 - r), 2 / (1 - r)
    while not has_quiet_state(high):
        high *= 2
    return bisect(has_quiet_state, low, high)


def safe_budget(load: float) -> float:
    """Return the copies per request that servers can handle, whatever happens: 1/r - 1, or 1.

    It is the law of chapter 2, load (1 + copies) < 1, for one retry at most.
    Raises ValueError for a load outside (0, 1).

    >>> round(safe_budget(0.8), 6), safe_budget(0.4)
    (0.25, 1.0)
    """
    r = number("load", load, above=0, below=1)
    return min(1.0, (1 - r) / r)


def late_share(load: float, copies: float, delay: float, deadline: float) -> float:
    """Return the probability that a request with hedging is answered after a deadline.

    With a = 1 - r (1 + q), the rate at which the tail of one copy falls, S(t) = exp(-a t): it is
    S(t) up to the delay and S(t) S(t - d) beyond, and 1 if the servers are overloaded. Requests
    that the budget leaves without a copy have S(t) alone.
    Raises ValueError for a load outside (0, 1), copies outside [0, 1] or negative times.

    >>> round(late_share(0.4, 0.0, 3.0, 8.0), 5), round(late_share(0.4, 0.2136, 3.0, 8.0), 5)
    (0.00823, 0.00124)
    """
    r = number("load", load, above=0, below=1)
    q = number("copies", copies, at_least=0, at_most=1)
    d = number("delay", delay, at_least=0)
    t = number("deadline", deadline, at_least=0)
    a = 1 - r * (1 + q)
    if a <= 0:
        return 1.0
    alone = math.exp(-a * t)
    if t <= d or q == 0:
        return alone
    wanted = math.exp(-a * d)  # requests that are due for a copy
    with_copy = min(1.0, q / wanted)
    return alone * (1 - with_copy + with_copy * math.exp(-a * (t - d)))
