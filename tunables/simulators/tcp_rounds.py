"""TCP's congestion window, one round trip a step: slow start, loss, Reno and CUBIC."""

import math
from typing import NamedTuple

import numpy as np

from tunables.plain.arguments import choice, is_infinite, number, whole
from tunables.simulators.draws import from_seed
from tunables.simulators.limits import MOST_ENTRIES
from tunables.simulators.tcp_rounds_kernel import even_gaps, random_gaps, windows

CONGESTION_CONTROLS = ("reno", "cubic")


class RoundsTrace(NamedTuple):
    """One entry a round: the window in segments, and `events`, a sum of LOST and SLOW_START."""

    windows: np.ndarray
    events: np.ndarray


def loss_gaps(loss, losses, seed=None) -> np.ndarray:
    """Return how many segments pass from one congestion event to the next loss, with that one.

    Without a seed 1/loss each time, as the closed forms assume; with one every segment is lost
    independently with probability `loss`, so the gaps are geometric.
    Raises ValueError if loss is outside (0, 1], losses is not a whole number at least 1, or
    seed neither None nor a whole number.
    """
    loss = number("loss", loss, above=0, at_most=1)
    losses = whole("losses", losses, at_least=1, at_most=MOST_ENTRIES)
    if seed is None:
        return even_gaps(loss, losses)
    return random_gaps(from_seed(whole("seed", seed)), loss, losses)


def simulate_tcp_rounds(
    rtt_s,
    loss,
    rounds,
    congestion_control="cubic",
    initial_window=10,
    largest_window=math.inf,
    seed=None,
) -> np.ndarray:
    """Return the congestion window in each round trip, in segments.

    The window doubles every round trip until the first loss (slow start). After a loss
    "reno" halves it and adds a segment a round trip; "cubic" keeps 0.7 of it and follows
    W(t) = 0.4 (t - K)^3 + W_max, K = cbrt(0.3 W_max/0.4), or the window of Reno's mean rate
    where that is larger. It never exceeds largest_window, the receiver's.
    Losses come every 1/loss segments, or at random under `seed`: see `loss_gaps`.
    Throughput is the mean window times MSS/rtt_s. Not modelled: time-outs, delayed
    acknowledgements, fast convergence, a queue that fills.
    Raises ValueError if rtt_s is not above 0, loss is outside (0, 1], rounds is not a whole
    number at least 1, a window is below 1, or the congestion control is unknown.
    Source: RFC 5681, sections 3.1 and 3.2; RFC 9438, sections 4.2 to 4.6.

    >>> simulate_tcp_rounds(0.1, 1 / 60, 6, "reno", initial_window=10).tolist()
    [10.0, 20.0, 40.0, 20.0, 21.0, 22.0]
    """
    arguments = (rtt_s, loss, rounds, congestion_control, initial_window, largest_window, seed)
    return windows(*_checked(*arguments), np.empty(0, np.int64))


def trace_tcp_rounds(
    rtt_s,
    loss,
    rounds,
    congestion_control="cubic",
    initial_window=10,
    largest_window=math.inf,
    seed=None,
) -> RoundsTrace:
    """Return what `simulate_tcp_rounds` does with the same arguments, and what made it do so.

    Raises ValueError as it does.

    >>> trace_tcp_rounds(0.1, 1 / 60, 6, "reno", initial_window=10).events.tolist()
    [2, 2, 3, 0, 0, 1]
    """
    arguments = (rtt_s, loss, rounds, congestion_control, initial_window, largest_window, seed)
    kernel_arguments = _checked(*arguments)
    events = np.zeros(len(kernel_arguments[0]) - 1, np.int64)
    return RoundsTrace(windows(*kernel_arguments, events), events)


def _checked(rtt_s, loss, rounds, congestion_control, initial_window, largest_window, seed):
    """Return the arguments of `windows` that come before events."""
    rtt_s = number("rtt_s", rtt_s, above=0)
    rounds = whole("rounds", rounds, at_least=1, at_most=MOST_ENTRIES - 1)
    cubic = choice("congestion_control", congestion_control, CONGESTION_CONTROLS) == "cubic"
    initial_window = number("initial_window", initial_window, at_least=1)
    if not is_infinite(largest_window):
        largest_window = number("largest_window", largest_window, at_least=1)
    return loss_gaps(loss, rounds + 1, seed), rtt_s, cubic, initial_window, float(largest_window)
