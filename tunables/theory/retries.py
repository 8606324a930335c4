"""Timeouts with retries: what one request costs, and what its retries do to a server."""

import math

from tunables.base.arguments import flag, integer, number
from tunables.base.roots import bisect

MOST_RETRIES = 1000


def mean_attempts(failure_probability: float, retries: int) -> float:
    """Mean attempts of a request, unchecked: the sum of p^k for k = 0..r.

    By Horner's rule, since (1 - p^(r+1))/(1 - p) cancels.
    """
    total = 1.0
    for _ in range(retries):
        previous, total = total, 1 + failure_probability * total
        if total == previous:  # converged: further retries add less than a rounding error
            break
    return total


def retry_statistics(
    failure_probability: float, timeout_s: float, retries: int, mean_reply_s: float = 0.0
) -> tuple[float, float, float]:
    """Mean attempts, probability that all fail, and mean latency of a request with retries.

    Each attempt fails with probability p and then costs the timeout T; at most r retries.

    - attempts A = 1 + p + ... + p^r
    - failure probability p^(r+1)
    - latency E[L] = T p A + (1 - p^(r+1)) y, since p A = A - 1 + p^(r+1) attempts fail

    y = mean_reply_s is the mean of a reply that arrives in time.
    Raises ValueError for a probability outside [0, 1], a negative time, a mean reply above the
    timeout, or retries that is not a whole number from 0 to 1000.

    >>> retry_statistics(0.5, 1.0, 3)
    (1.875, 0.0625, 0.9375)
    >>> retry_statistics(1, 1.0, 3), retry_statistics(1, 0.5, 1)
    ((4.0, 1.0, 4.0), (2.0, 1.0, 1.0))
    >>> retry_statistics(0.5, 1.0, 3, mean_reply_s=0.5)
    (1.875, 0.0625, 1.40625)
    """
    p = number("failure_probability", failure_probability, at_least=0, at_most=1)
    timeout_s = number("timeout_s", timeout_s, at_least=0)
    r = integer("retries", retries, at_most=MOST_RETRIES)
    mean_reply_s = number("mean_reply_s", mean_reply_s, at_least=0, at_most=timeout_s)
    attempts = mean_attempts(p, r)
    all_fail = p ** (r + 1)
    return attempts, all_fail, timeout_s * p * attempts + (1 - all_fail) * mean_reply_s


def retry_quantile(
    q: float, failure_probability: float, timeout_s: float, retries: int, reply_s: float = 0.0
) -> float:
    """Latency that a share q of the requests does not exceed, failed requests included.

    k attempts failed before a reply: k T + y for the least k <= r with 1 - p^(k+1) >= q;
    if there is none, all r + 1 failed: (r + 1) T. The quantile jumps in multiples of T.
    q = 0 gives the shortest latency that occurs. y = reply_s is the time of a good reply.
    Raises ValueError for q or a probability outside [0, 1], a negative time, a reply above the
    timeout, or retries that is not a whole number from 0 to 1000.

    >>> [retry_quantile(q, 0.1, 1.0, 3, reply_s=0.05) for q in (0.5, 0.9, 0.95, 0.99, 0.999)]
    [0.05, 0.05, 1.05, 1.05, 2.05]
    """
    q = number("q", q, at_least=0, at_most=1)
    p = number("failure_probability", failure_probability, at_least=0, at_most=1)
    timeout_s = number("timeout_s", timeout_s, at_least=0)
    r = integer("retries", retries, at_most=MOST_RETRIES)
    reply_s = number("reply_s", reply_s, at_least=0, at_most=timeout_s)
    if p == 1:
        return (r + 1) * timeout_s
    slower = (1 - q) * (1 + 1e-9)  # 1 - 0.99 is not 0.1^2 to the last bit
    failures, tail = 0, p
    while tail > slower and failures <= r:
        failures += 1
        tail *= p
    return (r + 1) * timeout_s if failures > r else failures * timeout_s + reply_s


def backoff_total(
    timeout_s: float, retries: int, base_s: float, cap_s: float, jitter: bool = True
) -> float:
    """Mean time until the last attempt has failed, with exponential backoff between attempts.

    (r + 1) T + c sum_(k=0..r-1) min(cap, base 2^k), with c = 1/2 for full jitter (each pause
    uniform from 0 to its bound) and c = 1 without.
    Raises ValueError for a negative time, retries that is not a whole number, or jitter that is
    neither True nor False.
    Source: Brooker (2015), Exponential Backoff And Jitter, AWS Architecture Blog.

    >>> backoff_total(1.0, 3, 0.1, 0.3), backoff_total(1.0, 3, 0.1, 0.3, jitter=False)
    (4.3, 4.6)
    """
    timeout_s = number("timeout_s", timeout_s, at_least=0)
    r = integer("retries", retries)
    pause = number("base_s", base_s, at_least=0)
    cap_s = number("cap_s", cap_s, at_least=0)
    total, left = 0.0, r
    while left > 0 and 0 < pause < cap_s:
        total += pause
        pause, left = 2 * pause, left - 1
    total += left * min(pause, cap_s)
    return (r + 1) * timeout_s + (total / 2 if flag("jitter", jitter) else total)


def _excess(offered, arrival_rate, service_rate, timeout_s, retries):
    """Return l A(q(L)) - L, the load that load L causes minus L, and its slope in L."""
    q = math.exp(-(service_rate - offered) * timeout_s)
    attempts, slope = 1.0, 0.0
    for _ in range(retries):
        attempts, slope = 1 + q * attempts, attempts + q * slope
    return arrival_rate * attempts - offered, arrival_rate * slope * q * timeout_s - 1


def retry_fixed_points(
    arrival_rate: float, service_rate: float, timeout_s: float, retries: int
) -> list[float]:
    """Offered rates L, sorted, at which an M/M/1 server and its clients' retries agree.

    L = l A(q) with A(q) = 1 + q + ... + q^r and q = exp(-(u - L) T) the probability that a
    request takes longer than T, which is 1 from L = u on. l = arrival_rate and
    u = service_rate in requests per second; work whose client has given up is still done.
    Retries are assumed to arrive at random, which holds if pauses spread them. An immediate retry
    meets the queue that delayed the previous attempt, which makes matters worse than this.

    Up to three roots: healthy (just above l), tipping (unstable), stuck (L = l (r + 1),
    which exists iff that is above u). The excess l A(q(L)) - L is convex below u, so there
    are at most two roots there, one on each side of its minimum.
    Raises ValueError for a negative arrival rate or timeout, a service rate that is not above
    0, or retries that is not a whole number from 0 to 1000.
    Source: Bronson et al. (2021) for the phenomenon; the sojourn time of M/M/1 is exponential.

    >>> [round(rate, 2) for rate in retry_fixed_points(40, 100, 0.5, 3)]
    [40.0, 99.25, 160.0]
    >>> [round(rate, 2) for rate in retry_fixed_points(24, 100, 0.5, 3)]
    [24.0]
    """
    arrival_rate = number("arrival_rate", arrival_rate, at_least=0)
    service_rate = number("service_rate", service_rate, above=0)
    timeout_s = number("timeout_s", timeout_s, at_least=0)
    r = integer("retries", retries, at_most=MOST_RETRIES)
    stuck = arrival_rate * (r + 1)
    if arrival_rate >= service_rate:
        return [stuck]
    roots = [stuck] if stuck > service_rate else []

    def excess(offered):
        return _excess(offered, arrival_rate, service_rate, timeout_s, r)

    lowest = bisect(lambda x: excess(x)[1] >= 0, arrival_rate, service_rate)
    if excess(lowest)[0] <= 0:
        roots.append(bisect(lambda x: excess(x)[0] <= 0, arrival_rate, lowest))
        if stuck > service_rate and lowest > roots[-1]:
            roots.append(bisect(lambda x: excess(x)[0] >= 0, lowest, service_rate))
    return sorted(roots)


def closed_storm_rate(
    callers: int, timeout_s: float, retries: int, think_time_s: float = 0.0
) -> float:
    """Attempts per second of N callers, each with one request at a time, none answered in time.

    N (r + 1)/((r + 1) T + Z): all r + 1 attempts time out, then the caller pauses for Z. Above
    the service rate this state sustains itself; N/T bounds it, whatever the retries.
    Raises ValueError for counts that are not whole (callers at least 1), a timeout that is not
    above 0, or a negative pause.

    >>> closed_storm_rate(50, 1.0, 3), closed_storm_rate(50, 0.5, 1)
    (50.0, 100.0)
    >>> closed_storm_rate(50, 0.5, 3, think_time_s=0.5)
    80.0
    """
    attempts = integer("retries", retries) + 1
    timeout_s = number("timeout_s", timeout_s, above=0)
    think_time_s = number("think_time_s", think_time_s, at_least=0)
    return (
        integer("callers", callers, at_least=1) * attempts / (attempts * timeout_s + think_time_s)
    )


def drain_time_s(
    storm_s: float, storm_rate: float, service_rate: float, offered_rate: float
) -> float:
    """Time until the queue left by a storm of storm_s seconds is empty.

    The storm has put (L_storm - u) storm_s requests into the queue, which shrinks at u - L,
    where L is what is still sent: inf if that is u or more.
    Raises ValueError for a negative time or rate, or a service rate that is not above 0.

    >>> drain_time_s(280, 120, 100, 30), drain_time_s(280, 120, 100, 100)
    (80.0, inf)
    """
    storm_s = number("storm_s", storm_s, at_least=0)
    u = number("service_rate", service_rate, above=0)
    growth = max(number("storm_rate", storm_rate, at_least=0) - u, 0.0)
    shrinks = u - number("offered_rate", offered_rate, at_least=0)
    if growth * storm_s == 0:
        return 0.0
    return growth * storm_s / shrinks if shrinks > 0 else math.inf
