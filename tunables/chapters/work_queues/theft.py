"""Chapter 6's rival: every item costs the same, and other programs steal the processor."""

from collections.abc import Sequence
from typing import NamedTuple

from tunables.chapters.work_queues.calibration import QUANTUM_S, Snapshot, intervals, rule
from tunables.plain.arguments import number
from tunables.theory.granularity_paths import path_between
from tunables.theory.stolen_slices import stolen_continuation_probabilities

# Of a grid of both, the pair that makes the printed granularities likeliest.
COST_S = 173e-6
BURST_S = 0.55e-3
_HALVINGS = 40


class Theft(NamedTuple):
    """Share of the wall's time that was stolen in each interval; how probable the printed
    granularities then are; and what all items took, on the processor and by the wall, s."""

    shares: tuple[float, ...]
    probability: float
    cpu_s: float
    wall_s: float


def steal(
    snapshots: Sequence[Snapshot], items: int, cost_s: float = COST_S, burst_s: float = BURST_S
) -> Theft:
    """Find the share stolen in each interval that lets it take its items in its runs.

    cost_s: CPU time of each item; burst_s: mean of a theft, exponential. The more is stolen,
    the fewer items a run takes, so the share is found by halving.
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
            else:  # also where the chain cannot get there, as when nearly all is stolen
                high = middle
        shares.append(low)
        probability *= path(low)[0]
        wall_s += taken * cost_s / (1 - low)
    return Theft(tuple(shares), probability, items * cost_s, wall_s)
