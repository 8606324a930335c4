"""Chapter 2's experiments of the storm, compiled: a seed and numbers in, numbers out."""

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.draws import seeded
from tunables.simulators.retry_deeds import DEEDS, RETRIES, SERVER, Deeds
from tunables.simulators.retry_draws import draw_storm
from tunables.simulators.retry_rows import columns, room
from tunables.simulators.retry_storm_kernel import Clients, Draws, retry_storm_kernel

OUTAGE_START_S = 20.0


@compiled
def draw_requests(seed, arrival_rate_per_s, service_rate_per_s, retries, most, horizon_s):
    """Draw; retries follow a time-out at once."""
    drawn = draw_storm(
        seeded(seed), arrival_rate_per_s, service_rate_per_s, retries, most, horizon_s, 0.0, 0.0
    )
    return Draws(*drawn)


@compiled
def ends(draws, timeout_s, retries, outage_s, horizon_s, last_s):
    """Return attempts and answers a second in the last seconds of a run."""
    clients = Clients(timeout_s, np.inf, float(retries), 0.0, np.inf)
    deeds = Deeds(
        np.array([OUTAGE_START_S, OUTAGE_START_S + outage_s]),
        np.array([SERVER, SERVER]),
        np.array([0.0, 1.0]),
    )
    counts = np.zeros((2, horizon_s), np.int64)
    times, facts = room(0)
    retry_storm_kernel(draws, clients, deeds, counts, times, facts)
    offered = answered = 0
    for second in range(horizon_s - last_s, horizon_s):
        offered += counts[0, second]
        answered += counts[1, second]
    return offered / last_s, answered / last_s


@compiled
def experiment(
    seed, arrival_rate_per_s, service_rate_per_s, timeout_s, retries, outage_s, horizon_s, last_s
):
    """Return attempts and answers a second at the end of two runs: from rest, after an outage."""
    draws = draw_requests(
        seed, arrival_rate_per_s, service_rate_per_s, retries, retries, float(horizon_s)
    )
    rest = ends(draws, timeout_s, retries, 0.0, horizon_s, last_s)
    return rest + ends(draws, timeout_s, retries, outage_s, horizon_s, last_s)


@compiled
def trace(
    seed, arrival_rate_per_s, service_rate_per_s, timeout_s, retries, horizon_s, margin_s,
    budget_burst, rows, deed_s, deed, value,
):  # fmt: skip
    """Return the number of attempts, and of the first the columns of `Attempts`.

    Deeds are those of `Deeds`, outages among them, in the order of their times.
    Raises ValueError for others.
    """
    most = retries
    for place in range(len(deed_s)):
        if not 0 <= deed[place] < len(DEEDS):
            raise ValueError("a deed must be a number from 0 to 6")
        if place > 0 and not deed_s[place] >= deed_s[place - 1]:
            raise ValueError("deeds must stand in the order of their times")
        if deed[place] == RETRIES:
            most = max(most, int(value[place]))
    draws = draw_requests(seed, arrival_rate_per_s, service_rate_per_s, retries, most, horizon_s)
    clients = Clients(timeout_s, np.inf, float(retries), margin_s, budget_burst)
    times, facts = room(rows)
    counts = np.zeros((2, 1), np.int64)
    count = retry_storm_kernel(draws, clients, Deeds(deed_s, deed, value), counts, times, facts)
    return columns(count, times, facts)
