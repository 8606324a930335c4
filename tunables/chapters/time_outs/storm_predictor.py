"""A server whose clients retry: the load that it settles at, from rest and after an overload."""

import math

from tunables.plain.arguments import number, whole
from tunables.theory.retries import retry_fixed_points


def _goodput(offered, arrival_rate, service_rate, timeout_s, retries):
    """Requests a second that get a reply in time from one of their r + 1 attempts."""
    late = math.exp(-max(service_rate - offered, 0) * timeout_s)
    return arrival_rate * (1 - late ** (retries + 1))


def predict(*, arrival_rate_per_s=40.0, service_rate_per_s=100.0, timeout_s=0.5, retries=3) -> dict:
    """Where the retries of an M/M/1 server's clients settle.

    - offered_per_s, goodput_per_s: attempts and answered requests a second, from rest: the
      lowest of `retry_fixed_points`
    - offered_after_overload_per_s, goodput_after_overload_per_s: the same at the highest
    - tipping_per_s: the offered load above which a short queue runs up: the middle root; the
      highest if there is no middle one, since nothing tips then. A long queue keeps an overload
      up below it too: it drains at u - L only
    - safe_arrivals_per_s: u / (r + 1), the largest arrival rate that recovers from any overload
    - longest_s: (r + 1) T, after which a request whose attempts all fail is given up

    Raises ValueError as `retry_fixed_points` does.

    >>> storm = predict(arrival_rate_per_s=30.0)
    >>> round(storm["offered_per_s"]), round(storm["offered_after_overload_per_s"])
    (30, 120)
    >>> round(storm["goodput_per_s"]), round(storm["goodput_after_overload_per_s"])
    (30, 0)
    """
    rates = (arrival_rate_per_s, service_rate_per_s, timeout_s, retries)
    roots = retry_fixed_points(*rates)
    r = whole("retries", retries)
    return {
        "offered_per_s": roots[0],
        "goodput_per_s": _goodput(roots[0], *rates),
        "offered_after_overload_per_s": roots[-1],
        "goodput_after_overload_per_s": _goodput(roots[-1], *rates),
        "tipping_per_s": roots[len(roots) // 2],
        "safe_arrivals_per_s": number("service_rate_per_s", service_rate_per_s) / (r + 1),
        "longest_s": (r + 1) * timeout_s,
    }
