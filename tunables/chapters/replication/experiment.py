"""Chapter 5's pipeline in numbers alone: TCP's window round by round, then a tandem of stages."""

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.draws import seeded
from tunables.simulators.tandem import departures
from tunables.simulators.tcp_rounds_kernel import even_gaps, random_gaps, windows

INITIAL_WINDOW = 10.0  # segments


@compiled
def gaps_between(seed, at_random, loss, rounds):
    """Return the gaps between losses that so many rounds need: see `windows`."""
    if at_random:
        return random_gaps(seeded(seed), loss, rounds + 1)
    return even_gaps(loss, rounds + 1)


@compiled
def mean_window(seed, at_random, loss, rounds, warm_up, rtt_s, cubic, largest_window):
    """Return the mean window in segments over the rounds after so many for a warm-up.

    Unless losses come at random, every (1/loss)-th segment is lost, and the seed has no part.
    """
    gaps = gaps_between(seed, at_random, loss, rounds)
    sizes = windows(gaps, rtt_s, cubic, INITIAL_WINDOW, largest_window, np.empty(0, np.int64))
    total = 0.0
    for i in range(warm_up, rounds):
        total += sizes[i]
    return total / (rounds - warm_up)


@compiled
def even_times(batches, batch_lcrs, rates):
    """Return what each batch takes at each stage, seconds: batches x stages."""
    service_s = np.empty((batches, len(rates)))
    for n in range(batches):
        for j in range(len(rates)):
            service_s[n, j] = batch_lcrs / rates[j]
    return service_s


@compiled
def tandem_seconds(batches, batch_lcrs, source_lcr_s, pump_lcr_s, network_lcr_s, apply_lcr_s):
    """Return the seconds until the last of so many batches has passed the four stages.

    Before each stage there is room for all of them.
    """
    rates = (source_lcr_s, pump_lcr_s, network_lcr_s, apply_lcr_s)
    service_s = even_times(batches, batch_lcrs, rates)
    return departures(service_s, np.full(len(rates), batches))[-1, -1]
