"""Chapter 5's compiled functions: TCP's window round by round, and networks of queues.

`tandem_trace` and `window_trace` are for the animations, the others for the simulations.
"""

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.cyclic_queues import ring_throughput
from tunables.simulators.draws import new_state, standard_exponential
from tunables.simulators.tandem import begins, departures
from tunables.simulators.tcp_rounds_kernel import even_gaps, random_gaps, windows

INITIAL_WINDOW = 10.0  # segments
LATE_GROWTH = 1.0  # segments per round: how CUBIC estimates the window of Reno, by RFC 9438


@compiled
def gaps_between(seed, at_random, loss, rounds):
    """Return the gaps between losses that this number of rounds needs: see `windows`."""
    if at_random:
        return random_gaps(new_state(seed), loss, rounds + 1)
    return even_gaps(loss, rounds + 1)


@compiled
def mean_window(seed, at_random, loss, rounds, warm_up, rtt_s, cubic, largest_window):
    """Return the mean window in segments over the rounds that follow the first warm_up rounds.

    Unless losses come at random, every (1/loss)-th segment is lost, and the seed has no effect.
    """
    gaps = gaps_between(seed, at_random, loss, rounds)
    none = np.empty(0, np.int64)
    sizes = windows(gaps, rtt_s, cubic, INITIAL_WINDOW, largest_window, LATE_GROWTH, False, none)
    total = 0.0
    for i in range(warm_up, rounds):
        total += sizes[i]
    return total / (rounds - warm_up)


@compiled
def even_times(batches, batch_lcrs, rates):
    """Return the seconds that each batch takes at each stage: batches x stages."""
    service_s = np.empty((batches, len(rates)))
    for n in range(batches):
        for j in range(len(rates)):
            service_s[n, j] = batch_lcrs / rates[j]
    return service_s


@compiled
def tandem_seconds(batches, batch_lcrs, source_lcr_s, pump_lcr_s, network_lcr_s, apply_lcr_s):
    """Return the seconds until the last batch has passed the four stages.

    Before each stage there is room for all batches.
    """
    rates = (source_lcr_s, pump_lcr_s, network_lcr_s, apply_lcr_s)
    service_s = even_times(batches, batch_lcrs, rates)
    return departures(service_s, np.full(len(rates), batches))[-1, -1]


@compiled
def session_rate(seed, servers, first_s, second_s, third_s, replicats, delay_s, completions):
    """Return the LCRs/s of `replicats` apply processes, each with one LCR after another.

    An LCR takes first_s, second_s and third_s on average at the first `servers` of three servers,
    and delay_s at none.
    """
    demands_s = np.array([first_s, second_s, third_s])[:servers]
    return ring_throughput(new_state(seed), demands_s, replicats, delay_s, completions)


@compiled
def tandem_trace(
    seed, varies, room, batches, batch_lcrs, source_lcr_s, pump_lcr_s, network_lcr_s, apply_lcr_s
):
    """Return (begun_s, served_s, departed_s), in each all batches of a stage, stage by stage.

    Stage j works on batch n from begun_s[j * batches + n] to served_s, and is blocked by it until
    departed_s. Before each stage but the first there is room for `room` batches, or for all if room
    is below 0. The times of batches are exponential if `varies`; otherwise they are all the same,
    and the seed has no effect.
    """
    rates = (source_lcr_s, pump_lcr_s, network_lcr_s, apply_lcr_s)
    service_s = even_times(batches, batch_lcrs, rates)
    stages, state = len(rates), new_state(seed)
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
    """Return (windows, events) of each round: see `windows`."""
    gaps = gaps_between(seed, at_random, loss, rounds)
    events = np.zeros(rounds, np.int64)
    sizes = windows(gaps, rtt_s, cubic, INITIAL_WINDOW, largest_window, LATE_GROWTH, False, events)
    return sizes, events
