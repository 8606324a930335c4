"""Queries that time out and are retried, drawn one by one: attempts, replies, time taken."""

from typing import NamedTuple

import numpy as np

from tunables.arguments import number, whole


class Queries(NamedTuple):
    """By query: attempts sent, whether one of them was answered, and the time until the end."""

    attempts: np.ndarray
    answered: np.ndarray
    latency_s: np.ndarray


def _draws(failure_probability, retries, base_s, cap_s, queries, seed):
    """Return failed[query, attempt] and pauses_s[query, retry]."""
    p = number("failure_probability", failure_probability, at_least=0, at_most=1)
    r = whole("retries", retries)
    base_s = number("backoff_base_s", base_s, at_least=0)
    cap_s = number("backoff_cap_s", cap_s, at_least=0)
    shape = whole("queries", queries, at_least=1), r
    rng = np.random.default_rng(whole("seed", seed))
    jitter = rng.random(shape)
    failed = rng.random((shape[0], r + 1)) < p
    return failed, jitter * np.minimum(cap_s, base_s * 2.0 ** np.arange(r))


def _times(timeout_s, reply_s):
    timeout_s = number("timeout_s", timeout_s, above=0)
    return timeout_s, number("reply_s", reply_s, at_least=0, at_most=timeout_s)


def simulate_queries(
    failure_probability, timeout_s, retries, reply_s=0.0, backoff_base_s=0.0, backoff_cap_s=0.0,
    *, queries=3000, seed=0,
) -> Queries:  # fmt: skip
    """Draw queries, each with at most r retries after pauses with full jitter.

    An attempt fails with probability p and costs the time-out T, or is answered after reply_s;
    before retry k = 0..r-1 comes a pause uniform from 0 to min(backoff_cap_s, backoff_base_s 2^k).
    The closed form is `tunables.predictors.lease_query.predict`.

    Raises ValueError for a probability outside [0, 1], negative times, a time-out that is not
    above 0, a reply above it, or counts that are not whole (queries at least 1).

    >>> simulate_queries(1.0, 0.5, 1, queries=2).latency_s.tolist()
    [1.0, 1.0]
    """
    timeout_s, reply_s = _times(timeout_s, reply_s)
    failed, pauses_s = _draws(
        failure_probability, retries, backoff_base_s, backoff_cap_s, queries, seed
    )
    failures = np.cumprod(failed, axis=1).sum(axis=1)
    answered = failures <= retries
    retried = np.minimum(failures, retries)
    elapsed_s = np.pad(np.cumsum(pauses_s, axis=1), ((0, 0), (1, 0)))
    paused_s = elapsed_s[np.arange(len(retried)), retried]
    return Queries(
        retried + 1, answered, failures * timeout_s + np.where(answered, reply_s, 0) + paused_s
    )


def queries_reference(
    failure_probability, timeout_s, retries, reply_s=0.0, backoff_base_s=0.0, backoff_cap_s=0.0,
    *, queries=3000, seed=0,
) -> Queries:  # fmt: skip
    """Return what `simulate_queries` returns, attempt by attempt."""
    timeout_s, reply_s = _times(timeout_s, reply_s)
    results = []
    for failed, pauses_s in zip(
        *_draws(failure_probability, retries, backoff_base_s, backoff_cap_s, queries, seed),
        strict=True,
    ):
        attempt, paused_s = 0, 0.0
        while failed[attempt] and attempt < retries:
            paused_s += pauses_s[attempt]
            attempt += 1
        answered = not failed[attempt]
        failures = attempt if answered else attempt + 1
        latency_s = failures * timeout_s + (reply_s if answered else 0) + paused_s
        results.append((attempt + 1, answered, latency_s))
    return Queries(*map(np.array, zip(*results, strict=True)))
