"""A request with time-outs, retries and pauses, and the threads that it keeps from others."""

from tunables.plain.arguments import number, whole
from tunables.theory.queueing import interactive_throughput
from tunables.theory.retries import backoff_total, retry_quantile, retry_statistics


def _pauses(failures, base_s, cap_s):
    """Mean time of the pauses after the first failures, full jitter."""
    return backoff_total(0.0, failures, base_s, cap_s)


def predict(
    *,
    failure_probability=1.0,
    timeout_s=1.0,
    retries=3,
    reply_s=0.05,
    backoff_base_s=0.0,
    backoff_cap_s=0.0,
    threads=50,
    clients=50,
    think_s=0.0,
) -> dict:
    """What a lease query costs its caller, and what the callers get from a pool of threads.

    - attempts, all_fail_probability: as in `retry_statistics`
    - latency_s: mean time of one query; pauses (full jitter) are taken with the probability
      that the retry after them takes place
    - latency_p99_s: 99 of 100 queries take no longer, pauses at their means
    - longest_s: mean time when every attempt fails
    - throughput_per_s, response_s: N clients think Z and share c threads that are held for one
      query L each: X = min(N / (L + Z), c / L), R = N / X - Z

    Raises ValueError for a probability outside [0, 1], negative times, a reply above the
    time-out, counts that are not whole (clients and threads at least 1), or L = 0.

    >>> black_hole = predict(timeout_s=0.5, retries=1, threads=25)
    >>> black_hole["latency_s"], black_hole["throughput_per_s"], black_hole["response_s"]
    (1.0, 25.0, 2.0)
    """
    r = whole("retries", retries)
    attempts, all_fail, latency_s = retry_statistics(failure_probability, timeout_s, r, reply_s)
    longest_s = backoff_total(timeout_s, r, backoff_base_s, backoff_cap_s)
    p99_s = retry_quantile(0.99, failure_probability, timeout_s, r, reply_s)
    failures = min(round((p99_s - reply_s) / timeout_s), r) if timeout_s > 0 else r
    p99_s += _pauses(failures, backoff_base_s, backoff_cap_s)
    for k in range(1, r + 1):
        pause_s = _pauses(k, backoff_base_s, backoff_cap_s) - _pauses(
            k - 1, backoff_base_s, backoff_cap_s
        )
        latency_s += failure_probability**k * pause_s
    number("latency_s", latency_s, above=0)
    c = whole("threads", threads, at_least=1)
    n = whole("clients", clients, at_least=1)
    throughput = min(interactive_throughput(n, latency_s, think_s), c / latency_s)
    return {
        "attempts": attempts,
        "all_fail_probability": all_fail,
        "latency_s": latency_s,
        "latency_p99_s": p99_s,
        "longest_s": longest_s,
        "throughput_per_s": throughput,
        "response_s": n / throughput - think_s,
    }
