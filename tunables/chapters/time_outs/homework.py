"""Chapter 2: what retries cost one request, and what they do to the server."""

from itertools import pairwise

from tunables.parts.homework import factor, uniform
from tunables.theory.retries import (
    backoff_total,
    retry_fixed_points,
    retry_quantile,
    retry_statistics,
)


def _request(chance):
    timeout_s = factor(chance, 0.1, 5)
    return {
        "failure_probability": uniform(chance, 0.05, 0.9),
        "timeout_s": timeout_s,
        "retries": chance.randint(1, 6),
        "mean_reply_s": float(f"{timeout_s * uniform(chance, 0.1, 0.6):.3g}"),
    }


def _attempts(failure_probability, timeout_s, retries, mean_reply_s):
    return retry_statistics(failure_probability, timeout_s, retries, mean_reply_s)[:2]


def _latency(failure_probability, timeout_s, retries, mean_reply_s):
    return retry_statistics(failure_probability, timeout_s, retries, mean_reply_s)[2]


def _quantile(chance):
    """Ask half-way between two steps, where rounding cannot decide, after a failure or more."""
    p, retries = uniform(chance, 0.1, 0.6), chance.randint(1, 4)
    failures = chance.randint(1, retries + 1)  # after that many comes the answer, or the end
    timeout_s = factor(chance, 0.2, 5)
    return {
        "q": 1 - (p**failures + p ** (failures + 1)) / 2,
        "failure_probability": p,
        "timeout_s": timeout_s,
        "retries": retries,
        "reply_s": float(f"{timeout_s * uniform(chance, 0.05, 0.5):.3g}"),
    }


def _load(chance, roots, share, patience):
    """Draw a load with so many distinct roots.

    share bounds the load over the highest that is safe, patience the time-out in mean services.
    """
    while True:
        retries, service_rate = chance.randint(1, 4), factor(chance, 20, 500)
        safe_rate = service_rate / (retries + 1)
        drawn = {
            "arrival_rate": float(f"{safe_rate * uniform(chance, *share):.3g}"),
            "service_rate": service_rate,
            "timeout_s": float(f"{uniform(chance, *patience) / service_rate:.3g}"),
            "retries": retries,
        }
        found = retry_fixed_points(**drawn)
        far_apart = all(b > 1.1 * a for a, b in pairwise(found))
        if len(found) == roots and far_apart:
            return drawn


def _safe_load(chance):
    return _load(chance, 1, share=(0.5, 0.95), patience=(2, 8))


def _unsafe_load(chance):
    return _load(chance, 3, share=(1.2, 1.7), patience=(10, 50))


def _backoff(chance):
    base_s = factor(chance, 0.05, 0.5)
    return {
        "timeout_s": factor(chance, 0.1, 2),
        "retries": chance.randint(3, 9),
        "base_s": base_s,
        "cap_s": float(f"{base_s * uniform(chance, 3, 30):.3g}"),
        "jitter": chance.random() < 0.5,
    }


QUESTIONS = {
    "attempts": (_attempts, _request),
    "latency": (_latency, _request),
    "quantile": (retry_quantile, _quantile),
    "one root": (retry_fixed_points, _safe_load),
    "three roots": (retry_fixed_points, _unsafe_load),
    "backoff": (backoff_total, _backoff),
}
