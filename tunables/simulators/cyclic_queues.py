"""Customers who go round a ring of single servers: a closed network, by recursion."""

import numpy as np

from tunables.plain.adding import added
from tunables.plain.arguments import number, numbers, whole
from tunables.simulators.compiled import compiled
from tunables.simulators.draws import from_seed, standard_exponential
from tunables.simulators.limits import enough

WARM_UP = 0.1  # of the completions


@compiled
def last_departures(service_s, customers, delay_s):
    """Return when each pass round the ring ends; service_s[m, j] is that of pass m at server j.

    The later of two times is chosen by their bits: see `tunables.simulators.tandem.departures`.
    """
    passes, servers = service_s.shape
    ends_s = np.zeros(passes)
    moments_s = np.zeros(servers + 1)  # begin of the pass, then when each server is free
    order = moments_s.view(np.int64)
    for m in range(passes):
        moments_s[0] = delay_s
        if m >= customers:
            moments_s[0] += ends_s[m - customers]
        for j in range(servers):
            order[j + 1] = max(order[j], order[j + 1])
            moments_s[j + 1] += service_s[m, j]
        ends_s[m] = moments_s[servers]
    return ends_s


@compiled
def ring_throughput(state, demands_s, customers, delay_s, completions):
    """Return completions/s of the ring, after a tenth as many that are not counted."""
    first, servers = customers + int(WARM_UP * completions), len(demands_s)
    service_s = np.empty((first + completions, servers))
    for m in range(first + completions):
        for j in range(servers):
            service_s[m, j] = standard_exponential(state) * demands_s[j]
    ends_s = last_departures(service_s, customers, delay_s)
    return completions / (ends_s[-1] - ends_s[first - 1])


def simulate_cyclic_queues(
    service_demands_s, customers, delay_s=0.0, completions=100_000, seed=0
) -> float:
    """Simulate a ring of first-come first-served exponential servers; return throughput in 1/s.

    Each customer waits delay_s, is then served at every server in turn, with mean times
    service_demands_s, and begins anew. A tenth as many completions as asked for are run first
    and not counted. Nobody overtakes, so that pass m begins where pass m - customers ended.
    The delay is constant, and the closed form (`tunables.theory.queueing.mva`) depends on its
    mean alone.
    Raises ValueError for no server, a negative demand or delay, all of them 0, customers or
    completions that are not whole numbers at least 1, or a seed that is not a whole number.
    Source: Baccelli, Cohen, Olsder & Quadrat (1992); insensitivity: Baskett, Chandy, Muntz &
    Palacios (1975).

    >>> abs(simulate_cyclic_queues([1.0, 1.0], 3) - 0.75) < 0.01
    True
    """
    demands = numbers("service_demands_s", service_demands_s, at_least=0)
    customers = whole("customers", customers, at_least=1)
    delay_s = number("delay_s", delay_s, at_least=0)
    number("sum of service_demands_s + delay_s", added(demands) + delay_s, above=0)
    completions = whole("completions", completions, at_least=1)
    state = from_seed(whole("seed", seed))
    passes = customers + completions + int(WARM_UP * completions)
    enough("(customers + completions) * number of servers", passes * len(demands))
    return float(ring_throughput(state, np.array(demands), customers, delay_s, completions))
