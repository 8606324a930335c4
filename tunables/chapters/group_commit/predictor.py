"""Chapter 1's closed forms: the batches of the tuning table, and the operator's card.

`predict` gives the throughput and response time of the batches under each hypothesis;
`predict_headroom` what a delay before a flush costs, and the shortest that is needed.
"""

import math

from tunables.base.arguments import choice, integer, number
from tunables.theory.group_commit import (
    adaptive_flush_wait,
    closed_group_commit,
    poisson_group_commit,
)
from tunables.theory.queueing import interactive_throughput

# The flushes that a batch waits for, and what decides how long it waits for each.
_EXPLANATIONS = (
    ("one cap", 1, "cap"),
    ("two caps", 2, "cap"),
    ("thread pool", 0, "cap"),
    ("commit stage", 1, "cap"),
    ("ideal adaptive flusher", 2, "adaptive"),
    ("adaptive flusher with a stuck transaction", 2, "stuck"),
)
HYPOTHESES = tuple(name for name, _, _ in _EXPLANATIONS)


def _cohort_wait(clients, spread_s, leader_wait_s):
    """Return the mean wait of clients who reach the flusher at exponentially spread times.

    The first client waits w, and its flush includes those that arrive meanwhile: a share
    1 - exp(-w/s) of the others, whose waits average w - s (1 - exp(-w/s)) over all others. One of
    the rest leads the next flush.
    """
    if spread_s == 0:  # all arrive at once and wait as long as the leader
        return leader_wait_s
    late = math.exp(-leader_wait_s / spread_s)
    left, total = clients, 0.0
    while left > 0.5:
        others = max(left - 1, 0)
        total += min(left, 1) * leader_wait_s + others * (leader_wait_s - spread_s * (1 - late))
        left = others * late
    return total / clients


def _flush_waits(kind, flushes, max_delay_s, clients, base_s, think_s):
    """Return the mean time that a batch waits for all its flushes."""
    if kind == "cap":
        return flushes * max_delay_s
    total = 0.0
    for flush in range(flushes):
        work_s = base_s / flushes
        # Clients released together spread out by their work, and by thinking before a batch.
        spread_s = math.sqrt(work_s**2 + think_s**2) if flush == 0 else work_s
        rate = 1 / max(spread_s, 1e-9)
        wait_s = adaptive_flush_wait(
            clients - 1, rate, max_delay_s, long_transactions=1 if kind == "stuck" else 0
        )
        total += _cohort_wait(clients, spread_s, wait_s)
    return total


def predict(
    *,
    hypothesis="two caps",
    max_delay_s=2.0,
    timeout_s=1.0,
    retries=3,
    clients=50,
    base_s=0.076,
    think_s=0.0,
    pool_threads=25,
    commit_threads=13,
) -> dict:
    """Return throughput and response time of batches whose lease query times out every time.

    R = (r + 1) T + b + flushes, and X = N / (R + Z), where `hypothesis` says what a batch pays
    for its flushes and where it queues:

    - "one cap", "two caps": D or 2 D
    - "thread pool": nothing, but each batch holds one of pool_threads all the time, so that
      R >= N ((r + 1) T + b) / threads - Z
    - "commit stage": D, and after the lease query one of commit_threads is held for D + b, so
      that R >= N (D + b) / threads - Z
    - "ideal adaptive flusher": two flushes, each when all other batches have arrived, at most
      D after the first; the clients stay in step, and their spread (b / 2, at first also Z) is
      taken as exponential
    - "adaptive flusher with a stuck transaction": the same, but one batch never arrives

    D = max_delay_s, T = timeout_s, r = retries, N = clients, b = base_s, Z = think_s.
    Raises ValueError for an unknown hypothesis, counts that are not whole (clients and threads
    at least 1), or negative times.

    >>> {name: round(value, 3) for name, value in predict(base_s=0.076).items()}
    {'throughput_per_s': 6.191, 'response_s': 8.076}
    """
    place = HYPOTHESES.index(choice("hypothesis", hypothesis, HYPOTHESES))
    _, flushes, kind = _EXPLANATIONS[place]
    d = number("max_delay_s", max_delay_s, at_least=0)
    lease_s = (integer("retries", retries) + 1) * number("timeout_s", timeout_s, at_least=0)
    n = integer("clients", clients, at_least=1)
    b = number("base_s", base_s, at_least=0)
    z = number("think_s", think_s, at_least=0)
    pool_threads = integer("pool_threads", pool_threads, at_least=1)
    commit_threads = integer("commit_threads", commit_threads, at_least=1)
    response_s = lease_s + b + _flush_waits(kind, flushes, d, n, b, z)
    if hypothesis == "thread pool":
        response_s = max(response_s, n * (lease_s + b) / pool_threads - z)
    if hypothesis == "commit stage":
        response_s = max(response_s, n * (d + b) / commit_threads - z)
    throughput = interactive_throughput(n, response_s, z)
    return {"throughput_per_s": throughput, "response_s": response_s}


def calibrated_base(response_s, **settings) -> float:
    """Return the base b (s) at which `predict` gives this response time at these settings.

    settings: those of `predict` except base_s. The response rises with b, so b is found by
    bisection.
    Raises ValueError if even b = 0 gives more than response_s, or for settings that `predict`
    refuses.

    >>> round(calibrated_base(4.126, hypothesis="two caps", max_delay_s=0.025), 6)
    0.076
    """
    high = response_s = number("response_s", response_s, above=0)
    least = predict(base_s=0.0, **settings)["response_s"]
    number("response_s", response_s, at_least=least)
    low = 0.0
    for _ in range(60):
        middle = (low + high) / 2
        if predict(base_s=middle, **settings)["response_s"] < response_s:
            low = middle
        else:
            high = middle
    return high


STATES = ("over", "long", "spare", "worth", "fits", "short", "costly", "alone", "mismatch")
_NONE = "–"
_NEAR = 0.01  # relative: numbers typed with three digits count as those that the card shows
_VERDICTS = {
    "over": "Past the knee: the delay is longer than a flush, and longer than you need.",
    "long": "Past the knee: the device needs a delay that is longer than a flush, but this one is "
    "longer still.",
    "spare": "Below the knee, but the delay is longer than you need.",
    "worth": "Below the knee: the delay is longer than the device needs, but if you "
    "shorten it, your clients can't make as many commits per second as they do now.",
    "fits": "Below the knee: this is the shortest delay that keeps flushes within the share of "
    "device time that you allow.",
    "short": "Below the knee, but at this delay flushes may take a larger share of device time "
    "than you allow.",
    "costly": "At this delay, flushes may take a larger share of device time than you allow. A "
    "delay long enough to prevent that is longer than a flush, so clients that wait for their "
    "commits would make fewer commits than without a delay.",
    "alone": "Past the knee: a single client has nobody to share a flush with.",
    "fits, longer than a flush": "This is the shortest delay that keeps flushes within the "
    "share of device time that you allow. It is longer than a flush, so clients that wait for "
    "their commits make fewer commits than without a delay.",
    "fits, one client": "Below the knee: a single client has nobody to share a flush with, so any "
    "delay would only make it slower.",
    "mismatch": "These numbers contradict each other: at this delay, clients that each have one "
    "commit in flight can't make as many commits per second as you entered.",
}


def _most_per_s(rate, clients, flush, delay):
    """Return the most commits per second that the clients can make at any other delay.

    A commit takes at most D + 2F and at least F. So a client that makes l/N commits per second
    spends at least N/l - D - 2F between two of them, and can make at most one commit in that
    time plus F.
    """
    return max(rate, clients / (max(0.0, clients / rate - delay - 2 * flush) + flush))


def _state(rate, clients, flush, delay, best):
    if rate > closed_group_commit(clients, flush, delay) * (1 + _NEAR):
        return "mismatch"
    if abs(delay - best) <= _NEAR * best:
        return "fits"
    if clients == 1:
        return "alone"
    is_long = best > flush * (1 + _NEAR)
    if delay < best:
        return "costly" if is_long else "short"
    if rate > closed_group_commit(clients, flush, best) * (1 + _NEAR):
        return "worth"
    if delay <= flush:
        return "spare"
    return "long" if is_long else "over"


def _verdict(state, clients, flush, best):
    """Return the state in a sentence."""
    if state == "fits" and clients == 1:
        return _VERDICTS["fits, one client"]
    if state == "fits" and best > flush * (1 + _NEAR):
        return _VERDICTS["fits, longer than a flush"]
    return _VERDICTS[state]


def predict_headroom(
    *,
    commits_per_s,
    clients,
    flush_ms,
    delay_ms,
    delays_paid,
    busy_limit_percent,
    transaction_s=10.0,
) -> dict:
    """Return what the operator's card shows: latency, device share, throughput, and the state.

    Latency, share and throughput are given at the present delay, at 0 and at the best delay: the
    shortest that leaves the device as free as asked. Each client has at most one commit under way.

    - "most_per_s": most commits per second at the best delay, by Little's law: N / (z + F) with
      z = max(0, N / commits_per_s - D - 2F); commits_per_s if the delay is and stays 0; never more
      than "closed_best_per_s", if that is above the rate now
    - "best_delay_ms": shortest delay at which flushes take at most u = busy_limit_percent of the
      device, however the commits arrive: 0 if a flush for each commit takes no more, or if
      there is one client; else F (1/u - 1), since there is at most one flush in D + F
    - "latency_..._ms", "busy_..._percent", "group_now": `poisson_group_commit` at delay_ms
      ("now"), at 0 ("zero") and at the best, for commits_per_s at random; a group is never
      larger than the number of clients
    - "latency_most_ms", "busy_most_percent": bounds at the best delay, however the commits
      arrive: D + 2F, and the lesser of most_per_s F and F / (D + F)
    - "cost_ms": delays_paid maximum delays, what a request pays if the flusher waits in vain
    - "closed_now_per_s", "closed_zero_per_s", "closed_best_per_s": throughput of clients that
      commit again at once; "knee_ms" is the delay at which the first two are equal, the flush time
    - "half_flush_ms": PostgreSQL's rule for its commit_delay
    - "ceiling_ms": the flush time, or the best delay if that is longer; 0 for one client
    - "latency_alarm_ms": twice the longest time that a commit takes at the best delay;
      "flush_alarm_ms": twice the flush time; "age_alarm_s": twice
      transaction_s, the age that one transaction in a thousand reaches
    - "state": "over" and "spare" (D above the best; longer than a flush, or not), "long" (the best
      is longer than a flush, and D is above it), "worth" (D above the best, with which the clients
      could not make commits_per_s), "fits",
      "short" and "costly" (D below the best, which is at most a flush, or longer), "alone" (one
      client and a delay), "mismatch" (1% more commits per second
      than "closed_now_per_s"; what needs a delay that is known to be right is "–" then)
    - "verdict": the state in a sentence

    Raises ValueError as the closed forms do, for a commit rate or a time that is not above 0, or
    for a share outside (0, 100].

    >>> card = {"clients": 16, "flush_ms": 5, "delays_paid": 2, "busy_limit_percent": 50}
    >>> late = predict_headroom(commits_per_s=100, delay_ms=25, **card)
    >>> late["cost_ms"], round(late["closed_now_per_s"]), round(late["closed_zero_per_s"])
    (50.0, 533, 1600)
    >>> late["state"], round(late["most_per_s"]), late["best_delay_ms"]
    ('over', 123, 5.0)
    """
    rate = number("commits_per_s", commits_per_s, above=0)
    clients = integer("clients", clients, at_least=1)
    flush_s = number("flush_ms", flush_ms, above=0) / 1000
    delay_s = number("delay_ms", delay_ms, at_least=0) / 1000
    paid = number("delays_paid", delays_paid, at_least=0)
    limit = number("busy_limit_percent", busy_limit_percent, above=0, at_most=100) / 100
    age_s = number("transaction_s", transaction_s, above=0)
    most_per_s = _most_per_s(rate, clients, flush_s, delay_s)
    without_per_s = most_per_s if delay_s > 0 else rate  # no delay holds the rate down now
    needs_none = clients == 1 or without_per_s * flush_s <= limit
    best_s = 0.0 if needs_none else flush_s * (1 / limit - 1)
    if best_s == 0:
        most_per_s = without_per_s
    most_per_s = min(most_per_s, max(rate, closed_group_commit(clients, flush_s, best_s)))
    state = _state(rate, clients, flush_s, delay_s, best_s)
    outputs = {
        "state": state,
        "verdict": _verdict(state, clients, flush_s, best_s),
        "best_delay_ms": 1000 * best_s,
        "knee_ms": 1000 * flush_s,
        "half_flush_ms": 500 * flush_s,
        "ceiling_ms": 1000 * max(flush_s, best_s) if clients > 1 else 0.0,
        "cost_ms": 1000 * paid * delay_s,
        "most_per_s": most_per_s,
        "latency_most_ms": 1000 * (best_s + 2 * flush_s),
        "busy_most_percent": 100 * min(most_per_s * flush_s, flush_s / (best_s + flush_s)),
        "latency_alarm_ms": 2000 * (best_s + 2 * flush_s),
        "flush_alarm_ms": 2000 * flush_s,
        "age_alarm_s": 2 * age_s,
    }
    for name, delay in (("now", delay_s), ("zero", 0.0), ("best", best_s)):
        size, flushes_per_s, latency_s = poisson_group_commit(rate, flush_s, delay)
        outputs[f"latency_{name}_ms"] = 1000 * latency_s
        outputs[f"busy_{name}_percent"] = 100 * flushes_per_s * flush_s
        outputs[f"group_{name}"] = min(size, float(clients))
        outputs[f"closed_{name}_per_s"] = closed_group_commit(clients, flush_s, delay)
    if state == "mismatch":
        outputs |= dict.fromkeys(("best_delay_ms", "latency_best_ms", "ceiling_ms"), _NONE)
    return outputs
