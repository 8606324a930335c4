"""Group commit: many transactions share one flush, and a leader may wait for others."""

import math

from tunables.base.arguments import integer, number
from tunables.base.portable import plain_sum

_MOST_ACTIVE = 1_000_000


def poisson_group_commit(
    arrival_rate: float, flush_time_s: float, max_delay_s: float
) -> tuple[float, float, float]:
    """Group size, flushes per second and mean latency when commits arrive at random.

    A leader waits for D, then the group flushes for F; arrivals during the flush form the next
    group, whose leader waits for D from the end of the flush. With p0 = exp(-l F):

    - group size n = l (D + F) + p0
    - flush rate = l / n
    - mean latency W = [l F (3F/2 + D) + p0 (D + F) + l D (D/2 + F)] / n

    l = arrival_rate in commits per second. W goes to D + F for rare commits and to
    (D + F)/2 + F for dense ones.
    Raises ValueError for a rate or a time that is negative or not finite.
    Source: one cycle of the renewal process; the policy is PostgreSQL's commit_delay.

    >>> group_size, flush_rate, latency_s = poisson_group_commit(100, 0.010, 0.0)
    >>> round(group_size, 6), round(flush_rate, 4), round(latency_s, 6)
    (1.367879, 73.1059, 0.013655)
    """
    rate = number("arrival_rate", arrival_rate, at_least=0)
    f = number("flush_time_s", flush_time_s, at_least=0)
    d = number("max_delay_s", max_delay_s, at_least=0)
    alone = math.exp(-rate * f)  # no arrival during the flush: the next leader comes later
    group_size = rate * (d + f) + alone
    total_latency = rate * f * (1.5 * f + d) + alone * (d + f) + rate * d * (d / 2 + f)
    return group_size, rate / group_size, total_latency / group_size


def delay_for_flush_share(arrival_rate: float, flush_time_s: float, share: float) -> float:
    """Shortest delay D at which flushes keep the device busy for at most this share of the time.

    With n = l (D + F) + exp(-l F) commits per flush (see `poisson_group_commit`) the share is
    l F / n, so D = (l F / u - exp(-l F)) / l - F, or 0 where that is below 0. No commits need
    no delay.
    Raises ValueError for a rate or a time that is negative or not finite, or a share that is
    not in (0, 1].

    >>> delay_s = delay_for_flush_share(1000, 0.005, 0.5)
    >>> round(delay_s, 6), round(0.005 * poisson_group_commit(1000, 0.005, delay_s)[1], 6)
    (0.004993, 0.5)
    """
    rate = number("arrival_rate", arrival_rate, at_least=0)
    f = number("flush_time_s", flush_time_s, at_least=0)
    u = number("share", share, above=0, at_most=1)
    if rate == 0:
        return 0.0
    return max(0.0, (rate * f / u - math.exp(-rate * f)) / rate - f)


def closed_group_commit(
    customers: int, flush_time_s: float, max_delay_s: float, think_time_s: float = 0.0
) -> float:
    """Commits per second of N customers that commit again after the same think time z.

    X = N / (z + D + F) for D > 0: the customers of a flush are back before the delay is over, so
    all N share each flush. Without a delay the first one back starts a flush alone, and the N
    split into two cohorts that take turns: X = N / (2F). A delay therefore helps only below F - z,
    and by less than 2. A single customer shares with no other: X = 1 / (z + D + F).
    Raises ValueError for fewer than one customer, a negative delay or think time, a flush time
    that is not above 0, or a think time longer than the delay (without one: than the flush):
    customers then miss each other's flush, and the formula does not hold.

    >>> [round(closed_group_commit(16, 0.005, d)) for d in (0.0, 0.001, 0.005, 0.025)]
    [1600, 2667, 1600, 533]
    >>> round(closed_group_commit(16, 0.005, 0.001, think_time_s=0.0005))
    2462
    """
    n = integer("customers", customers, at_least=1)
    f = number("flush_time_s", flush_time_s, above=0)
    d = number("max_delay_s", max_delay_s, at_least=0)
    z = number("think_time_s", think_time_s, at_least=0)
    if n == 1:
        return 1 / (z + d + f)
    number("think_time_s", z, at_most=d or f)
    return n / (z + d + f) if d > 0 else n / (2 * f)


def adaptive_flush_wait(
    active: int,
    completion_rate: float,
    max_delay_s: float,
    abort_probability: float = 0.0,
    long_transactions: int = 0,
) -> float:
    """Mean wait, in seconds, of a flusher that waits for m active transactions, at most D.

    q int_0^D [1 - (1 - exp(-u t))^m] dt + (1 - q) D = q H / u + (1 - q) D,
    with H = sum_(k=1..m) (1 - exp(-u D))^k / k and q = (1 - p)^m.

    m = active transactions reach the flusher at rate u = completion_rate each; one of them
    aborts with probability p and is then waited for in vain. Any transaction longer than D
    makes the wait D.
    Raises ValueError for counts that are not whole, more than a million active, a rate that is
    not above 0, a negative delay, or a probability outside [0, 1].
    Source: the maximum of m exponential times, cut at D.

    >>> [round(adaptive_flush_wait(49, 20, 2.0, p), 3) for p in (0, 0.01, 0.05)]
    [0.224, 0.915, 1.856]
    >>> round(adaptive_flush_wait(49, 20, 2.0, abort_probability=0.01, long_transactions=1), 3)
    2.0
    """
    m = integer("active", active, at_most=_MOST_ACTIVE)
    rate = number("completion_rate", completion_rate, above=0)
    d = number("max_delay_s", max_delay_s, at_least=0)
    p = number("abort_probability", abort_probability, at_least=0, at_most=1)
    if integer("long_transactions", long_transactions) > 0:
        return d
    all_commit = (1 - p) ** m
    arrived = 1 - math.exp(-rate * d)
    wait = plain_sum(arrived**k / k for k in range(1, m + 1)) / rate
    return all_commit * wait + (1 - all_commit) * d
