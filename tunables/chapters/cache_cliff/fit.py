"""The fit of chapter 3 to a user's key trace, from the counts of it. The page runs it too.

The model: independent requests for keys with a cyclic scan among them, and LRU's misses.
"""

import math
from collections import namedtuple

from tunables.base.arguments import integer, numbers
from tunables.base.portable import plain_sum
from tunables.base.user_data.columns import HEADER_WORDS
from tunables.core.fit import (
    COUNTED,
    Fit,
    FittedModel,
    FittedParameter,
    HeldOut,
    elasticities,
    judge,
)
from tunables.page.formats import with_commas

MODEL = FittedModel(
    "cache_cliff",
    "Che's approximation: independent requests, with a cyclic scan of n keys among them",
    "a straight line, on which room for a tenth of the keys saves a tenth of the misses",
    0.05,
    "difference",
)
FEWEST_REQUESTS = 500
BRING, COLUMNS = "a key trace", "key, one request per line"
READS = "an nginx access log, or a PostgreSQL log that includes the SQL statements"
_SHARES = [(2 * tenth + 1) / 20 for tenth in range(10)]  # capacities, as shares of the keys


# A key belongs to a scan if it is requested at even intervals. With independent requests the
# coefficient of variation of eight intervals is near 1, and below 0.3 for about 1 key in 700.
# So if fewer than 1 key in 100 is even, there is no scan.
EVEN, FEWEST_INTERVALS, FEWEST_SHARE = 0.3, 8, 0.01
SAME_PERIOD = 0.2
_MOST_STEPS = 200

# The parameters of the model, learned from the first half of a trace. keys: how many are
# distinct; n: how many are scanned, each once in tau requests; g: the share of the requests that
# are for keys requested once, which never hit but take room; others: pairs (p, j) for the other
# keys, j of which are requested with probability p.
Traffic = namedtuple("Traffic", ["keys", "n", "tau", "g", "others"])


def _even_keys(often):
    """Return (count, mean gap) of the keys that are requested at even intervals."""
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


def learn_traffic(requests, counts, often) -> Traffic:
    """Return the Traffic of a part of a trace.

    requests: their number; counts: [[c, number of keys requested c times], ...]; often: for each
    key requested more than FEWEST_INTERVALS times, [count, sum of the gaps between its requests,
    sum of their squares].

    >>> learn_traffic(60, [[1, 3], [2, 1], [11, 5]], 5 * [[11, 55, 303]])
    Traffic(keys=9, n=5, tau=5.5, g=0.05, others=[(0.03333333333333333, 1)])
    """
    number = {int(count): keys for count, keys in counts}
    once = number.get(1, 0)
    even, scanned, period = _even_keys(often), [], math.inf
    if len(even) > FEWEST_SHARE * len(often):
        period = _median([mean for _, mean in even])
        scanned = [count for count, mean in even if abs(mean - period) < SAME_PERIOD * period]
    for count in scanned:
        number[int(count)] -= 1
    others = [(c / requests, keys) for c, keys in sorted(number.items()) if c > 1 and keys]
    return Traffic(
        plain_sum([keys for _, keys in counts]), len(scanned), period, once / requests, others
    )


def _distinct_keys(traffic, time):
    """Return how many distinct keys are requested in that time, and the derivative of that.

    Time is counted in requests.
    """
    scans = time < traffic.tau
    filled = traffic.n * (time / traffic.tau if scans else 1) + traffic.g * time
    slope = (traffic.n / traffic.tau if scans else 0) + traffic.g
    for p, keys in traffic.others:
        filled -= keys * math.expm1(-p * time)
        slope += keys * p * math.exp(-p * time)
    return filled, slope


def _time_to_fill(traffic, capacity):
    """Return how many requests fill a capacity, by Newton's method on a concave curve."""
    time = 0.0
    for _ in range(_MOST_STEPS):
        filled, slope = _distinct_keys(traffic, time)
        if capacity - filled <= 1e-13 * capacity or slope == 0:
            break
        time += (capacity - filled) / slope
    return time


def miss_ratio(traffic, capacity) -> float:
    """Return the model's miss ratio of LRU at a capacity, counted in keys.

    The keys requested within T requests fill the cache, with T from

        C = n min(T/tau, 1) + sum_j (1 - exp(-p_j T)) + g T

    A scanned key hits if T >= tau, key j hits with probability 1 - exp(-p_j T), and keys
    requested once (share g) never hit. Without a scan and with g = 0 this is `che_approximation`.
    The scan starts to hit at T = tau, where C is `cliff_capacity`.
    """
    number = traffic.n + plain_sum([keys for _, keys in traffic.others])
    if traffic.g == 0 and capacity >= number * (1 - 1e-9):
        return 0.0
    time = _time_to_fill(traffic, capacity)
    scan_misses = traffic.n / traffic.tau if time < traffic.tau * (1 - 1e-9) else 0.0
    others = plain_sum([keys * p * math.exp(-p * time) for p, keys in traffic.others])
    return scan_misses + others + traffic.g


def cliff(traffic) -> float:
    """Return the capacity at which the scan starts to hit: the keys requested in one period.

    This is `cliff_capacity` plus the keys requested once: n + sum_j (1 - exp(-p_j tau)) + g tau.
    """
    return _distinct_keys(traffic, traffic.tau)[0]


def wanted() -> dict:
    """Return what the page needs to know to read a trace."""
    return {"kind": "keys", "words": sorted(HEADER_WORDS), "fewest": FEWEST_REQUESTS}


def capacities(keys, shares=None) -> list:
    """Return the capacities of the held-out miss ratios: 5%, 15%, ..., 95% of the keys.

    shares: others than these, as shares of the keys.
    Raises ValueError if keys is not an integer of at least 1, or a share is not from 0 to 1.

    >>> capacities(6), capacities(100)[:3]
    ([1, 2, 3, 4, 5, 6], [5, 15, 25])
    >>> capacities(100, shares=[0.5, 1.0])
    [50, 100]
    """
    keys = integer("keys", keys, at_least=1)
    wanted = _SHARES if shares is None else numbers("shares", shares, at_least=0, at_most=1)
    return sorted({max(1, round(share * keys)) for share in wanted})


def _traffic(counted):
    return learn_traffic(counted["requests"], counted["counts"], counted["often"])


def curve(counted, at) -> list:
    """Return the model's miss ratios at these capacities."""
    traffic = _traffic(counted)
    return [miss_ratio(traffic, capacity) for capacity in at]


def solve(counted) -> dict:
    """Return the numbers of the fit, from which `report` makes its sentences.

    counted: "requests", "counts" and "often" of the first half, as `learn_traffic` takes them;
    "measured", [[capacity, miss ratio], ...] of the second half, "enough", [capacity, miss ratio
    with it, least miss ratio] of the second half, and "new", the share of its requests that are for
    keys not in the first half.
    """
    traffic = _traffic(counted)
    middle = max(1, traffic.keys // 2)

    def at_the_middle(C, n, g):
        tau = traffic.tau * n / traffic.n if traffic.n else math.inf
        return miss_ratio(Traffic(traffic.keys, n, tau, g, traffic.others), C)

    found = elasticities(at_the_middle, [("C", middle), ("n", traffic.n), ("g", traffic.g)])
    return {
        "keys": traffic.keys,
        "n": traffic.n,
        "g": traffic.g,
        "tau": traffic.tau if traffic.n else 0,
        "cliff": cliff(traffic) if traffic.n else 0,
        "new": counted["new"],
        "enough": counted["enough"],
        "sensitivity": [[name, elasticity] for name, elasticity in found],
        "rows": [[c, misses, miss_ratio(traffic, c)] for c, misses in counted["measured"]],
    }


def _reason(new, once):
    if new > once + 0.1:
        return (
            f"{100 * new:.0f}% of the later requests are for keys that don't occur in the first "
            "half. The popular keys change, so past popularity does not predict later requests."
        )
    return (
        "The later requests are for the same keys as those in the first half, but independent "
        "requests would not come in this order. So look for scans in another order, or for bursts "
        "of requests for the same key."
    )


def _answer(room, there, least):
    """Return how large a cache is enough, from the misses of the second half."""
    hits, best = f"{100 * (1 - there):.1f}%", f"{100 * (1 - least):.1f}%"
    if not room:
        return f"In the second half of your requests, at most {best} hit, however large the cache."
    return (
        f"In the second half of your requests, a cache with room for {with_commas(room)} keys is "
        f"enough: {hits} of those requests hit, and with a larger cache, at most {best} would."
    )


def report(result) -> Fit:
    """Return the Fit with the numbers that `solve` returned."""
    keys, g = result["keys"], result["g"]
    rows = [
        HeldOut(
            f"miss ratio with room for {with_commas(capacity)} keys",
            "",
            measured,
            predicted,
            1 - (1 - g) * capacity / keys,
        )
        for capacity, measured, predicted in result["rows"]
    ]
    parameters = [
        FittedParameter(
            "keys", "number of distinct keys in the first half of the requests", keys, "", COUNTED
        ),
        FittedParameter("n", "number of keys that are scanned", result["n"], "", COUNTED),
        FittedParameter("g", "share of requests whose key is requested only once", g, "", COUNTED),
    ]
    notes = []
    if result["n"]:
        period = FittedParameter("tau", "period of the scan", result["tau"], "requests", COUNTED)
        parameters.append(period)
        notes.append(
            "The scan's requests start to hit when the cache has room for "
            f"{with_commas(result['cliff'])} keys: that is the cliff."
        )
    middle = f"miss ratio with room for C = {with_commas(max(1, keys // 2))} keys"
    sensitivity = result["sensitivity"]
    reason = _reason(result["new"], g)
    held = "miss ratios of the second half, which was held out,"
    fit = judge(MODEL, parameters, rows, reason, middle, sensitivity, notes, held=held)
    if "enough" in result:  # a link made before November 2026 has none
        fit.verdict += " " + _answer(*result["enough"])
    return fit
