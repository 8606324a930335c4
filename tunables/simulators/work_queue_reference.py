"""The work queue of `drain_work_queue` in plain Python; times in nanoseconds."""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tunables.base.arguments import integer

Growth = Callable[[int, int], int]


@dataclass
class WorkQueue:
    """The costs of the waiting items, and how often a run looks at the clock."""

    costs: deque[int]
    granularity: int
    growth: Growth
    best: int = 0

    def run(self, quantum: int, check_cost: int) -> tuple[int, int, list[int]]:
        """Take items until a look at the clock finds the quantum passed, or none is left.

        Returns (items taken, time passed, times of the looks at the clock).
        """
        cycles = elapsed = 0
        looks = []
        while self.costs:
            elapsed += self.costs.popleft()
            cycles += 1
            if cycles % self.granularity == 0:
                elapsed += check_cost
                looks.append(elapsed)
                if elapsed > quantum:
                    break
        if cycles >= self.granularity:
            self.best = max(self.best, cycles)
            grown = self.growth(cycles, self.granularity)
            self.granularity = integer("rule(cycles, granularity)", grown, at_least=1)
        return cycles, elapsed, looks


def drain_reference(
    costs: Iterable[int], quantum: int, growth: Growth, granularity: int, check_cost: int
) -> list[tuple[int, int, int, int, int]]:
    """Return (cycles, granularity, best, nanoseconds, checks) of each run until it is empty."""
    queue = WorkQueue(deque(costs), granularity, growth)
    runs = []
    while queue.costs:
        cycles, elapsed, looks = queue.run(quantum, check_cost)
        runs.append((cycles, queue.granularity, queue.best, elapsed, len(looks)))
    return runs
