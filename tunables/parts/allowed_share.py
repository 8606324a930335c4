"""How much of the box around what digits allow is allowed: its volume, by points at random."""

from typing import NamedTuple

import numpy as np

from tunables.parts.allowed import Allowed
from tunables.plain.adding import added
from tunables.plain.arguments import run_seed, whole

MOST_DRAWS = 10**6


class Share(NamedTuple):
    """The part of the points that met all numbers, and its 95 % interval, from low to high."""

    share: float
    low: float
    high: float


def share_allowed(told: Allowed, draws: int = 1000, seed: int = 1) -> Share:
    """Return which part of the box of its ranges an allowed set fills.

    By that many uniform draws in the box; the interval is the exact binomial one (Clopper and
    Pearson 1934), so it covers the true part in at least 95 % of the seeds. The volume is this
    part of the product of the ranges' widths.
    Raises ValueError for draws that are not a whole number from 1 to a million, or such a seed.
    """
    from scipy.stats import binomtest  # which who only lists the cases does not need

    draws, seed = whole("draws", draws, 1, MOST_DRAWS), run_seed(seed)
    low, high = np.array(list(told.ranges.values())).T
    points = low + np.random.default_rng(seed).random((draws, len(low))) * (high - low)
    met = added(map(told.meets, points))
    interval = binomtest(met, draws).proportion_ci(0.95, method="exact")
    return Share(met / draws, float(interval.low), float(interval.high))
