"""The law of lab 2: batches whose lease query asks a black hole, with a timeout and retries."""

from tunables.base.arguments import integer, number
from tunables.page.labs import lab_session
from tunables.theory.queueing import interactive_throughput
from tunables.theory.retries import retry_statistics


def batches(timeout_s, retries, max_delay_s, commits, work_s, think_s, callers, threads) -> dict:
    """Return what N callers get whose batches each hold one of c threads all the time.

    A batch holds its thread for H = (r + 1) T + b + k D: attempts that all time out, work b, and
    k commits that wait for the flusher's delay D. With the pause Z between batches,
    X = min(N / (H + Z), c / H) and R = N / X - Z. "least_s" is (r + 1) T: no batch takes less.
    Raises ValueError for negative times, counts that are not whole (callers and threads at
    least 1), or batches that take no time.

    >>> round(batches(0.5, 1, 2.0, 2, 0.076, 0.032, 50, 50)["response_s"], 3)
    5.076
    """
    _, _, lease_s = retry_statistics(1, timeout_s, retries)
    delay_s = number("max_delay_s", max_delay_s, at_least=0)
    flushes_s = integer("commits", commits) * delay_s
    held_s = number("held_s", lease_s + number("work_s", work_s, at_least=0) + flushes_s, above=0)
    callers = integer("callers", callers, at_least=1)
    most_per_s = integer("threads", threads, at_least=1) / held_s
    if most_per_s < interactive_throughput(callers, held_s, think_s):
        response_s, per_s = callers / most_per_s - think_s, most_per_s
    else:
        response_s, per_s = held_s, interactive_throughput(callers, held_s, think_s)
    return {"response_s": response_s, "throughput_per_s": per_s, "least_s": lease_s}


LabSession = lab_session(batches=batches)
