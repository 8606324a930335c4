"""A server that drops late attempts: what it answers in time, and when it stays stuck."""

import math

from tunables.base.arguments import integer, number
from tunables.theory.retries import MOST_RETRIES, mean_attempts


def _growth(rate, time_s):
    """Return (exp(rate t) - 1)/rate and exp(rate t), both divided by exp(rate t) if rate > 0."""
    x = rate * time_s
    if abs(x) < 1e-6:
        return time_s * (1 - abs(x) / 2), 1.0 if rate > 0 else 1 + x
    shrunk = math.exp(-abs(x))
    return (1 - shrunk) / abs(rate), 1.0 if rate > 0 else shrunk


def deadline_success(
    offered_rate: float, service_rate: float, timeout_s: float, margin_s: float = 0.0
) -> float:
    """Probability that an attempt is answered in time by a server that skips late ones.

    M/M/1, first come, first served; at its turn an attempt is skipped if less than
    m = margin_s is left of its timeout T. The work before an arrival has the density
    v(x) = L P0 exp((L - u) x) up to D = T - m, and above that falls as exp(-u x), because no
    arrival joins work above D: rates of crossing a level up and down are equal. With
    E = (exp((L - u) D) - 1)/(L - u) that gives 1/P0 = 1 + L/u + E L^2/u and

        f = P0 (1 + L E - exp(-u m) (1 + (L - u) E)).

    Far in overload, with m = 0, f -> (u/L)^2: the server has time for u/L of the attempts, and
    of those that it begins it ends u/L in time, since it begins them just before they expire.
    Raises ValueError for rates or a timeout that are not above 0 (offered_rate at least 0), or
    a margin that is negative or above the timeout.
    Source: derived here; Bae and Kim (2010), Queueing Systems 64, cross levels in the same way.

    >>> round(deadline_success(300, 100, 0.5), 4), round(deadline_success(50, 100, 0.5), 4)
    (0.1111, 1.0)
    >>> round(deadline_success(300, 100, 0.5, margin_s=0.1), 4)
    0.3333
    """
    offered = number("offered_rate", offered_rate, at_least=0)
    u = number("service_rate", service_rate, above=0)
    timeout_s = number("timeout_s", timeout_s, above=0)
    margin_s = number("margin_s", margin_s, at_least=0, at_most=timeout_s)
    integral, end = _growth(offered - u, timeout_s - margin_s)  # E and 1 + (L - u) E, scaled
    one = math.exp(-(offered - u) * (timeout_s - margin_s)) if offered > u else 1.0
    inverse_p0 = one * (1 + offered / u) + integral * offered * offered / u
    return (one + offered * integral - math.exp(-u * margin_s) * end) / inverse_p0


def deadline_fixed_points(
    arrival_rate: float, service_rate: float, timeout_s: float, retries: int, margin_s: float = 0.0
) -> list[float]:
    """Offered rates L, sorted, at which a server that drops late work is in balance with clients.

    L = l (1 + q + ... + q^r) with q = 1 - f(L) of `deadline_success`: as `retry_fixed_points`,
    with a server that works for no client that has left *when it begins*. One root, or three:
    healthy, tipping, stuck. They are found as sign changes on 2000 steps from l to l (r + 1).
    Raises ValueError as `deadline_success` does, or if retries is not a whole number up to 1000.

    >>> [round(rate, 1) for rate in deadline_fixed_points(70, 100, 0.5, 3)]
    [70.0]
    >>> [round(rate, 1) for rate in deadline_fixed_points(80, 100, 0.5, 3)]
    [80.0, 127.9, 252.1]
    >>> [round(rate, 1) for rate in deadline_fixed_points(80, 100, 0.5, 3, margin_s=0.1)]
    [80.0]
    """
    arrival_rate = number("arrival_rate", arrival_rate, above=0)
    r = integer("retries", retries, at_most=MOST_RETRIES)

    def excess(offered):
        late = 1 - deadline_success(offered, service_rate, timeout_s, margin_s)
        return arrival_rate * mean_attempts(late, r) - offered

    steps = 2000
    high = arrival_rate * (r + 1)
    grid = [arrival_rate + (high - arrival_rate) * k / steps for k in range(steps + 1)]
    signs = [excess(offered) > 0 for offered in grid]
    roots = [] if signs[0] else [arrival_rate]
    for k in range(steps):
        if signs[k] != signs[k + 1]:
            low, above = grid[k], grid[k + 1]
            for _ in range(60):
                middle = (low + above) / 2
                if (excess(middle) > 0) == signs[k]:
                    low = middle
                else:
                    above = middle
            roots.append(above)
    return roots if roots else [high]


def deadline_safe_load(service_rate: float, retries: int, threads: int = 1) -> float:
    """Largest arrival rate without a stuck state if the server drops attempts that are late.

    u min over x >= 1 of x/(1 + q + ... + q^r), q = 1 - f: the smallest load that can keep up a
    stuck state at the attempts L = x u, for timeouts of many service times; u itself for no
    retries. One thread ends f = 1/x^2 of the attempts in time. With c threads, which do u together,
    an attempt that is begun has a time left that is exponential with the rate L - u, and takes c
    times as long, so f = 1/(x (1 + c (x - 1))): many threads lose nearly all that they begin, and
    the safe load is hardly above u/(r + 1).
    Raises ValueError for a service rate that is not above 0, threads (at least 1) or retries that
    are not whole, or retries above 1000.

    >>> [round(deadline_safe_load(100, r), 1) for r in (0, 1, 3, 8)]
    [100.0, 91.9, 71.9, 50.4]
    >>> [round(deadline_safe_load(100, 3, threads), 1) for threads in (1, 2, 20, 10_000)]
    [71.9, 61.6, 38.2, 25.6]
    """
    u = number("service_rate", service_rate, above=0)
    r = integer("retries", retries, at_most=MOST_RETRIES)
    c = integer("threads", threads, at_least=1)

    def load(x):
        return x / mean_attempts(1 - 1 / (x * (1 + c * (x - 1))), r)

    low, high = 1.0, r + 1.0
    for _ in range(200):  # golden section would do fewer; the curve has one minimum
        a, b = low + (high - low) / 3, high - (high - low) / 3
        if load(a) < load(b):
            high = b
        else:
            low = a
    return u * load(low)
