"""Operator's card of chapter 2: the largest load that recovers from any overload."""

import math

from tunables.arguments import number, whole
from tunables.theory.retries import retry_fixed_points


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
    - "verdict": which side of the knee

    Raises ValueError if arrivals_per_s, service_ms or timeout_ms is not above 0, or threads
    (at least 1) or retries is not whole.

    >>> card = predict(arrivals_per_s=30, service_ms=10, threads=1, timeout_ms=500, retries=3)
    >>> card["safe_arrivals_per_s"], card["safe_retries"], card["storm_per_s"]
    (25.0, 2.0, 120.0)
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
    return {
        "verdict": _verdict(arrivals, capacity, roots),
        "capacity_per_s": capacity,
        "safe_arrivals_per_s": safe,
        "alarm_per_s": 0.8 * safe,
        "spare_percent": 100 * (safe / arrivals - 1),
        "storm_per_s": arrivals * attempts,
        "tipping_per_s": tipping,
        "safe_retries": float(math.floor(capacity / arrivals * (1 + 1e-12))) - 1,
        "longest_ms": 1000 * attempts * timeout_s,
        "callers_waiting": arrivals * attempts * timeout_s,
    }
