"""The random quantities of `simulate_batches`, compiled."""

from typing import NamedTuple

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.draws import geometric, random, standard_exponential


class Draws(NamedTuple):
    """Random quantities by number of the batch; work_s and aborts also by transaction."""

    think_s: np.ndarray
    lease_s: np.ndarray
    work_s: np.ndarray
    aborts: np.ndarray


@compiled
def _lease_time(state, failure_probability, timeout_s, retries, reply_s):
    """Return the time of a lease query: r + 1 attempts, or fewer and a reply."""
    failures = retries + 1
    if failure_probability < 1:
        failures = min(geometric(state, 1 - failure_probability) - 1, failures)
    return timeout_s * failures + (reply_s if failures <= retries else 0.0)


@compiled
def draw_batches(
    state, batches, transactions, think_time_s, base_s, abort_probability, failure_probability,
    timeout_s, retries, reply_s,
):  # fmt: skip
    """Return think_s, lease_s, work_s and aborts of so many batches, as `Draws` says."""
    think_s, lease_s = np.empty(batches), np.empty(batches)
    work_s = np.empty((batches, transactions))
    aborts = np.empty((batches, transactions), np.bool_)
    for batch in range(batches):
        think_s[batch] = think_time_s * standard_exponential(state)
    for batch in range(batches):
        for stage in range(transactions):
            work_s[batch, stage] = base_s / transactions * standard_exponential(state)
    for batch in range(batches):
        for stage in range(transactions):
            aborts[batch, stage] = random(state) < abort_probability
    for batch in range(batches):
        lease_s[batch] = _lease_time(state, failure_probability, timeout_s, retries, reply_s)
    return think_s, lease_s, work_s, aborts
