"""Customers who go round a ring of single servers: a closed network, by recursion."""

import numpy as np

from tunables.arguments import number, numbers, whole
from tunables.simulators.compiled import compiled

_WARM_UP = 0.1  # of the completions


def _last_departures(service_s, customers, delay_s):
    """Return when each pass round the ring ends; service_s[m, j] is that of pass m at server j."""
    passes, servers = service_s.shape
    ends_s = np.zeros(passes)
    free_s = np.zeros(servers)
    for m in range(passes):
        now = delay_s
        if m >= customers:
            now += ends_s[m - customers]
        for j in range(servers):
            now = max(now, free_s[j]) + service_s[m, j]
            free_s[j] = now
        ends_s[m] = now
    return ends_s


_last_departures_compiled = compiled(_last_departures)


def simulate_cyclic_queues(
    service_demands_s, customers, delay_s=0.0, completions=100_000, seed=0
) -> float:
    """Simulate a ring of first-come first-served exponential servers; return throughput in 1/s.

    Each customer waits delay_s, is then served at every server in turn, with mean times
    service_demands_s, and begins anew. A tenth as many completions as asked for are run first
    and not counted. Nobody overtakes, so that pass m begins where pass m - customers ended.
    The delay is constant, and the closed form (`tunables.theory.queueing.mva`) depends on its
    mean alone.
    Raises ValueError for no server or a negative demand, customers or completions that are not
    whole numbers at least 1, a negative delay, or a seed that is not a whole number.
    Source: Baccelli, Cohen, Olsder & Quadrat (1992); insensitivity: Baskett, Chandy, Muntz &
    Palacios (1975).

    >>> abs(simulate_cyclic_queues([1.0, 1.0], 3) - 0.75) < 0.01
    True
    """
    demands = numbers("service_demands_s", service_demands_s, at_least=0)
    customers = whole("customers", customers, at_least=1)
    delay_s = number("delay_s", delay_s, at_least=0)
    completions = whole("completions", completions, at_least=1)
    rng = np.random.default_rng(whole("seed", seed))
    first = customers + int(_WARM_UP * completions)
    service_s = rng.standard_exponential((first + completions, len(demands))) * demands
    ends_s = _last_departures_compiled(service_s, customers, delay_s)
    return float(completions / (ends_s[-1] - ends_s[first - 1]))
