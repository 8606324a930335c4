"""The batch tuning table: settings in, throughput and response time out, for each rival story."""

import math

from tunables.plain.arguments import choice, number, whole
from tunables.theory.group_commit import adaptive_flush_wait
from tunables.theory.queueing import interactive_throughput

# Flushes that a batch waits for, and who decides how long each takes.
_STORIES = (
    ("one cap", 1, "cap"),
    ("two caps", 2, "cap"),
    ("thread pool", 0, "cap"),
    ("commit stage", 1, "cap"),
    ("ideal adaptive flusher", 2, "adaptive"),
    ("adaptive flusher with a stuck transaction", 2, "stuck"),
)
HYPOTHESES = tuple(name for name, _, _ in _STORIES)


def _cohort_wait(clients, spread_s, leader_wait_s):
    """Mean wait of clients who reach the flusher one after another, exponentially spread.

    The first waits w and takes along who comes meanwhile: a share 1 - exp(-w/s) of the others,
    who wait w - s (1 - exp(-w/s)) each on average over all others. One of the rest leads next.
    """
    if spread_s == 0:  # all come at once, and the leader's wait is everyone's
        return leader_wait_s
    late = math.exp(-leader_wait_s / spread_s)
    left, total = clients, 0.0
    while left > 0.5:
        others = max(left - 1, 0)
        total += min(left, 1) * leader_wait_s + others * (leader_wait_s - spread_s * (1 - late))
        left = others * late
    return total / clients


def _flush_waits(kind, flushes, max_delay_s, clients, base_s, think_s):
    """Return the mean time that a batch waits for all its flushes."""
    if kind == "cap":
        return flushes * max_delay_s
    total = 0.0
    for flush in range(flushes):
        work_s = base_s / flushes
        # Released together, clients come apart by their work, and by thinking before a batch.
        spread_s = math.sqrt(work_s**2 + think_s**2) if flush == 0 else work_s
        rate = 1 / max(spread_s, 1e-9)
        wait_s = adaptive_flush_wait(
            clients - 1, rate, max_delay_s, long_transactions=1 if kind == "stuck" else 0
        )
        total += _cohort_wait(clients, spread_s, wait_s)
    return total


def predict(
    *,
    hypothesis="two caps",
    max_delay_s=2.0,
    timeout_s=1.0,
    retries=3,
    clients=50,
    base_s=0.076,
    think_s=0.0,
    pool_threads=25,
    commit_threads=13,
) -> dict:
    """Throughput and response time of batches whose lease query times out every time.

    R = (r + 1) T + b + flushes, and X = N / (R + Z), where `hypothesis` says what a batch pays
    for its flushes and where it queues:

    - "one cap", "two caps": D or 2 D
    - "thread pool": none, but each batch holds one of pool_threads all the time, so that
      R >= N ((r + 1) T + b) / threads - Z
    - "commit stage": D, and after the lease query one of commit_threads is held for D + b, so
      that R >= N (D + b) / threads - Z
    - "ideal adaptive flusher": two flushes, each when all other batches have come, at most D
      after the first; the clients stay in step, and their spread (b / 2, at first also Z) is
      taken as exponential
    - "adaptive flusher with a stuck transaction": the same, but one never comes

    D = max_delay_s, T = timeout_s, r = retries, N = clients, b = base_s, Z = think_s.
    Raises ValueError for an unknown hypothesis, counts that are not whole (clients and threads
    at least 1), or negative times.

    >>> {name: round(value, 3) for name, value in predict(base_s=0.076).items()}
    {'throughput_per_s': 6.191, 'response_s': 8.076}
    """
    story = HYPOTHESES.index(choice("hypothesis", hypothesis, HYPOTHESES))
    _, flushes, kind = _STORIES[story]
    d = number("max_delay_s", max_delay_s, at_least=0)
    lease_s = (whole("retries", retries) + 1) * number("timeout_s", timeout_s, at_least=0)
    n = whole("clients", clients, at_least=1)
    b = number("base_s", base_s, at_least=0)
    z = number("think_s", think_s, at_least=0)
    pool_threads = whole("pool_threads", pool_threads, at_least=1)
    commit_threads = whole("commit_threads", commit_threads, at_least=1)
    response_s = lease_s + b + _flush_waits(kind, flushes, d, n, b, z)
    if hypothesis == "thread pool":
        response_s = max(response_s, n * (lease_s + b) / pool_threads - z)
    if hypothesis == "commit stage":
        response_s = max(response_s, n * (d + b) / commit_threads - z)
    throughput = interactive_throughput(n, response_s, z)
    return {"throughput_per_s": throughput, "response_s": response_s}


def calibrated_base(response_s, **settings) -> float:
    """Base b, in seconds, at which `predict` gives this response time at these settings.

    settings are those of `predict` but for base_s. The response rises with b, so bisection
    finds it.
    Raises ValueError if even b = 0 gives more than response_s, or for settings that `predict`
    refuses.

    >>> round(calibrated_base(4.126, hypothesis="two caps", max_delay_s=0.025), 6)
    0.076
    """
    high = number("response_s", response_s, above=0)
    least = predict(base_s=0.0, **settings)["response_s"]
    number("response_s", response_s, at_least=least)
    low = 0.0
    for _ in range(60):
        middle = (low + high) / 2
        if predict(base_s=middle, **settings)["response_s"] < response_s:
            low = middle
        else:
            high = middle
    return high
