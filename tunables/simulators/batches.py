"""The published experiment: clients whose batches wait for a lease query and a flusher."""

from tunables.base.arguments import choice, integer, number
from tunables.simulators.batches_kernel import (
    BatchDraws,
    BatchEvents,
    Rules,
    batches_kernel,
    columns,
    draw_batches,
    room,
    run_batches,
)
from tunables.simulators.draws import from_seed
from tunables.simulators.keywords import check_keywords
from tunables.simulators.limits import MOST_ENTRIES, MOST_ROWS, check_size
from tunables.theory.closed_network import MOST_CUSTOMERS
from tunables.theory.retries import MOST_RETRIES

FLUSHERS = ("fixed", "adaptive")


def experiment(
    *,
    clients=50,
    batches=3000,
    think_time_s=0.0,
    base_s=0.0,
    timeout_s=1.0,
    retries=3,
    max_delay_s=2.0,
    commits=1,
    flusher="fixed",
    lease_first=True,
    batch_threads=0,
    commit_threads=0,
    failure_probability=1.0,
    reply_s=0.0,
    abort_probability=0.0,
    long_transactions=0,
    seed=0,
) -> tuple[BatchDraws, Rules]:
    """Return the draws and rules of one run of `simulate_batches` with the same arguments.

    A seed gives the same draws for all settings that need the same number of them.
    """
    n = integer("clients", clients, at_least=1, at_most=MOST_CUSTOMERS)
    batches = integer("batches", batches, at_least=1)
    commits = integer("commits", commits)
    transactions = max(commits, 1)
    check_size("batches * commits", batches * transactions)
    state = from_seed(integer("seed", seed))
    timeout_s = number("timeout_s", timeout_s, at_least=0)
    draws = draw_batches(
        state,
        batches,
        transactions,
        number("think_time_s", think_time_s, at_least=0),
        number("base_s", base_s, at_least=0),
        number("abort_probability", abort_probability, at_least=0, at_most=1),
        number("failure_probability", failure_probability, at_least=0, at_most=1),
        timeout_s,
        integer("retries", retries, at_most=MOST_RETRIES),
        number("reply_s", reply_s, at_least=0, at_most=timeout_s),
    )
    rules = Rules(
        n,
        commits,
        0 if lease_first else transactions - 1,
        number("max_delay_s", max_delay_s, at_least=0),
        choice("flusher", flusher, FLUSHERS) == "adaptive",
        integer("long_transactions", long_transactions, at_most=MOST_ENTRIES),
        min(integer("batch_threads", batch_threads) or n, n),
        min(integer("commit_threads", commit_threads) or n, n),
    )
    return BatchDraws(*draws), rules


def simulate_batches(**settings: float | str | None) -> tuple[float, float]:
    """Simulate the published test; return throughput (batches/s) and mean response time (s).

    The settings and their defaults: clients=50, batches=3000, think_time_s=0.0, base_s=0.0,
    timeout_s=1.0, retries=3, max_delay_s=2.0, commits=1, flusher="fixed", lease_first=True,
    batch_threads=0, commit_threads=0, failure_probability=1.0, reply_s=0.0,
    abort_probability=0.0, long_transactions=0, seed=0.

    N clients start together and share a fixed number of batches. After each batch a client thinks
    for an exponential time of mean Z. A batch has `commits` transactions (0: one transaction that
    waits for no flush). The first (without lease_first, the last) begins with the lease query:
    r + 1 attempts of T that each fail with failure_probability, or a reply after reply_s. Each
    transaction works for an exponential time of mean b / commits, then waits for the flusher:

    - "fixed": always for the maximum delay D
    - "adaptive": until every active transaction has reached the flusher, but at most D after the
      first began to wait; then all that wait commit together. A transaction aborts with
      abort_probability: its batch ends, and the flusher waits for it in vain once.
      long_transactions never reach the flusher.

    A batch holds one of batch_threads from start to end, and one of commit_threads from its
    work to its commit (0: as many threads as clients). Both pools are first come, first served.
    Throughput is computed as in the document: all batches over the time at which the last ends.

    Raises ValueError for counts that are not whole, negative times, probabilities outside
    [0, 1], a reply above the timeout, an unknown flusher, or times that are all 0.

    >>> throughput, response_s = simulate_batches(base_s=0.076, think_time_s=0.032, commits=2)
    >>> round(throughput), round(response_s, 1)
    (6, 8.1)
    >>> settings = {"clients": 5, "batches": 100, "think_time_s": 0.03, "base_s": 0.076}
    >>> settings |= {"timeout_s": 1.0, "retries": 3, "max_delay_s": 2.0, "commits": 2}
    >>> settings |= {"batch_threads": 3, "commit_threads": 2, "failure_probability": 0.5}
    >>> settings |= {"reply_s": 0.1, "abort_probability": 0.1, "long_transactions": 1, "seed": 1}
    >>> flushers = ("fixed", "adaptive")
    >>> [round(simulate_batches(flusher=flusher, **settings)[1], 2) for flusher in flushers]
    [9.04, 8.7]
    """
    check_keywords(simulate_batches, settings, experiment)
    draws, rules = experiment(**settings)
    makespan_s, response_s = run_batches(draws, rules)
    return len(draws.think_s) / number("time of all batches", makespan_s, above=0), response_s


def trace_batches(*, rows: int = 50_000, **settings: float | str | None) -> BatchEvents:
    """Return the first events of the run of `simulate_batches` with these settings.

    Throughput is the number of batches over the time of the last answer. The response time is
    the mean time from a batch's request to its answer.
    Raises ValueError for rows that are not a whole number, and as `simulate_batches` does.

    >>> trace_batches(clients=1, batches=2, commits=0, rows=4).kind.tolist()
    [0, 2, 3, 6]
    """
    check_keywords(trace_batches, settings, experiment)
    time_s, facts = room(integer("rows", rows, at_most=MOST_ROWS))
    draws, rules = experiment(**settings)
    *_, count = batches_kernel(rules, *draws, time_s, facts)
    return BatchEvents(*columns(count, time_s, facts))
