"""The experiment behind chapter 2's map, compiled: the storm from rest."""

from tunables.chapters.time_outs.storm_experiment import draw_requests, ends
from tunables.simulators.compiled import compiled


@compiled
def experiment(seed, arrival_rate_per_s, service_rate_per_s, timeout_s, retries, horizon_s, last_s):
    """Return attempts and answers a second at the end of a run that begins with an empty queue."""
    draws = draw_requests(
        seed, arrival_rate_per_s, service_rate_per_s, retries, retries, float(horizon_s)
    )
    return ends(draws, timeout_s, retries, 0.0, horizon_s, last_s)
