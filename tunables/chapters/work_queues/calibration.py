"""Chapter 6: fits to the clear queue's counters and to a reader's, a rival, and the clocks.

The daemon printed the queue's counters five times while it drained. Between two prints the
mean cost of an item is the one for which the granularity chain, from the first printed
granularity to the second in the printed number of runs, takes the items that left the queue.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from tunables.base.arguments import integer, number, numbers
from tunables.base.portable import plain_sum
from tunables.chapters.work_queues.fit import BRING, COLUMNS, MODEL, count, report, solve
from tunables.core.fit import Fit, FitRequest
from tunables.core.reading import text_of
from tunables.evidence.published import Record, published
from tunables.simulators.work_queue import drain_work_queue
from tunables.theory.granularity_paths import mean_cost_between, path_between, runs_between
from tunables.theory.slicing import GROWTH_RULES, can_have_made
from tunables.theory.stolen_slices import stolen_continuation_probabilities

QUANTUM_S = 0.010  # THREAD_YIELD_TIME_SLOT in lib/thread.h of Quagga, May 2005
# BGP_IMPORT_INTERVAL_DEFAULT in bgpd/bgp_nexthop.h; `bgp_import` starts its timer again as it runs
IMPORT_PERIOD_S = 15
CONNECT_RETRY_S = 120  # BGP_DEFAULT_CONNECT_RETRY in bgpd/bgpd.h
# Theft: of the pairs of a grid at which no run can take three blocks of 29 items, the one for which
# the printed granularities are likeliest.
COST_S = 173e-6
BURST_S = 0.55e-3
_HALVINGS = 40


def rule_that_made(granularities: Iterable[float]) -> str:
    """Return the one growth rule under which a queue can show all these granularities.

    Raises ValueError where none or more than one can.

    >>> rule_that_made([1, 23, 29])
    '2005-05-06'
    """
    seen = sorted({int(each) for each in numbers("granularities", granularities, at_least=1)})
    able = [rule for rule in GROWTH_RULES if all(can_have_made(g, rule) for g in seen)]
    if len(able) != 1:
        raise ValueError(
            f"granularities = {seen}: they must point to one rule, not to {able or 'none'}"
        )
    return able[0]


@cache
def rule() -> str:
    """Return the rule that made all granularities of the document."""
    records = published("quagga-work-queues").values()
    return rule_that_made(each.value for each in records if each.quantity == "granularity")


class Snapshot(NamedTuple):
    """Counters of a queue at one moment: items left, runs so far, and the cycle counts."""

    items: int
    runs: int
    best: int
    granularity: int
    cycles_per_run: int


class QueueFit(NamedTuple):
    """Items at the start, the mean cost (s) in each interval, and the probability of the printed
    granularities under them."""

    items: int
    mean_costs_s: tuple[float, ...]
    probability: float


def read_snapshots(records: Mapping[str, Record], queue: str) -> list[Snapshot]:
    """Return the snapshots of a queue, from the first print to the first with no item left."""
    fields = ("items", "runs", "best", "granularity", "mean-cycles")
    snapshots: list[Snapshot] = []
    while not snapshots or snapshots[-1].items > 0:
        row = f"snapshot-{len(snapshots) + 1}-{queue}"
        snapshots.append(Snapshot(*(int(records[f"{row}-{name}"].value) for name in fields)))
    return snapshots


def item_bounds(snapshots: Sequence[Snapshot]) -> tuple[int, int]:
    """Return the least and the most items that the queue held at the start.

    The printed average a = floor(cycles/runs) leaves runs a <= cycles < runs (a + 1), and the
    items taken and those left are the items at the start in every snapshot.
    """
    least = max(s.items + s.runs * s.cycles_per_run for s in snapshots)
    most = min(s.items + s.runs * (s.cycles_per_run + 1) - 1 for s in snapshots)
    return least, most


def intervals(snapshots: Sequence[Snapshot], items: int) -> list[tuple[Snapshot, Snapshot]]:
    """Return each snapshot with the one before it; the first is that of the full queue."""
    return list(pairwise([Snapshot(items, 0, 0, 1, 0), *snapshots]))


def calibrate(snapshots: Sequence[Snapshot], shape: float, items: int | None = None) -> QueueFit:
    """Return the mean cost of each interval for gamma costs of this shape.

    items (at the start) is by default the middle of `item_bounds`.
    Raises ValueError for a shape that is not above 0 or items outside the bounds.
    """
    least, most = item_bounds(snapshots)
    items = integer("items", (least + most + 1) // 2 if items is None else items, least, most)
    costs = []
    probability = 1.0
    for a, b in intervals(snapshots, items):
        runs, rest = b.runs - a.runs, (shape, QUANTUM_S, rule())
        cost_s = mean_cost_between(a.items - b.items, runs, a.granularity, b.granularity, *rest)
        probability *= runs_between(a.granularity, b.granularity, runs, cost_s, *rest)[0]
        costs.append(cost_s)
    return QueueFit(items, tuple(costs), probability)


def calibrate_shape(snapshots: Sequence[Snapshot]) -> float:
    """Return the shape, to one decimal, under which the printed granularities are likeliest.

    Climbs in tenths from 1 (exponential costs).
    """

    def probability(tenths: int) -> float:
        return calibrate(snapshots, tenths / 10).probability

    tenths, best = 10, probability(10)
    for step in (-1, 1):
        while tenths + step > 0 and (near := probability(tenths + step)) > best:
            tenths, best = tenths + step, near
    return tenths / 10


def simulate_snapshots(
    snapshots: Sequence[Snapshot], fit: QueueFit, shape: float, seed: int
) -> tuple[list[Snapshot], np.ndarray]:
    """Drain a queue of the fitted costs, and print its counters after the published runs.

    The last snapshot is that of the empty queue. Returns (snapshots, slice lengths in s).
    """
    taken = [a.items - b.items for a, b in intervals(snapshots, fit.items)]
    rng = np.random.default_rng(seed)
    draws = rng.standard_gamma(shape, fit.items) / shape
    costs_s = draws * np.repeat(fit.mean_costs_s, taken)
    drain = drain_work_queue(costs_s, QUANTUM_S, rule())
    total = np.cumsum(drain.cycles)
    runs = [min(s.runs, len(total)) for s in snapshots[:-1]] + [len(total)]
    simulated = [
        Snapshot(
            fit.items - int(total[n - 1]),
            n,
            int(drain.best[n - 1]),
            int(drain.granularity[n - 1]),
            int(total[n - 1]) // n,
        )
        for n in runs
    ]
    return simulated, drain.slice_s


def split_bounds(
    wall_s: float, first_runs: int, quantum_s: float = QUANTUM_S
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return bounds on how two queues shared wall_s of slices, of which only the sum was printed.

    Every run of the first queue except its last took longer than the quantum. The second queue may
    have been emptied early in each of its runs, so they have no lower bound.
    Returns ((least, most) of the first, (least, most) of the second), in seconds.

    >>> split_bounds(202.8, 7632)
    ((76.31, 202.8), (0.0, 126.49))
    """
    quantum_s = number("quantum_s", quantum_s, at_least=0)
    least = (integer("first_runs", first_runs, at_least=1) - 1) * quantum_s
    wall_s = number("wall_s", wall_s, at_least=least)
    return (least, wall_s), (0.0, round(wall_s - least, 9))


class ClearQueue(NamedTuple):
    """The printed snapshots, and the gamma costs (s) that were fitted to them."""

    snapshots: list[Snapshot]
    shape: float
    fit: QueueFit

    @property
    def intervals(self) -> list[tuple[Snapshot, Snapshot]]:
        """Each snapshot with the one before it; the first is that of the full queue."""
        return intervals(self.snapshots, self.fit.items)

    @property
    def clearing_s(self) -> float:
        """CPU time of all items, seconds."""
        costs_s = self.fit.mean_costs_s
        pairs = zip(self.intervals, costs_s, strict=True)
        return plain_sum((a.items - b.items) * cost_s for (a, b), cost_s in pairs)

    @property
    def mean_cost_s(self) -> float:
        """Mean cost of an item over all intervals, seconds."""
        return self.clearing_s / self.fit.items


@cache
def clear_queue() -> ClearQueue:
    """Return the clear queue of the document, fitted; the fit takes about a second."""
    snapshots = read_snapshots(published("quagga-work-queues"), "clear-route-node")
    shape = calibrate_shape(snapshots)
    return ClearQueue(snapshots, shape, calibrate(snapshots, shape))


class Theft(NamedTuple):
    """The share of wall time that was stolen in each interval, the probability of the printed
    granularities under it, and the CPU and wall time of all items, s."""

    shares: tuple[float, ...]
    probability: float
    cpu_s: float
    wall_s: float


def steal(
    snapshots: Sequence[Snapshot], items: int, cost_s: float = COST_S, burst_s: float = BURST_S
) -> Theft:
    """Return the rival's fit: every item costs the same, and other programs steal the processor.

    In each interval it finds the stolen share for which the printed runs take the items that left.
    cost_s: CPU time of each item; burst_s: mean length of a theft, exponential. The more is
    stolen, the fewer items per run takes, so the share is found by bisection.
    Raises ValueError for a cost or burst that is not above 0.
    """
    number("cost_s", cost_s, above=0)
    number("burst_s", burst_s, above=0)
    shares = []
    probability, wall_s = 1.0, 0.0
    for a, b in intervals(snapshots, items):
        taken, runs = a.items - b.items, b.runs - a.runs

        def path(share, a=a, b=b, runs=runs):
            def chances(g):
                return stolen_continuation_probabilities(g, cost_s, share, burst_s, QUANTUM_S)

            return path_between(a.granularity, b.granularity, runs, rule(), chances)

        low, high = 0.0, 0.9
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            if path(middle)[1] > taken:
                low = middle
            else:  # also if the chain cannot get there, because nearly all time is stolen
                high = middle
        shares.append(low)
        probability *= path(low)[0]
        wall_s += taken * cost_s / (1 - low)
    return Theft(tuple(shares), probability, items * cost_s, wall_s)


class Clocks(NamedTuple):
    """Seconds between the two summaries; bounds on the seconds between the two CPU tables; the
    wall and CPU time of the loop between those tables; and the seconds from the first summary
    until each cleared session was up again."""

    summaries_s: float
    tables_s: tuple[float, float]
    loop_wall_s: float
    loop_cpu_s: float
    up_again_s: dict[int, float]


def read_clocks() -> Clocks:
    """Return the times that can be read from the document's tables.

    A session that stayed up was up longer in the second summary, by the time between the two.
    A session that was cleared had been up for the time that the second summary prints. All times
    are rounded down to integer seconds, so differences are right within a second. During n calls
    of a timer more than n - 1 and fewer than n + 1 of its periods pass.
    """
    summary, cpu = published("quagga-bgp-summary"), published("quagga-thread-cpu")

    def up_s(table, host):
        return summary[f"summary-{table}-neighbour-{host}-up"].value

    def gain(row, quantity):
        first, second = (cpu[f"table-{table}-{row}-{quantity}"].value for table in (1, 2))
        return second - first

    def wall_s(table):
        total = f"table-{table}-total"
        return cpu[f"{total}-mean-wall"].value * cpu[f"{total}-calls"].value / 1e6

    stayed_s = {up_s(2, host) - up_s(1, host) for host in (11, 53)}
    between_s = plain_sum(stayed_s) / len(stayed_s)
    calls = gain("bgp-import", "calls")
    return Clocks(
        summaries_s=between_s,
        tables_s=((calls - 1) * IMPORT_PERIOD_S, (calls + 1) * IMPORT_PERIOD_S),
        loop_wall_s=wall_s(2) - wall_s(1),
        loop_cpu_s=gain("total", "runtime") / 1000,
        up_again_s={host: between_s - up_s(2, host) for host in (23, 18)},
    )


def fit_work_queues(source) -> Fit:
    """Fit the mean cost of an item to a daemon's counts, and predict its times.

    The cost c is the one for which the granularity chain takes the items done by the first
    snapshot in the printed number of runs. The growth rule is the one whose granularity is then
    nearest to the printed one. Times are never fitted. Held out are the mean length of a run in
    every snapshot, and from the second snapshot on the runs since the first and the granularity.
    Raises ValueError for what `text_of` and `count` refuse, and if no cost gives the counts.
    """
    return report(solve(count(text_of(source))))


def fit_request() -> FitRequest:
    """Return the fit to a reader's numbers, and what it wants."""
    return FitRequest(fit_work_queues, MODEL, BRING, COLUMNS)
