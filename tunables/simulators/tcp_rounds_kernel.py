"""The round trips of `simulate_tcp_rounds`, compiled."""

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.draws import geometric
from tunables.simulators.elementary import cube_root

# RFC 9438: the constant of the cubic (segments/s^3) and what a loss leaves of the window
C = 0.4
BETA_CUBIC = 0.7
# The additive increase that gives a window cut to BETA_CUBIC the mean window of Reno
ALPHA_CUBIC = 3 * (1 - BETA_CUBIC) / (1 + BETA_CUBIC)
BETA_RENO = 0.5
LOST, SLOW_START = 1, 2  # what happens in a round


@compiled
def windows(
    gaps, rtt_s, cubic, initial_window, largest_window, late_growth, fast_convergence, events
):
    """Return the window of every round; gaps[i] segments pass from one event to the next loss.

    late_growth: by how many segments per round CUBIC's estimate of Reno's window grows once it is
    back at the window before the loss. fast_convergence: whether CUBIC aims lower after a loss
    that occurs before it is back at its last aim. events[i] becomes a sum of LOST and SLOW_START,
    for as many rounds as it has room.
    """
    rounds = len(gaps) - 1
    sizes = np.empty(rounds)
    window = min(initial_window, largest_window)
    slow_start = True
    to_next_loss = gaps[0]
    losses = 0
    before_loss = aim = reno_window = inflection_s = since_loss_s = 0.0
    for i in range(rounds):
        sizes[i] = window
        to_next_loss -= window
        lost = to_next_loss <= 0
        if i < len(events):
            events[i] = LOST * lost + SLOW_START * slow_start
        if lost:  # more losses in the same round trip would change nothing
            losses += 1
            to_next_loss = gaps[losses]
            slow_start = False
            falling = fast_convergence and cubic and window < aim
            before_loss = window
            aim = window * (1 + BETA_CUBIC) / 2 if falling else window
            window = max(1.0, window * (BETA_CUBIC if cubic else BETA_RENO))
            reno_window = window
            since_loss_s = 0.0
            inflection_s = cube_root(max(aim - window, 0.0) / C)
        elif slow_start:
            window = 2 * window
        elif cubic:
            since_loss_s += rtt_s
            t = since_loss_s - inflection_s
            reno_window += ALPHA_CUBIC if reno_window < before_loss else late_growth
            window = max(C * t * t * t + aim, reno_window)
        else:
            window += 1
        window = min(window, largest_window)
    return sizes


@compiled
def even_gaps(loss, losses):
    """Return losses gaps of 1/loss segments each, as the closed forms assume."""
    gaps = np.empty(losses)
    for i in range(losses):
        gaps[i] = 1 / loss
    return gaps


@compiled
def random_gaps(state, loss, losses):
    """Return losses gaps between segments that are lost independently: they are geometric."""
    gaps = np.empty(losses)
    for i in range(losses):
        gaps[i] = geometric(state, loss)
    return gaps
