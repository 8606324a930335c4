"""The numbers of the page "How many runs are enough": each from a simulator of the book."""

import math
from functools import cache

from tunables.base.statistics import confidence_interval, student_t
from tunables.core.registry import find_case
from tunables.page.simulation import compare_runs, first_seeds
from tunables.simulators.closed_system import simulate_closed_system
from tunables.theory.queueing import machine_repair

SEED = 1
DEARER = 1.02  # factor on the work of a transaction
SHOWN = 5  # runs shown one by one
STEPS = (5, 10, 20, 40)  # numbers of runs for which an interval is shown
# Twenty clients who think for 10 s on average, and one or two servers that take 1 s.
ONE, TWO = (20, 1, 10.0, 1.0), (20, 2, 10.0, 1.0)
STARTS, COUNTED, WARM_UPS = 1000, 100, (0, 25, 100)
COVERED, RUNS, LONG = 500, 10, 300

Intervals = list[tuple[float, float]]
System = tuple[int, int, float, float]


def _throughputs(first_seed: int, **settings) -> list[float]:
    case = find_case("rdu")
    arguments = case.settings(**settings)
    seeds = range(first_seed, first_seed + STEPS[-1])
    return [case.simulation.run(seed, **arguments)["throughput_per_s"] for seed in seeds]


@cache
def batches_per_s() -> tuple[list[float], list[float], list[float]]:
    """Return run by run: as published, and more expensive with equal and with other draws."""
    case = find_case("rdu")
    n, base_s = case.simulation.replications, DEARER * float(case.settings()["base_s"])
    first, same = first_seeds(SEED, n, common=True)
    _, other = first_seeds(SEED, n, common=False)
    dearer = [_throughputs(seed, base_s=base_s) for seed in (same, other)]
    return _throughputs(first), dearer[0], dearer[1]


def differences(runs: int, common: bool) -> Intervals:
    """Return the intervals as published, more expensive, and of the difference, of `runs` runs."""
    published, same, other = batches_per_s()
    return compare_runs(published[:runs], (same if common else other)[:runs])


def runs_to_tell(common: bool) -> int:
    """Return how many runs make an interval of the difference that leaves 0 out.

    The difference is taken as common numbers give it, its spread as all runs show it.
    """
    gap, m = abs(differences(STEPS[-1], True)[2][0]), STEPS[-1]
    spread = differences(m, common)[2][1] * math.sqrt(m) / student_t(0.95, m - 1)
    return next(n for n in range(2, 10**6) if student_t(0.95, n - 1) * spread < gap * n**0.5)


def response_s(seed: int, warm_up: int, counted: int, system: System = ONE) -> float:
    """Return the mean response time of one run of the closed system."""
    customers, servers, think_s, service_s = system
    _, response = simulate_closed_system(
        customers, servers, think_s, service_s, counted, seed=seed, warm_up=warm_up
    )
    return response


def exact_s() -> float:
    """Return the mean response time of the closed system in the long run."""
    return machine_repair(*ONE)[1]


@cache
def short_runs_s(warm_up: int) -> tuple[float, float]:
    """Return the interval of many short runs, each after `warm_up` uncounted completions."""
    return confidence_interval([response_s(seed, warm_up, COUNTED) for seed in range(STARTS)])


@cache
def count_covering() -> int:
    """Return how many of COVERED intervals, of RUNS runs each, contain the exact value."""
    found = 0
    for first in range(0, COVERED * RUNS, RUNS):
        runs = [response_s(seed, COUNTED, LONG) for seed in range(first, first + RUNS)]
        mean, half_width = confidence_interval(runs)
        found += abs(mean - exact_s()) <= half_width
    return found


@cache
def second_server(common: bool) -> tuple[float, float]:
    """Return the interval of how a second server changes the response time."""
    runs = STEPS[-1]
    start = first_seeds(SEED, runs, common)
    one, two = (
        [response_s(seed, COUNTED, LONG, system) for seed in range(first, first + runs)]
        for first, system in zip(start, (ONE, TWO), strict=True)
    )
    return compare_runs(one, two)[2]
