"""What a lab says of the laws that it has timed: that they held, or what the machine did besides.

A law about seconds can be missed for two reasons: the machine had other work, or the law does not
hold there. The first is told by what was seen of the machine; the cell is offered again in both.
"""

import math
from collections.abc import Iterable
from typing import NamedTuple

from tunables.measure.load import Load


class Law(NamedTuple):
    """What was timed, what came out, and between which bounds it lies by the law."""

    what: str
    measured: float
    at_least: float = -math.inf
    at_most: float = math.inf

    @property
    def holds(self) -> bool:
        """Say whether it lies within; what could not be measured (nan) does not."""
        return self.at_least <= self.measured <= self.at_most

    @property
    def bounds(self) -> str:
        """The bounds in words.

        >>> Law("gain", 1.1, 1.5, 2.0).bounds, Law("share", 0.2, at_least=0.5).bounds
        ('1.5 to 2', 'at least 0.5')
        """
        if math.isinf(self.at_most):
            return f"at least {self.at_least:.3g}"
        if math.isinf(self.at_least):
            return f"at most {self.at_most:.3g}"
        return f"{self.at_least:.3g} to {self.at_most:.3g}"

    def __str__(self) -> str:
        """Return what came out beside what should.

        >>> print(Law("the gain of 1 ms", 1.11, 1.5, 2.0))
        the gain of 1 ms came out as 1.11 (by the law 1.5 to 2)
        """
        came = "nothing" if math.isnan(self.measured) else f"{self.measured:.3g}"
        return f"{self.what} came out as {came} (by the law {self.bounds})"


def verdict(laws: Iterable[Law], load: Load, held: str, again: str) -> str:
    """Return `held` if every law holds; or a sentence on those that do not, and on the machine.

    load: of the machine while they were timed. again: which cells to run again, for a sentence.

    >>> quiet = Load(processors=2, seconds=9.0, others=0.01)
    >>> verdict([Law("the gain", 1.6, 1.5, 2.0)], quiet, "waiting pays", "the cell above")
    'waiting pays'
    """
    missed = [law for law in laws if not law.holds]
    if not missed:
        return held
    found = "; ".join(map(str, missed))
    if load.busy:
        return (
            f"This machine was busy: {load}, and so {found}. Run {again} again when it is quieter."
        )
    if not load.known:
        return (
            f"This machine was busy, or the law does not hold on it ({load}): {found}. "
            f"Run {again} again."
        )
    return (
        f"This machine was not busy ({load}), and yet {found}. Run {again} again; if the same "
        "comes out, the law does not hold here: ask what differs."
    )
