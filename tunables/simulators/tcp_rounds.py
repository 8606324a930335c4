"""TCP's congestion window, one round trip per step: slow start, loss, Reno and CUBIC."""

import math
from typing import NamedTuple

import numpy as np

from tunables.base.arguments import choice, flag, integer, is_infinite, number
from tunables.simulators.arrays import Counts, Floats, Integers, describe
from tunables.simulators.draws import from_seed
from tunables.simulators.limits import MOST_ENTRIES
from tunables.simulators.tcp_rounds_kernel import (
    ALPHA_CUBIC,
    even_gaps,
    random_gaps,
    windows,
)

CONGESTION_CONTROLS = ("reno", "cubic")
# By how many segments per round trip CUBIC's estimate of Reno's window grows once it is back at
# the window before the loss: RFC 9438 (2023) changed it from that of RFC 8312 (2018) and Linux.
LATE_GROWTH = {"rfc9438": 1.0, "rfc8312": ALPHA_CUBIC}


class RoundsTrace(NamedTuple):
    """One entry per round: `windows` in segments, and `events`, a sum of LOST and SLOW_START."""

    windows: Integers
    events: Integers

    def __repr__(self) -> str:
        return describe(self)


def loss_gaps(loss: float, losses: int, seed: int | None = None) -> Counts:
    """Return the number of segments from each congestion event to the next loss, inclusive.

    Without a seed it is always 1/loss, as the closed forms assume; with one every segment is lost
    independently with probability `loss`, so the gaps are geometric.
    Raises ValueError if loss is outside (0, 1], losses is not a whole number at least 1, or
    seed neither None nor a whole number.

    >>> loss_gaps(1 / 60, 3).tolist(), loss_gaps(1 / 60, 3, seed=1).tolist()
    ([60.0, 60.0, 60.0], [64.0, 19.0, 320.0])
    """
    loss = number("loss", loss, above=0, at_most=1)
    losses = integer("losses", losses, at_least=1, at_most=MOST_ENTRIES)
    if seed is None:
        return even_gaps(loss, losses)
    return random_gaps(from_seed(integer("seed", seed)), loss, losses)


def simulate_tcp_rounds(
    rtt_s: float,
    loss: float,
    rounds: int,
    congestion_control: str = "cubic",
    initial_window: int = 10,
    largest_window: float = math.inf,
    seed: int | None = None,
    version: str = "rfc9438",
    fast_convergence: bool = False,
) -> Floats:
    """Return the congestion window in each round trip, in segments.

    The window doubles every round trip until the first loss (slow start). After a loss
    "reno" halves it and adds one segment per round trip; "cubic" keeps 0.7 of it and follows
    W(t) = 0.4 (t - K)^3 + W_max, K = cbrt(0.3 W_max/0.4), or the window of Reno's mean rate
    if that is larger. It never exceeds largest_window, the receiver's.
    Losses occur every 1/loss segments, or at random under `seed`: see `loss_gaps`.
    Throughput is the mean window times MSS/rtt_s.

    version: that of CUBIC. Back at the window before the loss, Reno's window grows by a segment per
    round trip in "rfc9438" (2023), and as slowly as before, by 3 (1 - 0.7)/(1 + 0.7) = 0.53, in
    "rfc8312" (2018), as in Linux. fast_convergence: whether CUBIC, after a loss below its last
    W_max, sets W_max to 0.85 of the window (RFC 9438, section 4.7; Linux's default).
    Neither changes "reno". Not modelled: timeouts, delayed acknowledgements, a queue that fills.
    Raises ValueError if rtt_s is not above 0, loss is outside (0, 1], rounds is not a whole
    number at least 1, a window is below 1, the congestion control or the version is unknown, or
    fast_convergence is neither True nor False.
    Source: RFC 5681, sections 3.1 and 3.2; RFC 9438, sections 4.2 to 4.7; RFC 8312, section 4.2.

    >>> simulate_tcp_rounds(0.1, 1 / 60, 6, "reno", initial_window=10).tolist()
    [10.0, 20.0, 40.0, 20.0, 21.0, 22.0]
    >>> options = {"initial_window": 10, "largest_window": 1000, "version": "rfc8312"}
    >>> window = simulate_tcp_rounds(0.1, 1 / 60, 9, seed=1, fast_convergence=True, **options)
    >>> window.round(2).tolist()
    [10.0, 20.0, 40.0, 28.0, 19.6, 20.15, 20.66, 21.19, 21.72]
    """
    losses = (rtt_s, loss, rounds, congestion_control, initial_window, largest_window, seed)
    return windows(*_check_arguments(*losses, version, fast_convergence), np.empty(0, np.int64))


def trace_tcp_rounds(
    rtt_s: float,
    loss: float,
    rounds: int,
    congestion_control: str = "cubic",
    initial_window: int = 10,
    largest_window: float = math.inf,
    seed: int | None = None,
    version: str = "rfc9438",
    fast_convergence: bool = False,
) -> RoundsTrace:
    """Return the windows of `simulate_tcp_rounds` with the same arguments, and their causes.

    Raises ValueError as it does.

    >>> trace_tcp_rounds(0.1, 1 / 60, 6, "reno", initial_window=10).events.tolist()
    [2, 2, 3, 0, 0, 1]
    """
    losses = (rtt_s, loss, rounds, congestion_control, initial_window, largest_window, seed)
    kernel_arguments = _check_arguments(*losses, version, fast_convergence)
    events = np.zeros(len(kernel_arguments[0]) - 1, np.int64)
    return RoundsTrace(windows(*kernel_arguments, events), events)


def _check_arguments(
    rtt_s,
    loss,
    rounds,
    congestion_control,
    initial_window,
    largest_window,
    seed,
    version,
    fast_convergence,
):
    """Check the arguments; return those of `windows` that precede events."""
    rtt_s = number("rtt_s", rtt_s, above=0)
    rounds = integer("rounds", rounds, at_least=1, at_most=MOST_ENTRIES - 1)
    cubic = choice("congestion_control", congestion_control, CONGESTION_CONTROLS) == "cubic"
    initial_window = number("initial_window", initial_window, at_least=1)
    if not is_infinite(largest_window):
        largest_window = number("largest_window", largest_window, at_least=1)
    growth = LATE_GROWTH[choice("version", version, list(LATE_GROWTH))]
    fast = flag("fast_convergence", fast_convergence)
    gaps = loss_gaps(loss, rounds + 1, seed)
    return gaps, rtt_s, cubic, initial_window, float(largest_window), growth, fast
