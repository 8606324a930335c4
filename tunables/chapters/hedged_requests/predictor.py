"""Chapter 8's closed forms: the faster of two, the slowest of many, and copies as load.

`predict_tied` hedges a read whose percentiles are known; `predict_fanout` waits for many leaves;
`predict_duplicates` lets the copies load the servers; `predict_headroom` is the card's.
"""

from tunables.base.arguments import choice, integer, number, refuse
from tunables.theory.duplicates import copy_fixed_points, late_share, least_delay, safe_budget
from tunables.theory.hedging import (
    MOST_LEAVES,
    any_slow,
    hedged_quantile,
    most_leaves_share,
    slowest_leaf_share,
)
from tunables.theory.latency_tails import tail_at, tail_points, time_at
from tunables.theory.retries import drain_time_s

PERCENTILES = ("p50", "p90", "p99", "p999")
SHARES = {"p50": 0.5, "p90": 0.1, "p99": 0.01, "p999": 0.001}
COPIES = ("once", "twice")
MOST_RATIO = 1e6  # of a leaf's percentiles: beyond it the tail's powers are too large for a double
# Normal quantiles of the percentiles that the fan-out names.
_Z = {"p50": 0.0, "p95": 1.6448536269514722, "p99": 2.3263478740408408, "p999": 3.0902323061678132}
_LEAF_SHARES = {"p50": 0.5, "p95": 0.05, "p99": 0.01, "p999": 0.001}


def predict_tied(
    *, p50_ms=19.0, p90_ratio=2.0, p99_ratio=67 / 38, p999_ratio=98 / 67, floor_ms=0.0,
    delay_ms=1.0, shared=0.0,
) -> dict:  # fmt: skip
    """Return the percentiles of a read that is sent to a second server after a delay.

    One copy has the median p50_ms, and each further percentile (90th, 99th, 99.9th) is its ratio
    times the one before. Between them, from the floor on, and beyond the last, its tail falls
    exponentially. shared = c: the share of the reads that take the same time at every server.

    - hedged_p50_ms, hedged_p90_ms, hedged_p99_ms, hedged_p999_ms: t with
      S(t) (c + (1 - c) S(t - d)) = 0.5, 0.1, 0.01, 0.001
    - copies_percent: 100 S(d), the reads that are sent twice

    Raises ValueError for a median that is not above the floor, a ratio that is not above 1, a
    negative delay, or shared outside [0, 1].

    >>> read = predict_tied(delay_ms=0)
    >>> round(read["hedged_p99_ms"], 1), round(read["hedged_p999_ms"], 1)
    (38.0, 52.5)
    """
    floor_ms = number("floor_ms", floor_ms, at_least=0)
    time = number("p50_ms", p50_ms, above=floor_ms)
    times = [time]
    for name, ratio in (
        ("p90_ratio", p90_ratio), ("p99_ratio", p99_ratio), ("p999_ratio", p999_ratio)
    ):  # fmt: skip
        time *= number(name, ratio, above=1)
        times.append(time)
    points = tail_points([(each, SHARES[name]) for name, each in zip(PERCENTILES, times)], floor_ms)
    delay_ms = number("delay_ms", delay_ms, at_least=0)
    number("shared", shared, at_least=0, at_most=1)

    def tail(time):
        return tail_at(points, time)

    def inverse(share):
        return time_at(points, share)

    found = {
        f"hedged_{name}_ms": hedged_quantile(tail, inverse, SHARES[name], delay_ms, shared)
        for name in PERCENTILES
    }
    found["copies_percent"] = 100 * tail(delay_ms)
    return found


def leaf_tail(leaf_p50_ms, leaf_p95_ratio, leaf_p99_ratio) -> list:
    """Return the points of a leaf's tail: its median, 95th and 99th percentile.

    Each ratio is that of a percentile to the one before.
    Raises ValueError unless it is above 1 and at most a million.

    >>> leaf_tail(1.0, 5.0, 2.0)
    [(0.0, 1.0), (1.0, 0.5), (5.0, 0.05), (10.0, 0.01)]
    """
    p50 = number("leaf_p50_ms", leaf_p50_ms, above=0)
    p95 = p50 * number("leaf_p95_ratio", leaf_p95_ratio, above=1, at_most=MOST_RATIO)
    p99 = p95 * number("leaf_p99_ratio", leaf_p99_ratio, above=1, at_most=MOST_RATIO)
    return tail_points([(p50, 0.5), (p95, 0.05), (p99, 0.01)])


def predict_fanout(
    *, leaves=100, slow_percent=1.0, leaf_p50_ms=1.0, leaf_p95_ratio=5.0, leaf_p99_ratio=2.0,
    copies="once", delay_ms=10.0, shared=0.0,
) -> dict:  # fmt: skip
    """Return the times of a request to n independent leaves, each asked once or twice.

    - slow_requests_percent: 100 (1 - (1 - p)^n), if each leaf is slow with probability p
    - all_p50_ms, all_p95_ms, all_p99_ms, all_p999_ms: all leaves have answered; the leaf exceeds
      that time with probability 1 - P^(1/n)
    - most_p50_ms, most_p95_ms, most_p99_ms: 95% of the leaves have answered
    - copies_percent: the leaf requests that are sent again, 100 S(d); 0 if asked once

    The leaf has the median leaf_p50_ms; its 95th percentile is a ratio times that, and its 99th a
    ratio times the 95th. Its tail falls exponentially up to the 95th percentile, and from there as
    the power of the time that the 99th gives. A leaf that is asked twice is hedged as in
    `predict_tied`.
    Raises ValueError for a ratio that is not above 1 and at most a million, an unknown word for
    copies, leaves that are not whole and from 1 to a million, or probabilities outside their range.

    >>> search = predict_fanout(leaves=100)
    >>> round(search["slow_requests_percent"], 1), round(search["most_p50_ms"], 3)
    (63.4, 5.0)
    >>> round(search["all_p50_ms"], 1), round(predict_fanout(copies="twice")["all_p50_ms"], 1)
    (11.7, 10.4)
    """
    n = integer("leaves", leaves, at_least=1, at_most=MOST_LEAVES)
    slow = number("slow_percent", slow_percent, at_least=0, at_most=100) / 100
    points = leaf_tail(leaf_p50_ms, leaf_p95_ratio, leaf_p99_ratio)
    power_from = points[2][0]
    twice = choice("copies", copies, COPIES) == "twice"
    d = number("delay_ms", delay_ms, at_least=0)
    c = number("shared", shared, at_least=0, at_most=1)

    def tail(time):
        return tail_at(points, time, power_from)

    def inverse(share):
        return time_at(points, share, power_from)

    def exceeded(share):
        return hedged_quantile(tail, inverse, share, d, c) if twice else inverse(share)

    found = {"slow_requests_percent": 100 * any_slow(n, slow)}
    for name, share in _LEAF_SHARES.items():
        found[f"all_{name}_ms"] = exceeded(slowest_leaf_share(share, n))
        if name != "p999":
            found[f"most_{name}_ms"] = exceeded(most_leaves_share(share, n, _Z[name]))
    found["copies_percent"] = 100 * tail(d) if twice else 0.0
    return found


def predict_duplicates(
    *, load_percent=60.0, service_ms=10.0, delay_ms=70.0, budget_percent=100.0, deadline_ms=100.0
) -> dict:
    """Return what second copies do to servers that serve every copy to its end.

    Many M/M/1 servers, each with this load if every request is sent once.

    - copies_percent: second copies per 100 requests, from rest: the lowest of
      `copy_fixed_points`; copies_after_percent: after an overload, the highest
    - late_percent, late_after_percent: requests answered after the deadline, in both states;
      late_once_percent: if no copy is ever sent
    - busy_percent: the load with the copies, from rest; above 100 the queues grow
    - least_delay_ms: the delay below which only the storm is left, `least_delay`
    - safe_budget_percent: copies that the servers can always handle, `safe_budget`

    Raises ValueError for a load outside (0, 100), times that are negative (service above 0) or a
    budget outside [0, 100].

    >>> quiet = predict_duplicates(delay_ms=70)
    >>> round(quiet["copies_percent"], 1), quiet["copies_after_percent"]
    (8.8, 100.0)
    >>> round(quiet["late_percent"], 2), round(quiet["late_once_percent"], 2)
    (1.1, 1.83)
    """
    load = number("load_percent", load_percent, above=0, below=100) / 100
    service = number("service_ms", service_ms, above=0)
    d = number("delay_ms", delay_ms, at_least=0) / service
    budget = number("budget_percent", budget_percent, at_least=0, at_most=100) / 100
    deadline = number("deadline_ms", deadline_ms, above=0) / service
    roots = copy_fixed_points(load, d, budget)
    return {
        "copies_percent": 100 * roots[0],
        "copies_after_percent": 100 * roots[-1],
        "late_percent": 100 * late_share(load, roots[0], d, deadline),
        "late_after_percent": 100 * late_share(load, roots[-1], d, deadline),
        "late_once_percent": 100 * late_share(load, 0.0, d, deadline),
        "busy_percent": 100 * load * (1 + roots[0]),
        "least_delay_ms": service * least_delay(load),
        "safe_budget_percent": 100 * safe_budget(load),
    }


STATES = ("calm", "hasty", "many", "shared", "full", "near", "storm")
FULL_PERCENT = 80.0  # load, above which nothing is sent twice
UNCANCELLED_PERCENT = 60.0  # load, up to which copies that nobody cancels save a twentieth or more
MOST_BUDGET_PERCENT = 5.0  # copies per 100 requests; the article's advice
SHARE_OF_SAFE = 0.5  # of the copies at which the servers are full
HOPELESS_PERCENT = 50.0  # if so many second copies are as slow as the first
ALARM = 1.5  # of the budget
BUSY_PERCENT = 85.0  # load with the copies, above which the servers have too little to spare
_VERDICTS = {
    "calm": "Below the knee: the servers can handle these copies, which help if cancelled "
    "copies leave the queue.",
    "hasty": "Below the knee, but the delay is too short, so too many copies are sent or due.",
    "many": "Below the knee, and the delay is long enough, but more copies are sent than the "
    "budget allows.",
    "shared": "Below the knee, but at least half of the second copies are as slow as the first.",
    "full": "Below the knee, but the servers are too busy for any second copy.",
    "near": "Below the knee, but the copies leave the servers too little spare capacity.",
    "storm": "Past the knee: the copies bring more work than the servers can do, and late answers "
    "trigger more copies.",
}


def _card_state(load, busy, copies, budget, both_slow, is_short):
    if busy >= 100:
        return "storm"
    if load > FULL_PERCENT:
        return "full"
    if busy > BUSY_PERCENT:
        return "near"
    if both_slow >= HOPELESS_PERCENT:
        return "shared"
    if copies <= ALARM * budget:
        return "calm"
    return "hasty" if is_short else "many"


def _above(name, value, below_ms, what):
    """Return value, or raise ValueError that says above which other number it must be."""
    value = number(name, value, above=0)
    if value <= below_ms:
        refuse(name, value, f"above {what}, {below_ms:g} ms")
    return value


def predict_headroom(
    *, load_percent, p50_ms, p95_ms, p99_ms, delay_ms, copies_percent=0.0, both_slow_percent=10.0
) -> dict:
    """Return what the operator's card shows of a client that asks twice.

    - "busy_percent": the load with the copies of now, load (1 + copies/100)
    - "state": "storm" (busy at 100% or more), else "full" (load above 80%), else "near" (busy
      above 85%), else "shared" (half of the second copies are as slow as the first), else "calm"
      (at most 1.5 times the budget in copies, now and by this delay), else "hasty" (the delay is
      shorter than the advised one), else "many"; "verdict": the same in a sentence
    - "safe_budget_percent": the knee, copies per 100 requests at which the servers are full,
      100 (100/load - 1) and at most 100; "budget_percent": half of it, at most 5
    - "expected_percent": requests that are due for a copy at this delay, by the percentiles, with
      an exponential tail between and beyond them
    - "advised_delay_ms": the delay at which the budget is due
    - "hedged_p99_ms": the 99th percentile at that delay, if both_slow_percent of the second
      copies are as slow as the first; "saved_percent": by how much less that is than
      "p99_once_ms", that of one copy
    - "alarm_percent": 1.5 times the budget, in copies per 100 requests; "spare_percent": copies
      that may be added, up to the budget; 0 in all states but "calm"
    - "drain_s": the time in which the queues of one minute of storm drain once second copies are
      off, 60 s (busy - 100)/(100 - load); 0 unless it is a storm

    Raises ValueError for percentiles that do not rise, a load outside (0, 100), a negative delay,
    or shares outside [0, 100].

    >>> times = {"p50_ms": 5, "p95_ms": 20, "p99_ms": 80}
    >>> card = predict_headroom(load_percent=60, delay_ms=20, **times)
    >>> card["state"], card["budget_percent"], round(card["hedged_p99_ms"], 1)
    ('calm', 5.0, 31.3)
    >>> rush = {"delay_ms": 5, "copies_percent": 30, "both_slow_percent": 20}
    >>> rushed = predict_headroom(load_percent=80, **times, **rush)
    >>> rushed["state"], round(rushed["drain_s"], 1)
    ('storm', 12.0)
    """
    load = number("load_percent", load_percent, above=0, below=100)
    p50 = number("p50_ms", p50_ms, above=0)
    p95 = _above("p95_ms", p95_ms, p50, "the median")
    p99 = _above("p99_ms", p99_ms, p95, "the 95th percentile")
    points = tail_points([(p50, 0.5), (p95, 0.05), (p99, 0.01)])
    delay = number("delay_ms", delay_ms, at_least=0)
    copies = number("copies_percent", copies_percent, at_least=0, at_most=100)
    both_slow = number("both_slow_percent", both_slow_percent, at_least=0, at_most=100)
    safe = 100 * safe_budget(load / 100)
    budget = min(MOST_BUDGET_PERCENT, SHARE_OF_SAFE * safe)
    expected = 100 * tail_at(points, delay)
    advised = time_at(points, budget / 100)
    hedged = hedged_quantile(
        lambda time: tail_at(points, time),
        lambda share: time_at(points, share),
        0.01,
        advised,
        both_slow / 100,
    )
    busy = load * (1 + copies / 100)
    most = max(copies, expected)
    state = _card_state(load, busy, most, budget, both_slow, delay < advised)
    return {
        "state": state,
        "verdict": _VERDICTS[state],
        "safe_budget_percent": safe,
        "budget_percent": budget,
        "expected_percent": expected,
        "advised_delay_ms": advised,
        "p99_once_ms": p99,
        "hedged_p99_ms": hedged,
        "saved_percent": 100 * (1 - hedged / p99),
        "busy_percent": busy,
        "alarm_percent": ALARM * budget,
        "spare_percent": max(budget - copies, 0.0) if state == "calm" else 0.0,
        "drain_s": drain_time_s(60.0, busy, 100.0, load),
    }
