"""Queries that time out and are retried, drawn one by one: attempts, replies, durations."""

from typing import NamedTuple

import numpy as np

from tunables.base.arguments import integer, number
from tunables.simulators.arrays import Floats, Integers, describe
from tunables.simulators.draws import from_seed
from tunables.simulators.limits import check_size
from tunables.simulators.queries_kernel import draw_queries, queries_kernel
from tunables.theory.retries import MOST_RETRIES


class Queries(NamedTuple):
    """By query: attempts sent, whether one of them was answered (1 or 0), and latency_s to its end.

    Each column has shape (queries,).
    """

    attempts: Integers
    answered: Integers
    latency_s: Floats

    def __repr__(self) -> str:
        return describe(self)


def _draws(failure_probability, retries, base_s, cap_s, queries, seed):
    """Return pauses_s[query, retry], chances[query, attempt] and p."""
    p = number("failure_probability", failure_probability, at_least=0, at_most=1)
    r = integer("retries", retries, at_most=MOST_RETRIES)
    base_s = number("backoff_base_s", base_s, at_least=0)
    cap_s = number("backoff_cap_s", cap_s, at_least=0)
    count = integer("queries", queries, at_least=1)
    check_size("queries * (retries + 1)", count * (r + 1))
    return *draw_queries(from_seed(integer("seed", seed)), count, r, base_s, cap_s), p


def _times(timeout_s, reply_s):
    timeout_s = number("timeout_s", timeout_s, above=0)
    return timeout_s, number("reply_s", reply_s, at_least=0, at_most=timeout_s)


def simulate_queries(
    failure_probability: float,
    timeout_s: float,
    retries: int,
    reply_s: float = 0.0,
    backoff_base_s: float = 0.0,
    backoff_cap_s: float = 0.0,
    *,
    queries: int = 3000,
    seed: int = 0,
) -> Queries:
    """Draw queries, each with at most r retries after pauses with full jitter.

    An attempt fails with probability p and costs the timeout T, or is answered after reply_s;
    retry k = 0..r-1 follows a pause uniform from 0 to min(backoff_cap_s, backoff_base_s 2^k).
    The closed form is the predictor of the case "lease".

    Raises ValueError for a probability outside [0, 1], negative times, a timeout that is not
    above 0, a reply above it, or counts that are not whole (queries at least 1).

    >>> simulate_queries(1.0, 0.5, 1, queries=2).latency_s.tolist()
    [1.0, 1.0]
    >>> drawn = simulate_queries(0.5, 1.0, 3, 0.05, 0.1, 0.3, queries=100, seed=1)
    >>> drawn.latency_s[:4].round(3).tolist()
    [1.101, 1.145, 0.05, 0.05]
    """
    timeout_s, reply_s = _times(timeout_s, reply_s)
    draws = _draws(failure_probability, retries, backoff_base_s, backoff_cap_s, queries, seed)
    return Queries(*queries_kernel(*draws, timeout_s, reply_s))


def queries_reference(
    failure_probability,
    timeout_s,
    retries,
    reply_s=0.0,
    backoff_base_s=0.0,
    backoff_cap_s=0.0,
    *,
    queries=3000,
    seed=0,
) -> Queries:
    """Return what `simulate_queries` returns, computed in plain Python."""
    timeout_s, reply_s = _times(timeout_s, reply_s)
    pauses_s, chances, p = _draws(
        failure_probability, retries, backoff_base_s, backoff_cap_s, queries, seed
    )
    results = []
    for mine_s, fails in zip(pauses_s.tolist(), (chances < p).tolist(), strict=True):
        failures = (*fails, False).index(False)
        answered = failures < len(fails)
        paused_s = 0.0
        for pause_s in mine_s[:failures]:
            paused_s += pause_s
        latency_s = failures * timeout_s + (reply_s if answered else 0) + paused_s
        results.append((min(failures + 1, len(fails)), answered, latency_s))
    return Queries(*map(np.array, zip(*results, strict=True)))
