"""Chapter 2's simulation of the lease query: attempts one by one, threads that wait.

Runs in the page too.
"""

from tunables.chapters.time_outs.lease_experiment import experiment
from tunables.plain.arguments import number, run_seed, whole
from tunables.theory.closed_network import MOST_CUSTOMERS
from tunables.theory.retries import MOST_RETRIES

RUNS = 10
BATCHES = 3000  # as in the document
MOST_BATCHES = 1_000_000


def run(
    seed, *, failure_probability, timeout_s, retries, reply_s, backoff_base_s, backoff_cap_s,
    threads, clients, think_s, batches=BATCHES,
) -> dict:  # fmt: skip
    """Return outputs of `predict` from the document's number of batches, each only a query.

    The percentile is left out.
    Raises ValueError for settings that `predict` refuses, and times that are all 0.
    """
    batches = whole("batches", batches, at_least=1, at_most=MOST_BATCHES)
    timeout_s = number("timeout_s", timeout_s, above=0)
    n = whole("clients", clients, at_least=1, at_most=MOST_CUSTOMERS)
    attempts, answered, latency_s, longest_s, makespan_s, response_s = experiment(
        run_seed(seed),
        batches,
        number("failure_probability", failure_probability, at_least=0, at_most=1),
        timeout_s,
        whole("retries", retries, at_most=MOST_RETRIES),
        number("reply_s", reply_s, at_least=0, at_most=timeout_s),
        number("backoff_base_s", backoff_base_s, at_least=0),
        number("backoff_cap_s", backoff_cap_s, at_least=0),
        n,
        min(whole("threads", threads, at_least=1), n),
        number("think_s", think_s, at_least=0),
    )
    return {
        "attempts": attempts,
        "all_fail_probability": 1 - answered,
        "latency_s": latency_s,
        "longest_s": longest_s,
        "throughput_per_s": batches / number("time of all batches", makespan_s, above=0),
        "response_s": response_s,
    }
