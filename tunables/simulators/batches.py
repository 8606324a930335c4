"""The published experiment: clients whose batches wait for a lease query and for a flusher."""

import numpy as np

from tunables.arguments import choice, number, whole
from tunables.simulators.batches_core import Draws, Rules, run_batches

FLUSHERS = ("fixed", "adaptive")


def _lease_times(rng, batches, failure_probability, timeout_s, retries, reply_s):
    """Return the time of each batch's lease query: r + 1 attempts, or fewer and a reply."""
    p = number("failure_probability", failure_probability, at_least=0, at_most=1)
    timeout_s = number("timeout_s", timeout_s, at_least=0)
    retries = whole("retries", retries)
    reply_s = number("reply_s", reply_s, at_least=0, at_most=timeout_s)
    failures = np.full(batches, retries + 1)
    if p < 1:
        failures = np.minimum(rng.geometric(1 - p, batches) - 1, failures)
    return timeout_s * failures + reply_s * (failures <= retries)


def experiment(
    *, clients=50, batches=3000, think_time_s=0.0, base_s=0.0, timeout_s=1.0, retries=3,
    max_delay_s=2.0, commits=1, flusher="fixed", lease_first=True, batch_threads=0,
    commit_threads=0, failure_probability=1.0, reply_s=0.0, abort_probability=0.0,
    long_transactions=0, seed=0,
) -> tuple[Draws, Rules]:  # fmt: skip
    """Return the draws and rules of one run of `simulate_batches`, whose arguments these are.

    The same seed gives the same draws at all settings that leave their number alone.
    """
    n = whole("clients", clients, at_least=1)
    batches = whole("batches", batches, at_least=1)
    commits = whole("commits", commits)
    shape = batches, max(commits, 1)
    rng = np.random.default_rng(whole("seed", seed))
    think_s = number("think_time_s", think_time_s, at_least=0) * rng.standard_exponential(batches)
    work_s = number("base_s", base_s, at_least=0) / shape[1] * rng.standard_exponential(shape)
    aborts = rng.random(shape) < number(
        "abort_probability", abort_probability, at_least=0, at_most=1
    )
    lease_s = _lease_times(rng, batches, failure_probability, timeout_s, retries, reply_s)
    rules = Rules(
        n,
        commits,
        0 if lease_first else shape[1] - 1,
        number("max_delay_s", max_delay_s, at_least=0),
        choice("flusher", flusher, FLUSHERS) == "adaptive",
        whole("long_transactions", long_transactions),
        whole("batch_threads", batch_threads) or n,
        whole("commit_threads", commit_threads) or n,
    )
    return Draws(think_s, lease_s, work_s, aborts), rules


def simulate_batches(**settings) -> tuple:
    """Simulate the published test: throughput (batches a second) and mean response time (s).

    settings and their defaults: clients=50, batches=3000, think_time_s=0.0, base_s=0.0,
    timeout_s=1.0, retries=3, max_delay_s=2.0, commits=1, flusher="fixed", lease_first=True,
    batch_threads=0, commit_threads=0, failure_probability=1.0, reply_s=0.0,
    abort_probability=0.0, long_transactions=0, seed=0.

    N clients start together and share a fixed number of batches; after each a client thinks for
    an exponential time of mean Z. A batch is `commits` transactions (0: one that waits for no
    flush). The first of them (the last, without lease_first) begins with the lease query:
    r + 1 attempts of T that each fail with failure_probability, or a reply after reply_s. Each
    transaction works for an exponential time of mean b / commits, then waits for the flusher:

    - "fixed": the maximum delay D, always
    - "adaptive": until no transaction is active that has not reached the flusher, at most D
      from the first that waits; then all who wait commit together. A transaction aborts with
      abort_probability: its batch ends, and the flusher waits for it in vain once.
      long_transactions never reach the flusher.

    A batch holds one of batch_threads from begin to end, and one of commit_threads from its
    work to its commit (0: as many as clients); both pools are first come, first served.
    Throughput is counted as in the document: all batches by the time of the last.

    Raises ValueError for counts that are not whole, negative times, probabilities outside
    [0, 1], a reply above the time-out, an unknown flusher, or times that are all 0.

    >>> throughput, response_s = simulate_batches(base_s=0.076, think_time_s=0.032, commits=2)
    >>> round(throughput), round(response_s, 1)
    (6, 8.1)
    """
    draws, rules = experiment(**settings)
    makespan_s, response_s = run_batches(draws, rules)
    return len(draws.think_s) / number("time of all batches", makespan_s, above=0), response_s
