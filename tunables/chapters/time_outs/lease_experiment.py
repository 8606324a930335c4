"""Chapter 2's experiment of the lease query, compiled: a seed and numbers in, numbers out."""

import numpy as np

from tunables.simulators.batches_kernel import Rules, batches_kernel
from tunables.simulators.batches_rows import room
from tunables.simulators.compiled import compiled
from tunables.simulators.draws import seeded, standard_exponential
from tunables.simulators.queries_kernel import draw_queries, queries_kernel


@compiled
def _wait_for_threads(seed, latency_s, clients, threads, think_s):
    """Return the last answer's time, and the mean response, of batches that are only queries."""
    state, batches = seeded(seed), len(latency_s)
    thoughts_s = np.empty(batches)
    for batch in range(batches):
        thoughts_s[batch] = think_s * standard_exponential(state)
    work_s, aborts = np.zeros((batches, 1)), np.zeros((batches, 1), np.bool_)
    rules = Rules(clients, 0, 0, 0.0, False, 0, threads, clients)
    time_s, facts = room(0)
    return batches_kernel(rules, thoughts_s, latency_s, work_s, aborts, time_s, facts)[:2]


@compiled
def _mean(values):
    total = 0.0
    for value in values:
        total += value
    return total / len(values)


@compiled
def experiment(
    seed, queries, failure_probability, timeout_s, retries, reply_s, backoff_base_s,
    backoff_cap_s, clients, threads, think_s,
):  # fmt: skip
    """Return means of so many queries, and what their callers get from a pool of threads.

    These are attempts, the share that is answered, the time of a query, that of one whose
    attempts all fail, the time of the last answer and the mean response time. The arguments are
    those of `simulate_queries` and `simulate_batches`, with at most as many threads as clients.
    """
    state = seeded(seed)
    pauses_s, chances = draw_queries(state, queries, retries, backoff_base_s, backoff_cap_s)
    attempts, answered, latency_s = queries_kernel(
        pauses_s, chances, failure_probability, timeout_s, reply_s
    )
    longest_s = queries_kernel(pauses_s, chances, 1.0, timeout_s, reply_s)[2]
    makespan_s, response_s = _wait_for_threads(seed, latency_s, clients, threads, think_s)
    return (
        _mean(attempts), _mean(answered), _mean(latency_s), _mean(longest_s), makespan_s,
        response_s,
    )  # fmt: skip
