"""Chapter 1's published experiment, compiled: a seed and numbers in, numbers out."""

from tunables.simulators.batches_draws import draw_batches
from tunables.simulators.batches_kernel import Rules, batches_kernel
from tunables.simulators.batches_rows import columns, room
from tunables.simulators.compiled import compiled
from tunables.simulators.draws import seeded


@compiled
def _run(
    seed, batches, commits, adaptive, long_transactions, clients, max_delay_s, timeout_s, retries,
    base_s, think_s, batch_threads, commit_threads, rows,
):  # fmt: skip
    """Return the time of the last answer, the mean response time, and the columns of rows."""
    state = seeded(seed)
    draws = draw_batches(
        state, batches, max(commits, 1), think_s, base_s, 0.0, 1.0, timeout_s, retries, 0.0
    )
    rules = Rules(
        clients, commits, 0, max_delay_s, adaptive, long_transactions, batch_threads, commit_threads
    )
    time_s, facts = room(rows)
    makespan_s, response_s, count = batches_kernel(rules, *draws, time_s, facts)
    return makespan_s, response_s, columns(count, time_s, facts)


@compiled
def experiment(
    seed, batches, commits, adaptive, long_transactions, clients, max_delay_s, timeout_s, retries,
    base_s, think_s, batch_threads, commit_threads,
):  # fmt: skip
    """Return the time of the last answer and the mean response time of one run.

    All clients start at once, and each lease query times out. The arguments are those of
    `simulate_batches`, but a pool without limit has a thread for each client.
    """
    return _run(
        seed, batches, commits, adaptive, long_transactions, clients, max_delay_s, timeout_s,
        retries, base_s, think_s, batch_threads, commit_threads, 0,
    )[:2]  # fmt: skip


@compiled
def trace(
    seed, batches, commits, adaptive, long_transactions, clients, max_delay_s, timeout_s, retries,
    base_s, think_s, batch_threads, commit_threads, rows,
):  # fmt: skip
    """Return the first rows of what happens in such a run, as `BatchEvents` says."""
    return _run(
        seed, batches, commits, adaptive, long_transactions, clients, max_delay_s, timeout_s,
        retries, base_s, think_s, batch_threads, commit_threads, rows,
    )[2]  # fmt: skip
