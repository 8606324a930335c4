"""Operator's card of chapter 2: the largest load that recovers from any overload."""

import math

from tunables.plain.arguments import number, whole
from tunables.theory.deadlines import deadline_safe_load
from tunables.theory.retries import drain_time_s, retry_fixed_points

STORM_S = 60.0  # the card says what a minute of storm costs
MARGIN = 3  # service times that must be left at a turn


def _verdict(arrivals, capacity, roots):
    """Return which of the four lives the server leads; roots: loads that sustain themselves."""
    if arrivals >= capacity:
        return "Overloaded: more new requests than the server can do, retries or not."
    if roots[0] > capacity:
        return "Over the knee: the retries overload the server without any outage."
    if len(roots) > 1:
        return "Over the knee: a retry storm, once begun, holds itself up."
    return "Below the knee: the server recovers from any overload."


def predict(*, arrivals_per_s, service_ms, threads, timeout_ms, retries) -> dict:
    """Return the knee of a server of so many threads whose clients retry.

    - "capacity_per_s": u = threads / service time; "safe_arrivals_per_s": u / (r + 1), from
      which on a storm can hold; "alarm_per_s": 0.8 of it
    - "spare_percent": how far the arrivals may still rise to it, of what they are
    - "storm_per_s": l (r + 1), attempts a second if all are late
    - "tipping_per_s": attempts a second above which the storm runs up, by `retry_fixed_points`
      (the server taken as one of rate u); inf where none can, 0 where nothing holds it back
    - "safe_retries": most at which a storm cannot hold, u / l - 1 rounded down; -1: not even 0
    - "longest_ms": (r + 1) T; "callers_waiting": l (r + 1) T, callers held if nobody answers
    - "growth_per_s": l (r + 1) - u, by which the queue of a storm grows; "drain_s": time that
      it then takes to drain for each minute of storm, with retries off (`drain_time_s`)
    - "admit_per_s": u / (2 (r + 1)), new requests that use half of u even if all are late;
      "refuse_percent": the share of the arrivals that must be turned away for that
    - "queue_limit": requests that the server does in half a time-out, at least 1;
      "margin_ms": three service times, which an attempt must have left to be begun
    - "late_safe_per_s": the safe load if only what is late already is skipped, by
      `deadline_safe_load` (time-outs of many service times)
    - "verdict": which side of the knee

    Raises ValueError if arrivals_per_s, service_ms or timeout_ms is not above 0, or threads
    (at least 1) or retries is not whole.

    >>> card = predict(arrivals_per_s=30, service_ms=10, threads=1, timeout_ms=500, retries=3)
    >>> card["safe_arrivals_per_s"], card["safe_retries"], card["storm_per_s"]
    (25.0, 2.0, 120.0)
    >>> card["queue_limit"], card["admit_per_s"], round(card["drain_s"], 1)
    (25.0, 12.5, 17.1)
    """
    arrivals = number("arrivals_per_s", arrivals_per_s, above=0)
    service_s = number("service_ms", service_ms, above=0) / 1000
    timeout_s = number("timeout_ms", timeout_ms, above=0) / 1000
    attempts = whole("retries", retries) + 1
    capacity = whole("threads", threads, at_least=1) / service_s
    roots = retry_fixed_points(arrivals, capacity, timeout_s, attempts - 1)
    tipping = roots[1] if len(roots) == 3 else math.inf
    if roots[0] > capacity:
        tipping = 0.0
    safe = capacity / attempts
    storm = arrivals * attempts
    drain_s = drain_time_s(STORM_S, storm, capacity, arrivals)
    return {
        "verdict": _verdict(arrivals, capacity, roots),
        "capacity_per_s": capacity,
        "safe_arrivals_per_s": safe,
        "alarm_per_s": 0.8 * safe,
        "spare_percent": 100 * (safe / arrivals - 1),
        "storm_per_s": storm,
        "tipping_per_s": tipping,
        "safe_retries": float(math.floor(capacity / arrivals * (1 + 1e-12))) - 1,
        "longest_ms": 1000 * attempts * timeout_s,
        "callers_waiting": storm * timeout_s,
        "growth_per_s": max(storm - capacity, 0.0),
        "drain_s": drain_s,
        "admit_per_s": safe / 2,
        "refuse_percent": 100 * max(1 - safe / 2 / arrivals, 0.0),
        "queue_limit": float(max(math.floor(capacity * timeout_s / 2 * (1 + 1e-12)), 1)),
        "margin_ms": 1000 * MARGIN * service_s,
        "late_safe_per_s": deadline_safe_load(capacity, attempts - 1),
    }
