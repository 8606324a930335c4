"""Chapter 2's experiments, compiled: lease queries that share threads, and the retry storm."""

import numpy as np

from tunables.simulators.batches_kernel import Rules, batches_kernel
from tunables.simulators.batches_kernel import room as events_room
from tunables.simulators.compiled import compiled
from tunables.simulators.draws import new_state, standard_exponential
from tunables.simulators.queries_kernel import draw_queries, queries_kernel
from tunables.simulators.retry_deeds import DEEDS, RETRIES, SERVER, Interventions
from tunables.simulators.retry_storm_kernel import (
    Clients,
    StormDraws,
    columns,
    draw_storm,
    retry_storm_kernel,
)
from tunables.simulators.retry_storm_kernel import room as attempts_room


@compiled
def _wait_for_threads(seed, latency_s, clients, threads, think_s):
    """Return the time of the last answer and the mean response of batches that are only queries."""
    state, batches = new_state(seed), len(latency_s)
    thoughts_s = np.empty(batches)
    for batch in range(batches):
        thoughts_s[batch] = think_s * standard_exponential(state)
    work_s, aborts = np.zeros((batches, 1)), np.zeros((batches, 1), np.bool_)
    rules = Rules(clients, 0, 0, 0.0, False, 0, threads, clients)
    time_s, facts = events_room(0)
    return batches_kernel(rules, thoughts_s, latency_s, work_s, aborts, time_s, facts)[:2]


@compiled
def _mean(values):
    total = 0.0
    for value in values:
        total += value
    return total / len(values)


@compiled
def simulate_lease(
    seed, queries, failure_probability, timeout_s, retries, reply_s, backoff_base_s,
    backoff_cap_s, clients, threads, think_s,
):  # fmt: skip
    """Return the means of a number of queries, and what callers get from a pool of threads.

    These are the attempts, the share answered, the time of a query, the time if all attempts
    fail, the time of the last answer and the mean response time. The arguments are those of
    `simulate_queries` and `simulate_batches`, with at most as many threads as clients.
    """
    state = new_state(seed)
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


OUTAGE_START_S = 20.0


@compiled
def _draw_requests(seed, arrival_rate_per_s, service_rate_per_s, retries, most, horizon_s):
    """Draw the requests of a storm; retries follow a timeout at once."""
    drawn = draw_storm(
        new_state(seed), arrival_rate_per_s, service_rate_per_s, retries, most, horizon_s, 0.0, 0.0
    )
    return StormDraws(*drawn)


@compiled
def _final_rates(draws, timeout_s, retries, outage_s, horizon_s, last_s):
    """Return attempts and answers per second in the last seconds of a run."""
    clients = Clients(timeout_s, np.inf, float(retries), 0.0, np.inf, 0.0)
    deeds = Interventions(
        np.array([OUTAGE_START_S, OUTAGE_START_S + outage_s]),
        np.array([SERVER, SERVER]),
        np.array([0.0, 1.0]),
    )
    counts = np.zeros((2, horizon_s), np.int64)
    times, facts = attempts_room(0)
    retry_storm_kernel(draws, clients, deeds, counts, times, facts)
    offered = answered = 0
    for second in range(horizon_s - last_s, horizon_s):
        offered += counts[0, second]
        answered += counts[1, second]
    return offered / last_s, answered / last_s


@compiled
def simulate_storm(
    seed, arrival_rate_per_s, service_rate_per_s, timeout_s, retries, outage_s, horizon_s, last_s
):
    """Return attempts and answers per second at the end of two runs: from rest, after an outage."""
    draws = _draw_requests(
        seed, arrival_rate_per_s, service_rate_per_s, retries, retries, float(horizon_s)
    )
    rest = _final_rates(draws, timeout_s, retries, 0.0, horizon_s, last_s)
    return rest + _final_rates(draws, timeout_s, retries, outage_s, horizon_s, last_s)


@compiled
def simulate_from_rest(
    seed, arrival_rate_per_s, service_rate_per_s, timeout_s, retries, horizon_s, last_s
):
    """Return attempts and answers per second at the end of a run from an empty queue."""
    draws = _draw_requests(
        seed, arrival_rate_per_s, service_rate_per_s, retries, retries, float(horizon_s)
    )
    return _final_rates(draws, timeout_s, retries, 0.0, horizon_s, last_s)


@compiled
def trace_storm(
    seed, arrival_rate_per_s, service_rate_per_s, timeout_s, retries, horizon_s, margin_s,
    budget_burst, rows, deed_s, deed, value,
):  # fmt: skip
    """Return the number of attempts, and the columns of `Attempts` of the first.

    The deeds are those of `Deeds`, outages included, in the order of their times.
    Raises ValueError for any others.
    """
    most = retries
    for place in range(len(deed_s)):
        if not 0 <= deed[place] < len(DEEDS):
            raise ValueError("an intervention must be a number from 0 to 6")
        if place > 0 and not deed_s[place] >= deed_s[place - 1]:
            raise ValueError("interventions must be in order of time")
        if deed[place] == RETRIES:
            most = max(most, int(value[place]))
    draws = _draw_requests(seed, arrival_rate_per_s, service_rate_per_s, retries, most, horizon_s)
    clients = Clients(timeout_s, np.inf, float(retries), margin_s, budget_burst, 0.0)
    times, facts = attempts_room(rows)
    counts = np.zeros((2, 1), np.int64)
    count = retry_storm_kernel(
        draws, clients, Interventions(deed_s, deed, value), counts, times, facts
    )
    return columns(count, times, facts)
