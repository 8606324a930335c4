"""Work that is gathered before it is done: how much of it is left."""

import math

from tunables.base.arguments import number


def expected_unique_fraction(rate: float, hold_s: float) -> float:
    """Share of changes left to process when a queue gathers many prefixes for hold_s.

    The queue runs h = hold_s after its first change, and if very many prefixes change, that first
    change is almost always of another prefix than a given one. One that changes as a Poisson stream
    of this rate (1/s) has rate h changes in that window on average, and is processed once if
    it has any: (1 - exp(-rate h))/(rate h). For a single prefix: `unique_fraction_alone`.
    Raises ValueError if rate or hold_s is negative.

    >>> round(expected_unique_fraction(2, 0.5), 4)
    0.6321
    """
    x = number("rate", rate, at_least=0) * number("hold_s", hold_s, at_least=0)
    if x < 1e-5:  # 1 - exp(-x) would lose its digits; the next term is below 1e-16
        return 1 - x / 2 + x * x / 6
    return (1 - math.exp(-x)) / x


def unique_fraction_alone(rate: float, hold_s: float) -> float:
    """Share of changes left to process when a queue gathers a single prefix for hold_s.

    The prefix's own first change starts the window, and rate h more come within it on average,
    in a Poisson stream: one of 1 + rate h is left, 1/(1 + rate h). It saves up to twice as much
    as `expected_unique_fraction`, the limit for many prefixes.
    Raises ValueError if rate or hold_s is negative.

    >>> unique_fraction_alone(2, 0.5)
    0.5
    """
    return 1 / (1 + number("rate", rate, at_least=0) * number("hold_s", hold_s, at_least=0))
