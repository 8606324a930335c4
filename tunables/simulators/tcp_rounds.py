"""TCP's congestion window, one round trip a step: slow start, loss, Reno and CUBIC."""

import math

import numpy as np

from tunables.arguments import choice, number, whole
from tunables.simulators.compiled import compiled

CONGESTION_CONTROLS = ("reno", "cubic")
# RFC 9438: the constant of the cubic (segments/s^3) and what a loss leaves of the window
C = 0.4
BETA_CUBIC = 0.7
# The additive increase that gives a window cut to BETA_CUBIC the mean window of Reno
ALPHA_CUBIC = 3 * (1 - BETA_CUBIC) / (1 + BETA_CUBIC)
BETA_RENO = 0.5


def _windows(gaps, rtt_s, cubic, initial_window, largest_window):
    """Return the window of every round; gaps[i] segments pass from one event to the next loss."""
    rounds = len(gaps) - 1
    windows = np.empty(rounds)
    window = min(initial_window, largest_window)
    slow_start = True
    to_next_loss = gaps[0]
    events = 0
    before_loss = reno_window = inflection_s = since_loss_s = 0.0
    for i in range(rounds):
        windows[i] = window
        to_next_loss -= window
        if to_next_loss <= 0:  # more losses in the same round trip would change nothing
            events += 1
            to_next_loss = gaps[events]
            slow_start = False
            before_loss = window
            window = max(1.0, window * (BETA_CUBIC if cubic else BETA_RENO))
            reno_window = window
            since_loss_s = 0.0
            inflection_s = ((before_loss - window) / C) ** (1 / 3)
        elif slow_start:
            window = 2 * window
        elif cubic:
            since_loss_s += rtt_s
            t = since_loss_s - inflection_s
            reno_window += ALPHA_CUBIC if reno_window < before_loss else 1.0
            window = max(C * t * t * t + before_loss, reno_window)
        else:
            window += 1
        window = min(window, largest_window)
    return windows


_windows_compiled = compiled(_windows)


def loss_gaps(loss, losses, seed=None) -> np.ndarray:
    """Return how many segments pass from one congestion event to the next loss, with that one.

    Without a seed 1/loss each time, as the closed forms assume; with one every segment is lost
    independently with probability `loss`, so the gaps are geometric.
    Raises ValueError if loss is outside (0, 1] or losses is not a whole number at least 1.
    """
    loss = number("loss", loss, above=0, at_most=1)
    losses = whole("losses", losses, at_least=1)
    if seed is None:
        return np.full(losses, 1 / loss)
    return np.random.default_rng(seed).geometric(loss, losses).astype(np.float64)


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
    rtt_s = number("rtt_s", rtt_s, above=0)
    rounds = whole("rounds", rounds, at_least=1)
    cubic = choice("congestion_control", congestion_control, CONGESTION_CONTROLS) == "cubic"
    initial_window = number("initial_window", initial_window, at_least=1)
    if largest_window != math.inf:
        largest_window = number("largest_window", largest_window, at_least=1)
    gaps = loss_gaps(loss, rounds + 1, seed)
    return _windows_compiled(gaps, rtt_s, cubic, initial_window, float(largest_window))
