"""Customers who commit again and again, and a leader who waits for others before each flush."""

from typing import NamedTuple

from tunables.base.arguments import integer, number
from tunables.simulators.arrays import Floats, Integers, describe
from tunables.simulators.draws import from_seed
from tunables.simulators.group_commits_kernel import draw_think_times, group_commits_kernel, room
from tunables.simulators.limits import MOST_ROWS, check_size
from tunables.theory.closed_network import MOST_CUSTOMERS


class Commits(NamedTuple):
    """Commits in the order of the requests, one array per column; rows: their number.

    customer asked for the commit at asked_s. flush is the number, from 0, of the flush that the
    commit shared; begun_s and ended_s are the times at which this flush began and ended.
    """

    rows: int
    asked_s: Floats
    begun_s: Floats
    ended_s: Floats
    customer: Integers
    flush: Integers

    def __repr__(self) -> str:
        return describe(self)


def scenario(
    customers, flush_time_s, max_delay_s, think_time_s=0.0, *, commits=3200, spread=0.0, seed=0
) -> tuple:
    """Check the arguments, draw the think times and return the arguments of the kernel."""
    n = integer("customers", customers, at_least=1, at_most=MOST_CUSTOMERS)
    commits = integer("commits", commits, at_least=1)
    check_size("commits + customers", commits + n)
    think_s = draw_think_times(
        from_seed(integer("seed", seed)),
        commits + n,
        number("think_time_s", think_time_s, at_least=0),
        number("spread", spread, at_least=0, at_most=1),
    )
    flush_s = number("flush_time_s", flush_time_s, above=0)
    return n, commits, flush_s, number("max_delay_s", max_delay_s, at_least=0), think_s


def simulate_group_commits(
    customers: int,
    flush_time_s: float,
    max_delay_s: float,
    think_time_s: float = 0.0,
    *,
    commits: int = 3200,
    spread: float = 0.0,
    seed: int = 0,
) -> tuple[float, float]:
    """Simulate a closed group commit; return commits/s and mean latency (s).

    All N customers ask at time 0, and again after each commit and a think time z, uniform within
    +- spread of it. The first customer that asks while nobody waits or flushes is the leader: it
    waits for D and flushes for F. A customer that asks during a flush is in the next one, whose
    leader waits for D from the end of this one. A request at the very moment at which a flush
    begins misses it, so a leader without a delay goes alone. The run ends with the flush that
    completes the number of commits.
    The closed form is `tunables.theory.group_commit.closed_group_commit`.

    Raises ValueError for counts that are not whole and above 0, negative times, a flush time that
    is not above 0, or a spread outside [0, 1].

    >>> [round(simulate_group_commits(16, 0.005, d)[0]) for d in (0.0, 0.001, 0.005, 0.025)]
    [1600, 2667, 1600, 533]
    >>> results = simulate_group_commits(5, 0.005, 0.001, 0.0005, commits=100, spread=0.5, seed=1)
    >>> [round(result, 4) for result in results]
    [793.4496, 0.0058]
    """
    settings = scenario(
        customers, flush_time_s, max_delay_s, think_time_s, commits=commits, spread=spread,
        seed=seed,
    )  # fmt: skip
    return group_commits_kernel(*settings, *room(0))[:2]


def trace_group_commits(
    customers: int,
    flush_time_s: float,
    max_delay_s: float,
    think_time_s: float = 0.0,
    *,
    commits: int = 3200,
    spread: float = 0.0,
    seed: int = 0,
    rows: int = 10_000,
) -> Commits:
    """Return the first commits of the run of `simulate_group_commits` with these settings.

    Commits/s are the rows over the last ended_s; the latency is the mean of ended_s - asked_s.
    Raises ValueError for rows that are not a whole number, and as `simulate_group_commits` does.

    >>> trace_group_commits(4, 0.005, 0.0, rows=8).flush.tolist()
    [0, 1, 1, 1, 2, 3, 3, 3]
    """
    columns = room(integer("rows", rows, at_most=MOST_ROWS))
    settings = scenario(
        customers, flush_time_s, max_delay_s, think_time_s, commits=commits, spread=spread,
        seed=seed,
    )  # fmt: skip
    *_, count = group_commits_kernel(*settings, *columns)
    return Commits(count, *(column[:count] for column in columns))
