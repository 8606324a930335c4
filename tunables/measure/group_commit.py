"""What both systems of lab 1 measure: commits a second at one delay, and the flush behind them."""

from collections.abc import Iterable
from typing import NamedTuple

from tunables.measure.limits import LONGEST_S
from tunables.plain.arguments import numbers


class Point(NamedTuple):
    """Committers that commit again at once, for some seconds at one delay.

    flush_s is the mean time of the flushes of this very run, in which emulated_flush_s is an
    added sleep and not the device (0 where the device is all).
    """

    delay_s: float
    committers: int
    commits: int
    seconds: float
    commits_per_s: float
    commits_per_flush: float
    flush_s: float
    emulated_flush_s: float


def point(delay_s, committers, commits, seconds, flushes, flushing_s, emulated_flush_s=0.0):
    """Return the Point of a run with so many commits and flushes; flushing_s is their total."""
    if commits == 0 or flushes == 0:
        raise RuntimeError(f"{commits} commits and {flushes} flushes in {seconds:.3g} s: too short")
    return Point(
        delay_s,
        committers,
        commits,
        seconds,
        commits / seconds,
        commits / flushes,
        flushing_s / flushes,
        emulated_flush_s,
    )


def bracketed(delays_s: Iterable[float]) -> list[float]:
    """Return the delays with a 0 before, between and after them.

    A device may be fast for a while and slow later: each point has a baseline beside it.
    Raises ValueError for no delay, or one that is negative.

    >>> bracketed([0.001, 0.005])
    [0.0, 0.001, 0.0, 0.005, 0.0]
    """
    order = [0.0]
    for delay_s in numbers("delays_s", delays_s, at_least=0, at_most=LONGEST_S):
        order += [delay_s, 0.0]
    return order
