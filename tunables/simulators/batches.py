"""The published experiment: clients whose batches wait for a lease query and for a flusher."""

import numpy as np

from tunables.arguments import choice, number, whole
from tunables.simulators.compiled import compiled
from tunables.simulators.event_heap import calendar, pop, push

FLUSHERS = ("fixed", "adaptive")
_ASK, _READY, _COMMITTED, _BEGIN, _ENTER, _WORK = range(6)  # what a client does next
_BATCH, _COMMIT = range(2)  # the two pools of threads


@compiled
def _enter(free, queue, waiting, pool, client):
    """Take a thread of the pool, or stand in its queue and return False."""
    if free[pool] > 0:
        free[pool] -= 1
        return True
    queue[pool, waiting[pool]] = client
    waiting[pool] += 1
    return False


@compiled
def _leave(free, queue, waiting, pool):
    """Give the thread to the first in the queue and return that client, or return -1."""
    if waiting[pool] == 0:
        free[pool] += 1
        return -1
    client = queue[pool, 0]
    waiting[pool] -= 1
    for place in range(waiting[pool]):
        queue[pool, place] = queue[pool, place + 1]
    return client


@compiled
def _batches(draws, clients, commits, lease_stage, max_delay_s, adaptive, stuck, threads):
    """Return the time of the last reply and the mean response; draws holds an array a quantity, by batch."""
    think_s, lease_s, work_s, aborts = draws
    batches, transactions = work_s.shape
    times, items = calendar(clients)
    free = np.array(threads)
    queue, waiting = np.empty((2, clients), np.int64), np.zeros(2, np.int64)
    phase, stage = np.full(clients, _ASK), np.zeros(clients, np.int64)
    batch, asked = np.zeros(clients, np.int64), np.zeros(clients)
    held = np.zeros(clients, np.bool_)  # by the adaptive flusher
    size = begun = done = holding = lost = 0
    active = stuck  # transactions that the flusher expects to commit soon
    now = deadline = total_response = 0.0
    for client in range(clients):
        size = push(times, items, size, 0.0, client)
    while done < batches:
        if holding > 0 and (active == 0 or size == 0 or deadline <= times[0]):
            now = now if active == 0 else deadline
            for client in range(clients):
                if held[client]:
                    held[client] = False
                    size = push(times, items, size, now, client)
            active -= lost  # the flusher forgets the aborted ones with each flush
            holding = lost = 0
        now, client = times[0], items[0]
        size = pop(times, items, size)
        if phase[client] == _ASK:
            if begun == batches:
                continue
            batch[client], asked[client], stage[client] = begun, now, 0
            begun += 1
            phase[client] = _BEGIN
            if not _enter(free, queue, waiting, _BATCH, client):
                continue
        elif phase[client] == _READY:
            phase[client] = _COMMITTED
            if aborts[batch[client], stage[client]]:
                lost += 1
                stage[client] = transactions
            else:
                active -= 1
                if adaptive and commits > 0:
                    deadline = now + max_delay_s if holding == 0 else deadline
                    held[client] = True
                    holding += 1
                    continue
                if commits > 0:
                    size = push(times, items, size, now + max_delay_s, client)
                    continue
        if phase[client] == _COMMITTED:
            stage[client] += 1
            phase[client] = _BEGIN
            next_client = _leave(free, queue, waiting, _COMMIT)
            if next_client >= 0:
                size = push(times, items, size, now, next_client)
            if stage[client] >= transactions:
                done += 1
                total_response += now - asked[client]
                next_client = _leave(free, queue, waiting, _BATCH)
                if next_client >= 0:
                    size = push(times, items, size, now, next_client)
                phase[client] = _ASK
                size = push(times, items, size, now + think_s[batch[client]], client)
                continue
        if phase[client] == _BEGIN:
            active += 1
            phase[client] = _ENTER
            if stage[client] == lease_stage:
                size = push(times, items, size, now + lease_s[batch[client]], client)
                continue
        if phase[client] == _ENTER:
            phase[client] = _WORK
            if not _enter(free, queue, waiting, _COMMIT, client):
                continue
        phase[client] = _READY
        size = push(times, items, size, now + work_s[batch[client], stage[client]], client)
    return now, total_response / batches


def _draws(rng, batches, transactions, think_time_s, base_s, query, abort_probability):
    """Draw the times of each batch; the same seed gives the same draws at other settings."""
    failure_probability, timeout_s, retries, reply_s = query
    think_s = think_time_s * rng.standard_exponential(batches)
    work_s = base_s / transactions * rng.standard_exponential((batches, transactions))
    aborts = rng.random((batches, transactions)) < abort_probability
    failures = np.full(batches, retries + 1)
    if failure_probability < 1:
        failures = np.minimum(rng.geometric(1 - failure_probability, batches) - 1, failures)
    lease_s = timeout_s * failures + reply_s * (failures <= retries)
    return think_s, lease_s, work_s, aborts


def experiment(
    *, clients, batches, think_time_s, base_s, timeout_s, retries, max_delay_s, commits, flusher,
    lease_first, batch_threads, commit_threads, failure_probability, reply_s, abort_probability,
    long_transactions, seed,
) -> tuple:  # fmt: skip
    """Check the arguments of `simulate_batches` and return those of its loop."""
    n = whole("clients", clients, at_least=1)
    timeout_s = number("timeout_s", timeout_s, at_least=0)
    query = (
        number("failure_probability", failure_probability, at_least=0, at_most=1),
        timeout_s,
        whole("retries", retries),
        number("reply_s", reply_s, at_least=0, at_most=timeout_s),
    )
    commits = whole("commits", commits)
    draws = _draws(
        np.random.default_rng(whole("seed", seed)),
        whole("batches", batches, at_least=1),
        max(commits, 1),
        number("think_time_s", think_time_s, at_least=0),
        number("base_s", base_s, at_least=0),
        query,
        number("abort_probability", abort_probability, at_least=0, at_most=1),
    )
    pools = whole("batch_threads", batch_threads), whole("commit_threads", commit_threads)
    return (
        draws,
        n,
        commits,
        0 if lease_first else max(commits, 1) - 1,
        number("max_delay_s", max_delay_s, at_least=0),
        choice("flusher", flusher, FLUSHERS) == "adaptive",
        whole("long_transactions", long_transactions),
        tuple(threads or n for threads in pools),
    )


def simulate_batches(
    *, clients=50, batches=3000, think_time_s=0.0, base_s=0.0, timeout_s=1.0, retries=3,
    max_delay_s=2.0, commits=1, flusher="fixed", lease_first=True, batch_threads=0,
    commit_threads=0, failure_probability=1.0, reply_s=0.0, abort_probability=0.0,
    long_transactions=0, seed=0,
) -> tuple:  # fmt: skip
    """Simulate the published test: throughput (batches a second) and mean response time (s).

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
    makespan_s, response_s = _batches(*experiment(**locals()))
    return batches / number("time of all batches", makespan_s, above=0), response_s
