"""Callers that wait for their answers: how many get them per second, and when that is safe."""

import math

from tunables.base.arguments import integer, number
from tunables.base.refusals import refusal
from tunables.theory.retries import MOST_RETRIES, mean_attempts
from tunables.theory.special import lower_gammas

MOST_CALLERS = 10**9


def _between_attempts(line, service_rate, timeout_s, retries, think_time_s):
    """Return the mean time between two attempts of a caller, and the chance of a reply in time.

    line: attempts in the queue, whose services take a gamma distributed time.
    """
    in_time, one_more = lower_gammas(line, service_rate * timeout_s)
    late = 1 - in_time
    until_next_s = line / service_rate * one_more + timeout_s * late  # E[min(R, T)]
    return until_next_s + think_time_s / mean_attempts(late, retries), in_time


def waiting_callers_rate(
    callers: int, service_rate: float, timeout_s: float, retries: int = 0, think_time_s: float = 0.0
) -> float:
    """Requests per second answered in time, for N callers that keep a server busy.

    Each caller asks, waits for the answer, pauses for Z and asks again. Without an answer after T
    it asks again at once, at most r times, and the old attempt is served all the same. The time R
    of an attempt is that of the k services in the queue, gamma distributed with mean k/u.
    k is the length at which the callers send as many attempts as the server can serve:

        N/(E[min(R, T)] + Z/A) = u,  A = 1 + q + ... + q^r,  q = P(R > T),

    and u (1 - q) are answered in time. That is within u/10 of the simulation, and within u/20
    except where the curve is steepest, if N is several times as large as u Z. If T + Z/(r + 1)
    is N/u or less there is no such length: then none is answered. r matters only by the pauses.
    Raises ValueError for counts that are not whole (callers from 1 to a billion, retries at most
    1000), a rate or timeout that is not above 0, a negative pause, or callers too few to keep the
    server full (u Z or fewer).
    Source: derived here; R = N/u - Z is the asymptotic bound of Denning and Buzen (1978).

    >>> [round(waiting_callers_rate(50, u, timeout_s=1.0), 1) for u in (48, 52, 60, 70)]
    [0.0, 21.3, 54.5, 69.6]
    >>> round(waiting_callers_rate(50, 60, timeout_s=1.0, retries=3, think_time_s=0.03), 1)
    56.6
    """
    n = integer("callers", callers, at_least=1, at_most=MOST_CALLERS)
    u = number("service_rate", service_rate, above=0)
    timeout_s = number("timeout_s", timeout_s, above=0)
    number("service_rate * timeout_s", u * timeout_s)
    r = integer("retries", retries, at_most=MOST_RETRIES)
    pause_s = number("think_time_s", think_time_s, at_least=0)
    if n <= u * pause_s:
        raise refusal(
            f"callers = {n}: must be above service_rate * think_time_s = {u * pause_s:g}, or they "
            "do not keep the server full"
        )
    wanted_s = n / u
    if timeout_s + pause_s / (r + 1) <= wanted_s:
        return 0.0
    low, high = 0.0, 1.0
    while _between_attempts(high, u, timeout_s, r, pause_s)[0] < wanted_s:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        if _between_attempts(middle, u, timeout_s, r, pause_s)[0] < wanted_s:
            low = middle
        else:
            high = middle
    return u * _between_attempts(high, u, timeout_s, r, pause_s)[1]


def safe_callers(service_rate: float, timeout_s: float) -> float:
    """Number of waiting callers up to which nearly all are answered in time: N + 2 sqrt(N) = u T.

    A queue of N takes N/u, give or take sqrt(N)/u: twice that is kept free. Requests that are late
    nevertheless come again and take turns from others, so N < u T alone is not safe.
    N = (sqrt(1 + u T) - 1)^2; not rounded.
    Raises ValueError for a rate or a timeout that is not above 0.

    >>> round(safe_callers(60, 1.0), 2), round(safe_callers(60, 0.5), 2)
    (46.38, 20.86)
    """
    u = number("service_rate", service_rate, above=0)
    held = u * number("timeout_s", timeout_s, above=0)
    return (held / (math.sqrt(1 + held) + 1)) ** 2


def any_answer_rates(
    callers: int, service_rate: float, timeout_s: float, retries: int, think_time_s: float = 0.0
) -> list[float]:
    """Stable answers per second of N callers that take an answer to any attempt, falling.

    The wait is W = k N/u - Z, with k the attempts that a request sends before its first answer
    arrives. It is stable if (k - 1) T < W <= k T, and u/k are answered, for each k from 1 to r + 1
    for which that holds. An empty list: none is answered, the wait is longer than (r + 1) T.
    Raises ValueError for counts that are not whole (callers from 1 to a billion, retries at most
    1000), a rate or timeout that is not above 0, or a negative pause.

    >>> any_answer_rates(50, 60, 1.0, 3), any_answer_rates(50, 60, 0.5, 3)
    ([60.0, 30.0, 20.0, 15.0], [])
    >>> any_answer_rates(50, 60, 1.0, 3, think_time_s=0.03)
    [60.0, 30.0, 20.0, 15.0]
    """
    n = integer("callers", callers, at_least=1, at_most=MOST_CALLERS)
    u = number("service_rate", service_rate, above=0)
    timeout_s = number("timeout_s", timeout_s, above=0)
    pause_s = number("think_time_s", think_time_s, at_least=0)
    most = integer("retries", retries, at_most=MOST_RETRIES) + 1
    return [
        u / k
        for k in range(1, most + 1)
        if (k - 1) * timeout_s < k * n / u - pause_s <= k * timeout_s
    ]
