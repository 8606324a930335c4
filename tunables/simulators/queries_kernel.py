"""The loop of `simulate_queries`, attempt by attempt, compiled."""

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.draws import random


@compiled
def draw_queries(state, queries, retries, base_s, cap_s):
    """Return pauses_s[query, retry] and chances[query, attempt]; one below p is a failure."""
    pauses_s, chances = np.empty((queries, retries)), np.empty((queries, retries + 1))
    for query in range(queries):
        bound_s = base_s
        for retry in range(retries):
            pauses_s[query, retry] = random(state) * min(cap_s, bound_s)
            bound_s *= 2
    for query in range(queries):
        for attempt in range(retries + 1):
            chances[query, attempt] = random(state)
    return pauses_s, chances


@compiled
def queries_kernel(pauses_s, chances, failure_probability, timeout_s, reply_s):
    """Return attempts, answered and latency_s by query."""
    queries, retries = pauses_s.shape
    attempts, answered = np.empty(queries, np.int64), np.empty(queries, np.bool_)
    latency_s = np.empty(queries)
    for query in range(queries):
        failures, paused_s = 0, 0.0
        while failures <= retries and chances[query, failures] < failure_probability:
            if failures < retries:
                paused_s += pauses_s[query, failures]
            failures += 1
        answered[query] = failures <= retries
        attempts[query] = min(failures, retries) + 1
        latency_s[query] = failures * timeout_s + (reply_s if answered[query] else 0.0) + paused_s
    return attempts, answered, latency_s
