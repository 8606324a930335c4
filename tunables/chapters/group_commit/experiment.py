"""Chapter 1's experiments, compiled: the published batches, and clients that only commit."""

from tunables.simulators.batches_kernel import Rules, batches_kernel, columns, draw_batches
from tunables.simulators.batches_kernel import room as events_room
from tunables.simulators.compiled import compiled
from tunables.simulators.draws import new_state
from tunables.simulators.group_commits_kernel import draw_think_times, group_commits_kernel
from tunables.simulators.group_commits_kernel import room as commits_room


@compiled
def _run(
    seed, batches, commits, adaptive, long_transactions, clients, max_delay_s, timeout_s, retries,
    base_s, think_s, batch_threads, commit_threads, rows,
):  # fmt: skip
    """Return the time of the last answer, the mean response time, and the columns of events."""
    state = new_state(seed)
    draws = draw_batches(
        state, batches, max(commits, 1), think_s, base_s, 0.0, 1.0, timeout_s, retries, 0.0
    )
    rules = Rules(
        clients, commits, 0, max_delay_s, adaptive, long_transactions, batch_threads, commit_threads
    )
    time_s, facts = events_room(rows)
    makespan_s, response_s, count = batches_kernel(rules, *draws, time_s, facts)
    return makespan_s, response_s, columns(count, time_s, facts)


@compiled
def experiment(
    seed, batches, commits, adaptive, long_transactions, clients, max_delay_s, timeout_s, retries,
    base_s, think_s, batch_threads, commit_threads,
):  # fmt: skip
    """Return the time of the last answer and the mean response time of one run.

    All clients start at once, and each lease query times out. The arguments are those of
    `simulate_batches`, except that an unlimited pool has a thread for each client.
    """
    return _run(
        seed, batches, commits, adaptive, long_transactions, clients, max_delay_s, timeout_s,
        retries, base_s, think_s, batch_threads, commit_threads, 0,
    )[:2]  # fmt: skip


@compiled
def trace_batches(
    seed, batches, commits, adaptive, long_transactions, clients, max_delay_s, timeout_s, retries,
    base_s, think_s, batch_threads, commit_threads, rows,
):  # fmt: skip
    """Return the number of events of such a run, and the columns of `BatchEvents` of the first."""
    return _run(
        seed, batches, commits, adaptive, long_transactions, clients, max_delay_s, timeout_s,
        retries, base_s, think_s, batch_threads, commit_threads, rows,
    )[2]  # fmt: skip


@compiled
def trace_commits(
    seed, customers, commits, flush_time_s, max_delay_s, think_time_s, spread, rows
):  # fmt: skip
    """Return the number of commits, and the columns of `Commits` of the first.

    The clients wait for nothing but the flush.
    """
    think_s = draw_think_times(new_state(seed), commits + customers, think_time_s, spread)
    asked_s, begun_s, ended_s, customer, flush = commits_room(rows)
    _, _, count = group_commits_kernel(
        customers, commits, flush_time_s, max_delay_s, think_s,
        asked_s, begun_s, ended_s, customer, flush,
    )  # fmt: skip
    kept = min(count, rows)
    return count, asked_s[:kept], begun_s[:kept], ended_s[:kept], customer[:kept], flush[:kept]
