"""Requests for keys: independent ones with a cyclic scan among them, and what LRU misses."""

import math
from collections import namedtuple

from tunables.plain.adding import added

# A key is scanned if it comes at even intervals: for independent requests the coefficient of
# variation of eight intervals is near 1, and below 0.3 for some 1 key in 700. Fewer than 1 in
# 100 are therefore no scan.
EVEN, FEWEST_INTERVALS, FEWEST_SHARE = 0.3, 8, 0.01
SAME_PERIOD = 0.2
_MOST_STEPS = 200

# What the first half of a trace shows, the parameters of the model. keys: distinct; n of them
# are scanned and come round every tau requests; g: share of requests for keys asked for once,
# which hit nothing and take room; others: (p, j), a probability in a request and how many of the
# other keys have it.
Traffic = namedtuple("Traffic", ["keys", "n", "tau", "g", "others"])


def _even(often):
    """Return (count, mean gap) of the keys that come at even intervals."""
    even = []
    for count, gaps, squares in often:
        mean = gaps / (count - 1)
        variance = max(squares / (count - 1) - mean * mean, 0)
        if math.sqrt(variance) < EVEN * max(mean, 1):
            even.append((count, mean))
    return even


def _median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return (ordered[middle] + ordered[-1 - middle]) / 2


def learned(requests, counts, often) -> Traffic:
    """Return the Traffic of a stretch of a trace.

    requests: how many; counts: [[c, keys asked for c times], ...]; often: [count, sum of the
    gaps between its requests, sum of their squares] of each key asked for more than
    FEWEST_INTERVALS times.

    >>> learned(60, [[1, 3], [2, 1], [11, 5]], 5 * [[11, 55, 303]])
    Traffic(keys=9, n=5, tau=5.5, g=0.05, others=[(0.03333333333333333, 1)])
    """
    number = {int(count): keys for count, keys in counts}
    once = number.get(1, 0)
    even, scanned, period = _even(often), [], math.inf
    if len(even) > FEWEST_SHARE * len(often):
        period = _median([mean for _, mean in even])
        scanned = [count for count, mean in even if abs(mean - period) < SAME_PERIOD * period]
    for count in scanned:
        number[int(count)] -= 1
    others = [(c / requests, keys) for c, keys in sorted(number.items()) if c > 1 and keys]
    return Traffic(
        added([keys for _, keys in counts]), len(scanned), period, once / requests, others
    )


def _filled(traffic, time):
    """Return how many distinct keys so many requests ask for, and how many more the next one."""
    scans = time < traffic.tau
    filled = traffic.n * (time / traffic.tau if scans else 1) + traffic.g * time
    slope = (traffic.n / traffic.tau if scans else 0) + traffic.g
    for p, keys in traffic.others:
        filled -= keys * math.expm1(-p * time)
        slope += keys * p * math.exp(-p * time)
    return filled, slope


def _time(traffic, capacity):
    """Return the requests that fill a capacity: concave, so Newton climbs from the left."""
    time = 0.0
    for _ in range(_MOST_STEPS):
        filled, slope = _filled(traffic, time)
        if capacity - filled <= 1e-13 * capacity or slope == 0:
            break
        time += (capacity - filled) / slope
    return time


def miss_ratio(traffic, capacity) -> float:
    """Return LRU's miss ratio at a capacity, in keys, by the model.

    The keys asked for within T requests fill the cache: with T from

        C = n min(T/tau, 1) + sum_j (1 - exp(-p_j T)) + g T

    a scanned key hits if T >= tau, key j with probability 1 - exp(-p_j T), one-timers (share
    g) never. With no scan and g = 0 that is `che_approximation`; the scan starts to hit at
    T = tau, where C is `cliff_capacity`.
    """
    number = traffic.n + added([keys for _, keys in traffic.others])
    if traffic.g == 0 and capacity >= number * (1 - 1e-9):
        return 0.0
    time = _time(traffic, capacity)
    scan_misses = traffic.n / traffic.tau if time < traffic.tau * (1 - 1e-9) else 0.0
    others = added([keys * p * math.exp(-p * time) for p, keys in traffic.others])
    return scan_misses + others + traffic.g


def cliff(traffic) -> float:
    """Return the capacity at which the scan starts to hit: what is filled in one period.

    `cliff_capacity`, with the one-timers added: n + sum_j (1 - exp(-p_j tau)) + g tau.
    """
    return _filled(traffic, traffic.tau)[0]
