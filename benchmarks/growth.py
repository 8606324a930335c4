"""How time and memory of each model grow with its size: exponents over three decades.

python -m benchmarks.growth    (about three minutes)

An exponent is the slope of the logarithms, by least squares: 1 is proportional. Sizes are taken
in turn, RUNS times; the median counts. Memory is the most that Python and numpy held at once.
"""

import tracemalloc
from collections.abc import Callable
from statistics import median
from time import perf_counter

import numpy as np

from benchmarks.machine import machine
from tunables.page.chapters import module
from tunables.simulators.batches import simulate_batches
from tunables.simulators.caches import miss_ratio_curve, simulate_policy, zipf_trace
from tunables.simulators.closed_system import simulate_closed_system
from tunables.simulators.event_loop import Queue, simulate_event_loop
from tunables.simulators.flows import simulate_flows
from tunables.simulators.group_commits import simulate_group_commits
from tunables.simulators.packets import simulate_packets
from tunables.simulators.queries import simulate_queries
from tunables.simulators.retry_storm import simulate_retry_storm
from tunables.simulators.tandem import simulate_tandem
from tunables.simulators.tcp_rounds import simulate_tcp_rounds
from tunables.simulators.work_queue import drain_work_queue

RUNS = 3
DPP = module("dpp", "predictor")
_DRAW = np.random.default_rng(0)

Prepared = Callable[[int], Callable[[], object]]


def _cache(requests):
    trace = zipf_trace(max(10, requests // 10), requests, 0.8, seed=1)
    return lambda: simulate_policy(trace, max(1, requests // 100), "lru")


def _curve(requests):
    trace = zipf_trace(max(10, requests // 10), requests, 0.8, seed=1)
    return lambda: miss_ratio_curve(trace)


def _clients(completions):
    return lambda: simulate_closed_system(50, 8, 1.0, 0.2, completions)


def _tandem(customers):
    service_s = _DRAW.exponential(1.0, (customers, 4))
    return lambda: simulate_tandem(service_s, [float("inf"), 3, 5])


def _queue(items):
    costs_s = _DRAW.gamma(0.8, 0.00036 / 0.8, items)
    return lambda: drain_work_queue(costs_s, 0.010, "2010")


def _flows(transactions):
    counts = [transactions // 100] * 5
    return lambda: simulate_flows([20] * 5, DPP.SIZE_BYTES, counts, [0.005] * 5, 9.5e9, "ps")


def _packets(transactions):
    counts = [transactions // 5] * 5
    sizes = [10 * 8948] * 5
    return lambda: simulate_packets([20] * 5, sizes, counts, [0.005] * 5, 9.5e9)


def _batches(batches):
    return lambda: simulate_batches(
        clients=50,
        batches=batches,
        think_time_s=0.03,
        base_s=0.076,
        timeout_s=0.5,
        retries=1,
        max_delay_s=0.025,
        commits=2,
    )


def _commits(commits):
    return lambda: simulate_group_commits(16, 0.005, 0.001, 0.0005, commits=commits)


def _queries(queries):
    return lambda: simulate_queries(0.5, 1.0, 3, 0.05, queries=queries)


def _storm(horizon_s):
    return lambda: simulate_retry_storm(30.0, 100.0, horizon_s=float(horizon_s))


def _rounds(rounds):
    return lambda: simulate_tcp_rounds(0.1, 1e-4, rounds, seed=1)


def _loop(items):
    queue = Queue([0.0004] * items)
    return lambda: simulate_event_loop([queue], timers_s=[0.001 * k for k in range(items // 10)])


MODELS: dict[str, tuple[Prepared, tuple[int, ...]]] = {
    "LRU cache, requests": (_cache, (10_000, 100_000, 1_000_000, 10_000_000)),
    "whole LRU curve, requests": (_curve, (10_000, 100_000, 1_000_000, 10_000_000)),
    "clients, completions": (_clients, (10_000, 100_000, 1_000_000, 10_000_000)),
    "group commit, batches": (_batches, (1000, 10_000, 100_000, 1_000_000)),
    "group commit, commits": (_commits, (1000, 10_000, 100_000, 1_000_000)),
    "queries, queries": (_queries, (1000, 10_000, 100_000, 1_000_000)),
    "retry storm, seconds": (_storm, (100, 1000, 10_000, 100_000)),
    "TCP, round trips": (_rounds, (10_000, 100_000, 1_000_000, 10_000_000)),
    "event loop, items": (_loop, (1000, 10_000, 100_000, 1_000_000)),
    "tandem, customers": (_tandem, (1000, 10_000, 100_000, 1_000_000)),
    "work queue, items": (_queue, (10_000, 100_000, 1_000_000, 10_000_000)),
    "port, transactions": (_flows, (10_000, 100_000, 1_000_000, 10_000_000)),
    "port, transactions of ten packets": (_packets, (1000, 10_000, 100_000, 1_000_000)),
}


def slope(sizes, values) -> float:
    """Return the exponent p of values that grow as sizes^p, by least squares of the logarithms.

    >>> round(slope([10, 100, 1000], [3, 300, 30000]), 6)
    2.0
    """
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])


def _seconds(calls) -> list[float]:
    taken: list[list[float]] = [[] for _ in calls]
    for _ in range(RUNS):
        for call, times in zip(calls, taken, strict=True):
            start = perf_counter()
            call()
            times.append(perf_counter() - start)
    return [median(times) for times in taken]


def _peak_bytes(call) -> int:
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def main() -> None:
    print(*(f"{name}: {value}" for name, value in machine().items()), sep="\n")
    for title, (prepare, sizes) in MODELS.items():
        calls = [prepare(size) for size in sizes]
        calls[0]()  # which also compiles
        seconds, peaks = _seconds(calls), [_peak_bytes(call) for call in calls]
        print(
            f"\n{title}: time ~ n^{slope(sizes, seconds):.2f}, memory ~ n^{slope(sizes, peaks):.2f}"
        )
        for size, time_s, peak in zip(sizes, seconds, peaks, strict=True):
            print(f"  {size:>12,} {time_s:10.4f} s {peak / 2**20:10.2f} MiB", flush=True)


if __name__ == "__main__":
    main()
