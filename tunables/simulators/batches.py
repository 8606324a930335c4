"""The published experiment: clients whose batches wait for a lease query and for a flusher."""

from tunables.plain.arguments import choice, number, whole
from tunables.simulators.batches_draws import Draws, draw_batches
from tunables.simulators.batches_kernel import Rules, batches_kernel, run_batches
from tunables.simulators.batches_rows import BatchEvents, columns, room
from tunables.simulators.draws import from_seed
from tunables.simulators.limits import MOST_ENTRIES, MOST_ROWS, enough
from tunables.theory.closed_network import MOST_CUSTOMERS
from tunables.theory.retries import MOST_RETRIES

FLUSHERS = ("fixed", "adaptive")


def experiment(
    *, clients=50, batches=3000, think_time_s=0.0, base_s=0.0, timeout_s=1.0, retries=3,
    max_delay_s=2.0, commits=1, flusher="fixed", lease_first=True, batch_threads=0,
    commit_threads=0, failure_probability=1.0, reply_s=0.0, abort_probability=0.0,
    long_transactions=0, seed=0,
) -> tuple[Draws, Rules]:  # fmt: skip
    """Return the draws and rules of one run of `simulate_batches`, whose arguments these are.

    The same seed gives the same draws at all settings that leave their number alone.
    """
    n = whole("clients", clients, at_least=1, at_most=MOST_CUSTOMERS)
    batches = whole("batches", batches, at_least=1)
    commits = whole("commits", commits)
    transactions = max(commits, 1)
    enough("batches * commits", batches * transactions)
    state = from_seed(whole("seed", seed))
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
        whole("retries", retries, at_most=MOST_RETRIES),
        number("reply_s", reply_s, at_least=0, at_most=timeout_s),
    )
    rules = Rules(
        n,
        commits,
        0 if lease_first else transactions - 1,
        number("max_delay_s", max_delay_s, at_least=0),
        choice("flusher", flusher, FLUSHERS) == "adaptive",
        whole("long_transactions", long_transactions, at_most=MOST_ENTRIES),
        min(whole("batch_threads", batch_threads) or n, n),
        min(whole("commit_threads", commit_threads) or n, n),
    )
    return Draws(*draws), rules


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


def trace_batches(*, rows=50_000, **settings) -> BatchEvents:
    """Return the first events of the run of `simulate_batches` with these settings.

    Throughput is the number of batches over the time of the last answer; the response time is
    the mean over the batches of the time from asking to the answer.
    Raises ValueError for rows that are not a whole number, and as `simulate_batches` does.

    >>> trace_batches(clients=1, batches=2, commits=0, rows=4).kind.tolist()
    [0, 2, 3, 6]
    """
    time_s, facts = room(whole("rows", rows, at_most=MOST_ROWS))
    draws, rules = experiment(**settings)
    *_, count = batches_kernel(rules, *draws, time_s, facts)
    return BatchEvents(*columns(count, time_s, facts))
