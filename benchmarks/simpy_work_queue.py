"""The peer: the same work queue as a SimPy process, with one event per item."""

from collections.abc import Iterable

import simpy


def simpy_drain(
    costs_ns: Iterable[int], quantum_ns: int, factor: int, ramp: bool
) -> list[tuple[float, ...]]:
    """Return (cycles, granularity, best, nanoseconds, checks) of each run."""
    env = simpy.Environment()
    runs: list[tuple[float, ...]] = []

    def queue():
        waiting = iter(costs_ns)
        cost = next(waiting, None)
        granularity = 1
        best = 0
        while cost is not None:
            began = env.now
            cycles = checks = 0
            while cost is not None:
                yield env.timeout(cost)
                cost = next(waiting, None)
                cycles += 1
                if cycles % granularity == 0:
                    checks += 1
                    if env.now - began > quantum_ns:
                        break
            if cycles >= granularity:
                best = max(best, cycles)
                if ramp and cycles > factor**2 * granularity:
                    granularity *= factor
                elif cycles > factor * granularity:
                    granularity += factor
            runs.append((cycles, granularity, best, env.now - began, checks))

    env.process(queue())
    env.run()
    return runs
