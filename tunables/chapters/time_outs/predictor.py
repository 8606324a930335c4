"""Chapter 2's closed forms: a query with retries, a server whose clients retry, and the card.

`predict_lease` gives the cost of a request with timeouts, retries and pauses, and of the threads
that it holds; `predict_storm` the load at which a server settles, from rest and after an overload;
`predict_headroom` the largest load that recovers from any overload.
"""

import math

from tunables.base.arguments import integer, number
from tunables.base.portable import round_up
from tunables.theory.deadlines import deadline_safe_load
from tunables.theory.queueing import interactive_throughput
from tunables.theory.retries import (
    MOST_RETRIES,
    backoff_total,
    drain_time_s,
    retry_fixed_points,
    retry_quantile,
    retry_statistics,
)
from tunables.theory.waiting_callers import safe_callers


def _pauses(failures, base_s, cap_s):
    """Return the mean total of the pauses after the first failures, with full jitter."""
    return backoff_total(0.0, failures, base_s, cap_s)


def predict_lease(
    *,
    failure_probability=1.0,
    timeout_s=1.0,
    retries=3,
    reply_s=0.05,
    backoff_base_s=0.0,
    backoff_cap_s=0.0,
    threads=50,
    clients=50,
    think_s=0.0,
) -> dict:
    """Return what a lease query costs its caller, and what callers get from a pool of threads.

    - attempts, all_fail_probability: as in `retry_statistics`
    - latency_s: mean time of one query; pauses (full jitter) are taken with the probability
      that the retry after them takes place
    - latency_p99_s: 99 of 100 queries take no longer, pauses at their means
    - longest_s: mean time if every attempt fails
    - throughput_per_s, response_s: N clients think Z and share c threads that are held for one
      query L each: X = min(N / (L + Z), c / L), R = N / X - Z

    Raises ValueError for a probability outside [0, 1], negative times, a reply above the
    timeout, counts that are not integers (clients and threads at least 1), or L = 0.

    >>> black_hole = predict_lease(timeout_s=0.5, retries=1, threads=25)
    >>> black_hole["latency_s"], black_hole["throughput_per_s"], black_hole["response_s"]
    (1.0, 25.0, 2.0)
    """
    p = number("failure_probability", failure_probability, at_least=0, at_most=1)
    timeout_s = number("timeout_s", timeout_s, at_least=0)
    r = integer("retries", retries)
    reply_s = number("mean_reply_s", reply_s, at_least=0, at_most=timeout_s)
    think_s = number("think_time_s", think_s, at_least=0)
    attempts, all_fail, latency_s = retry_statistics(p, timeout_s, r, reply_s)
    longest_s = backoff_total(timeout_s, r, backoff_base_s, backoff_cap_s)
    p99_s = retry_quantile(0.99, p, timeout_s, r, reply_s)
    failures = min(round((p99_s - reply_s) / timeout_s), r) if timeout_s > 0 else r
    p99_s += _pauses(failures, backoff_base_s, backoff_cap_s)
    for k in range(1, r + 1):
        pause_s = _pauses(k, backoff_base_s, backoff_cap_s) - _pauses(
            k - 1, backoff_base_s, backoff_cap_s
        )
        latency_s += p**k * pause_s
    number("latency_s", latency_s, above=0)
    c = integer("threads", threads, at_least=1)
    n = integer("clients", clients, at_least=1)
    throughput = min(interactive_throughput(n, latency_s, think_s), c / latency_s)
    return {
        "attempts": attempts,
        "all_fail_probability": all_fail,
        "latency_s": latency_s,
        "latency_p99_s": p99_s,
        "longest_s": longest_s,
        "throughput_per_s": throughput,
        "response_s": n / throughput - think_s,
    }


def _goodput(offered, arrival_rate, service_rate, timeout_s, retries):
    """Return the requests per second that get a reply in time to one of their r + 1 attempts."""
    late = math.exp(-max(service_rate - offered, 0) * timeout_s)
    return arrival_rate * (1 - late ** (retries + 1))


def predict_storm(
    *, arrival_rate_per_s=40.0, service_rate_per_s=100.0, timeout_s=0.5, retries=3
) -> dict:
    """Return the loads at which an M/M/1 server whose clients retry settles.

    - offered_per_s, goodput_per_s: attempts and answered requests per second from rest: the
      lowest of `retry_fixed_points`
    - offered_after_overload_per_s, goodput_after_overload_per_s: the same at the highest
    - tipping_per_s: the offered load above which a short queue grows without end: the middle root,
      or the highest if there is no middle one and nothing tips. A long queue sustains an overload
      at lower loads too, since it drains only at u - L
    - safe_arrivals_per_s: u / (r + 1), the largest arrival rate that recovers from any overload
    - longest_s: (r + 1) T, after which a request whose attempts all fail is given up

    Raises ValueError as `retry_fixed_points` does.

    >>> storm = predict_storm(arrival_rate_per_s=30.0)
    >>> round(storm["offered_per_s"]), round(storm["offered_after_overload_per_s"])
    (30, 120)
    >>> round(storm["goodput_per_s"]), round(storm["goodput_after_overload_per_s"])
    (30, 0)
    """
    rates = (
        number("arrival_rate", arrival_rate_per_s, at_least=0),
        number("service_rate", service_rate_per_s, above=0),
        number("timeout_s", timeout_s, at_least=0),
        integer("retries", retries, at_most=MOST_RETRIES),
    )
    roots = retry_fixed_points(*rates)
    return {
        "offered_per_s": roots[0],
        "goodput_per_s": _goodput(roots[0], *rates),
        "offered_after_overload_per_s": roots[-1],
        "goodput_after_overload_per_s": _goodput(roots[-1], *rates),
        "tipping_per_s": roots[len(roots) // 2],
        "safe_arrivals_per_s": rates[1] / (rates[3] + 1),
        "longest_s": (rates[3] + 1) * rates[2],
    }


STATES = ("below", "above", "near", "storm", "full", "few", "brief")
STORM_S = 60.0  # the card says what a minute of storm costs
MARGIN = 3  # service times that must be left at a turn; e^-3 = 5% of the services take longer
FULL = 0.8  # of the capacity; above it the card asks for more servers first
FEWEST_IN_A_ROW = 6  # services that a timeout must hold in sequence: twice the margin
FEWEST = 30  # services that all threads together must do in a timeout: a queue bound of 15
IN_TIME_PERCENT = 50.0  # of the attempts; with fewer most attempts are in vain
_NONE = "–"


def _state(arrivals, capacity, attempts, few, in_time_percent):
    """Return the state of the server, one of STATES."""
    if arrivals > FULL * capacity:
        return "full"
    is_calm = arrivals * attempts <= FULL * capacity
    if few:
        return "brief" if is_calm else "few"
    is_late = in_time_percent < IN_TIME_PERCENT and not is_calm
    if arrivals * attempts < capacity * (1 - 1e-12):
        return "near" if is_late else "below"
    return "storm" if is_late else "above"


def _verdict(state, arrivals, capacity, attempts, in_time_percent):
    """Return the state in a sentence."""
    if state == "full":
        if arrivals >= capacity:
            return (
                "Overloaded: there are more new requests than the server can handle, with or "
                "without retries."
            )
        return "Nearly full: new requests alone take up more than 80% of the server's capacity."
    if state == "storm":
        return "Past the knee, and in a storm: the retries keep the server full."
    if state == "near":
        return (
            "Just below the knee, with answers already late: a retry storm can last for many "
            "minutes here."
        )
    if state in ("few", "brief"):
        return "The timeout is too short for the rules below: it is only a few service times long."
    if state == "above":
        return "Past the knee, or just at it: once a retry storm has begun, it keeps itself going."
    if in_time_percent < IN_TIME_PERCENT:
        return (
            "Below the knee: no retry storm can last here, so look for another cause of the late "
            "answers."
        )
    if arrivals * attempts > FULL * capacity:
        return (
            "Just below the knee: the server recovers from an overload, but that can take many "
            "minutes."
        )
    return "Below the knee: the server recovers from any overload."


def predict_headroom(
    *, arrivals_per_s, service_ms, threads, timeout_ms, retries, in_time_percent=100.0
) -> dict:
    """Return what the operator's card shows: the knee of a server whose clients retry, its state.

    - "state": "full" (arrivals l above 0.8 u), else "few" (the timeout holds fewer than 6 services
      in a row or 30 in all: queue bound and margin have no good value), or "brief" if all the same
      l (r + 1) <= 0.8 u, else "below" the knee (l (r + 1) < u), or "near" it if it is above 0.8 u
      and fewer than half of the attempts are in time, else "storm" (fewer than half in time) or
      "above"; "verdict": the same in a sentence, which tells apart the last fifth below the knee
    - "capacity_per_s": u = threads / service time; "safe_arrivals_per_s": u / (r + 1),
      from which on a storm can last; "alarm_per_s": 0.8 of it; "full_alarm_per_s": 0.8 u, the
      alarm once the queue is bounded
    - "spare_percent": by how much the arrivals may still rise to the safe load
    - "storm_per_s": l (r + 1), attempts per second if all are late
    - "tipping_per_s": attempts per second above which a storm builds up, by `retry_fixed_points`
      (for one server of rate u); inf if none can build up, 0 if it does at any load
    - "safe_retries": most retries at which the load is at most 0.8 of the knee, 0.8 u / l - 1
      rounded down; "–" if not even none are
    - "longest_s": (r + 1) T; "callers_waiting": l (r + 1) T, callers held if nobody answers;
      "three_layers": (r + 1)^3, attempts for one request if three layers retry
    - "growth_per_s": l (r + 1) - u, the growth of a storm's queue; "drain_s": the time to drain
      it for each minute of storm, with the retries off (`drain_time_s`)
    - "admit_per_s": u / (2 (r + 1)), new requests that use half of u even if all are late;
      "refuse_percent": the share of arrivals to turn away for that;
      "shed_percent": the share to turn away to come down to 0.8 u; both rounded up to 0.1
    - "least_timeout_ms": the longer of 6 services in a row and 30 in all, rounded up as shown;
      "service_share_percent": one service as a share of the timeout
    - "queue_limit": requests that the server does in half a timeout; "queue_alarm": half of it;
      "age_alarm_ms": a quarter of the timeout, the time for that half; "margin_ms": three service
      times, which an attempt must have left to be begun, at most half of the timeout; all but the
      age are "–" if the timeout holds too few services
    - "late_safe_per_s": the safe load if only attempts that are already late are skipped, by
      `deadline_safe_load` (timeouts of many service times)
    - "safe_callers": the number of callers who may wait for their answers, by `safe_callers`,
      rounded down; with several threads, for a timeout of three service times less, since a
      service then takes longer than the server's turn
    - "rehearsal_s": 2 (r + 1) T, an outage that leaves more than u T attempts in the queue if the
      load is above the knee

    Raises ValueError if arrivals_per_s, service_ms or timeout_ms is not above 0, threads
    (at least 1) or retries is not an integer, or in_time_percent is not from 0 to 100.

    >>> given = {"arrivals_per_s": 30, "service_ms": 10, "threads": 1, "timeout_ms": 500}
    >>> card = predict_headroom(**given, retries=3)
    >>> card["safe_arrivals_per_s"], card["safe_retries"], card["storm_per_s"], card["state"]
    (25.0, 1.0, 120.0, 'above')
    >>> card["queue_limit"], card["admit_per_s"], round(card["drain_s"], 1), card["safe_callers"]
    (25.0, 12.5, 17.1, 37.0)
    """
    arrivals = number("arrivals_per_s", arrivals_per_s, above=0)
    service_s = number("service_ms", service_ms, above=0) / 1000
    timeout_s = number("timeout_ms", timeout_ms, above=0) / 1000
    attempts = integer("retries", retries) + 1
    threads = integer("threads", threads, at_least=1)
    in_time_percent = number("in_time_percent", in_time_percent, at_least=0, at_most=100)
    capacity = threads / service_s
    roots = retry_fixed_points(arrivals, capacity, timeout_s, attempts - 1)
    tipping = roots[1] if len(roots) == 3 else math.inf
    if roots[0] > capacity:
        tipping = 0.0
    safe = capacity / attempts
    storm = arrivals * attempts
    drain_s = drain_time_s(STORM_S, storm, capacity, arrivals)
    least_s = max(FEWEST_IN_A_ROW * service_s, FEWEST / capacity)
    few = timeout_s < least_s * (1 - 1e-12)
    state = _state(arrivals, capacity, attempts, few, in_time_percent)
    most = float(math.floor(FULL * capacity / arrivals * (1 + 1e-12)))  # attempts for each request
    in_queue_s = timeout_s - (MARGIN * service_s if threads > 1 else 0)  # for callers who wait
    callers = math.floor(safe_callers(capacity, in_queue_s)) if in_queue_s > 0 else 0
    queue_limit = float(math.floor(capacity * timeout_s / 2 * (1 + 1e-12)))
    return {
        "state": state,
        "verdict": _verdict(state, arrivals, capacity, attempts, in_time_percent),
        "capacity_per_s": capacity,
        "safe_arrivals_per_s": safe,
        "alarm_per_s": 0.8 * safe,
        "full_alarm_per_s": FULL * capacity,
        "spare_percent": 100 * (safe / arrivals - 1),
        "storm_per_s": storm,
        "tipping_per_s": _NONE if few else tipping,
        "safe_retries": most - 1 if most else _NONE,
        "longest_s": attempts * timeout_s,
        "callers_waiting": storm * timeout_s,
        "three_layers": float(attempts**3),
        "growth_per_s": max(storm - capacity, 0.0),
        "drain_s": drain_s,
        "admit_per_s": safe / 2,
        "refuse_percent": round_up(100 * max(1 - safe / 2 / arrivals, 0.0), 1),
        "shed_percent": round_up(100 * max(1 - FULL * capacity / arrivals, 0.0), 1),
        "least_timeout_ms": round_up(1000 * least_s),
        "service_share_percent": 100 * service_s / timeout_s,
        "queue_limit": _NONE if few else queue_limit,
        "queue_alarm": _NONE if few else queue_limit / 2,
        "age_alarm_ms": 1000 * timeout_s / 4,
        "margin_ms": _NONE if few else 1000 * MARGIN * service_s,
        "late_safe_per_s": _NONE if few else deadline_safe_load(capacity, attempts - 1, threads),
        "safe_callers": float(callers),
        "rehearsal_s": 2 * attempts * timeout_s,
    }
