"""Replications of a simulation: one run, so many times, each output with its interval.

The one protocol of every simulation: whoever has a run has means and intervals of it.
"""

from collections.abc import Callable
from dataclasses import dataclass

from tunables.plain.arguments import whole
from tunables.plain.interval import interval

Run = dict[str, float]
Interval = tuple[float, float]


@dataclass(frozen=True)
class Simulation:
    """One run, `run(seed, **arguments) -> {output: float}`, and how many make an interval.

    A seed s stands for the runs with the seeds n s, n s + 1, ..., n s + n - 1, where n is
    `replications`: settings compared under one seed have the same random numbers.
    `needed(**arguments)` says how many of these n some arguments take, where fewer do: one, if
    their run draws nothing. One run has a half-width of 0.
    """

    run: Callable[..., Run]
    replications: int = 1
    needed: Callable[..., int] | None = None

    def runs(self, seed: int, **arguments) -> list[Run]:
        """Return what each replication says; raises ValueError unless seed is whole."""
        first = self.replications * whole("seed", seed)
        count = self.needed(**arguments) if self.needed else self.replications
        return [self.run(each, **arguments) for each in range(first, first + count)]

    def intervals(self, seed: int, **arguments) -> dict[str, Interval]:
        """Return {output: (mean, half-width of its 95 % interval)} over the replications."""
        runs = self.runs(seed, **arguments)
        return {output: interval([run[output] for run in runs]) for output in runs[0]}
