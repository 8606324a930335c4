"""What chapter 5's stage replays: the batches in the pipeline, and TCP's window."""

import numpy as np

from tunables.chapters.replication.experiment import INITIAL_WINDOW, even_times, gaps_between
from tunables.simulators.compiled import compiled
from tunables.simulators.draws import seeded, standard_exponential
from tunables.simulators.tandem import begins, departures
from tunables.simulators.tcp_rounds_kernel import windows


@compiled
def tandem_trace(
    seed, varies, room, batches, batch_lcrs, source_lcr_s, pump_lcr_s, network_lcr_s, apply_lcr_s
):
    """Return (begun_s, served_s, departed_s), one column of all batches after the other a stage.

    Batch n is at work at stage j from begun_s[j * batches + n] to served_s, and blocked until
    departed_s. Before each stage but the first is room for so many batches; all, if below 0.
    The times of batches vary, exponentially, or are all the same, and the seed has no part.
    """
    rates = (source_lcr_s, pump_lcr_s, network_lcr_s, apply_lcr_s)
    service_s = even_times(batches, batch_lcrs, rates)
    stages, state = len(rates), seeded(seed)
    if varies:
        for n in range(batches):
            for j in range(stages):
                service_s[n, j] *= standard_exponential(state)
    places = np.full(stages, batches)
    if room >= 0:
        for j in range(1, stages):
            places[j] = min(batches, room + 1)
    departed_s = departures(service_s, places)
    begun_s = begins(departed_s)
    columns = np.empty((3, stages * batches))
    for j in range(stages):
        for n in range(batches):
            row = j * batches + n
            columns[0, row] = begun_s[n, j]
            columns[1, row] = begun_s[n, j] + service_s[n, j]
            columns[2, row] = departed_s[n, j]
    return columns[0], columns[1], columns[2]


@compiled
def window_trace(seed, at_random, loss, rounds, rtt_s, cubic, largest_window):
    """Return (windows, events) of so many rounds: see `windows`."""
    gaps = gaps_between(seed, at_random, loss, rounds)
    events = np.zeros(rounds, np.int64)
    return windows(gaps, rtt_s, cubic, INITIAL_WINDOW, largest_window, events), events
