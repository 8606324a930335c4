"""Chapter 2's questions of homework and exam: what retries cost a request and a server."""

from itertools import pairwise

from tunables.core.exam import Homework, Question, factor, uniform
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
    """Draw a quantile half-way between two steps, where rounding cannot decide."""
    p, retries = uniform(chance, 0.1, 0.6), chance.randint(1, 4)
    failures = chance.randint(1, retries + 1)  # before the answer or the end
    timeout_s = factor(chance, 0.2, 5)
    return {
        "q": 1 - (p**failures + p ** (failures + 1)) / 2,
        "failure_probability": p,
        "timeout_s": timeout_s,
        "retries": retries,
        "reply_s": float(f"{timeout_s * uniform(chance, 0.05, 0.5):.3g}"),
    }


def _load(chance, roots, share, patience):
    """Draw a load with this number of distinct roots.

    share bounds the load over the highest safe one, patience the timeout in mean services.
    """
    while True:
        retries, service_rate = chance.randint(1, 4), factor(chance, 20, 500)
        safe_rate = service_rate / (retries + 1)
        load = {
            "arrival_rate": float(f"{safe_rate * uniform(chance, *share):.3g}"),
            "service_rate": service_rate,
            "timeout_s": float(f"{uniform(chance, *patience) / service_rate:.3g}"),
            "retries": retries,
        }
        found = retry_fixed_points(**load)
        far_apart = all(b > 1.1 * a for a, b in pairwise(found))
        if len(found) == roots and far_apart:
            return load


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


def homework() -> Homework:
    """Return the questions of the assignment, which asks for each as a function."""
    return {
        "attempts": (_attempts, _request),
        "latency": (_latency, _request),
        "quantile": (retry_quantile, _quantile),
        "one root": (retry_fixed_points, _safe_load),
        "three roots": (retry_fixed_points, _unsafe_load),
        "backoff": (backoff_total, _backoff),
    }


def exam() -> dict[str, Question]:
    """Return the kinds of exam question, which no page shows."""
    ways = homework()
    return {
        "attempts": Question(
            "Each attempt of a request fails with probability {failure_probability:share}, "
            "whatever happened to the attempts before it. After the first attempt there are at "
            "most {retries} retries. How many attempts are made per request, on average?",
            "attempts",
            ways["attempts"],
            "(1 - p^(r + 1))/(1 - p)",
            0,
        ),
        "latency": Question(
            "Each attempt of a request fails with probability {failure_probability:share}. The "
            "client notices a failure after {timeout_s:time}. After the first attempt there are at "
            "most {retries} retries. An answer that comes in time takes {mean_reply_s:time} on "
            "average. How long does it take on average until a client has its answer or gives up?",
            "s",
            ways["latency"],
            "T times the mean number of failed attempts, plus (1 - p^(r + 1)) t",
        ),
        "one root": Question(
            "Requests arrive at random, {arrival_rate} per second, at an M/M/1 server that "
            "handles {service_rate} per second. An attempt is late with probability exp(-(service "
            "rate - offered rate) x {timeout_s:time}), where the offered rate counts all "
            "attempts. Each late attempt leads to another, up to {retries} retries, and the server "
            "works on late ones too. The offered rate settles at a single value. What is it?",
            "1/s",
            ways["one root"],
            "λ = λ0 (1 + p + ... + p^r) with p = exp(-(μ - λ) T), iterated from λ0",
            0,
        ),
        "three roots": Question(
            "Requests arrive at random, {arrival_rate} per second, at an M/M/1 server that "
            "handles {service_rate} per second. An attempt is late with probability exp(-(service "
            "rate - offered rate) x {timeout_s:time}), where the offered rate counts all "
            "attempts. If the offered rate is the service rate or more, every attempt is late. "
            "Each late attempt leads to another, up to {retries} retries, and the server works on "
            "late ones too. After an outage the offered rate stays at the highest value that "
            "sustains itself. What is it?",
            "1/s",
            ways["three roots"],
            "if λ is at or above μ, every attempt is late, so all r + 1 are made: λ = (r + 1) λ0",
            2,
        ),
    }
