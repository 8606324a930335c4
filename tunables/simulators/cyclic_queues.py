"""Customers going round a ring of single servers: a closed network, by recursion."""

import numpy as np

from tunables.base.arguments import integer, number, numbers
from tunables.base.kinds import Numbers
from tunables.base.portable import plain_sum
from tunables.simulators.compiled import compiled
from tunables.simulators.draws import from_seed, standard_exponential
from tunables.simulators.limits import MOST_ENTRIES, check_size

WARM_UP = 0.1  # of the completions
FEWEST_ROUNDS = 100  # per customer: all begin at once, and a delay keeps them bunched


@compiled
def last_departures(service_s, customers, delay_s):
    """Return the end of each pass round the ring; service_s[m, j] is for pass m at server j.

    Two times are compared by their bits: see `tunables.simulators.tandem.departures`.
    """
    passes, servers = service_s.shape
    ends_s = np.zeros(passes)
    moments_s = np.zeros(servers + 1)  # start of the pass, then when each server is free
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
    """Return completions/s of the ring, after a warm-up of a tenth as many completions."""
    first, servers = customers + int(WARM_UP * completions), len(demands_s)
    service_s = np.empty((first + completions, servers))
    for m in range(first + completions):
        for j in range(servers):
            service_s[m, j] = standard_exponential(state) * demands_s[j]
    ends_s = last_departures(service_s, customers, delay_s)
    return completions / (ends_s[-1] - ends_s[first - 1])


def simulate_cyclic_queues(
    service_demands_s: Numbers,
    customers: int,
    delay_s: float = 0.0,
    completions: int = 100_000,
    seed: int = 0,
) -> float:
    """Simulate a ring of first-come first-served exponential servers; return throughput in 1/s.

    Each customer waits for delay_s, is then served by every server in turn with mean times
    service_demands_s, and starts again. A warm-up of a tenth of the completions comes first and is
    not counted. Nobody overtakes, so pass m begins where pass m - customers ended.
    All customers begin together, and after a long delay they stay in a bunch. The measured time
    may begin within one bunch and end within another, which adds or leaves out up to one completion
    per customer. So at least 100 completions per customer are required: the error is then at most
    1%.
    The delay is constant; the closed form (`tunables.theory.queueing.mva`) depends on its mean
    alone.
    Raises ValueError for no server, a negative demand or delay, all of them 0, customers that is
    not a whole number from 1 to a million, completions that is not one of at least 100 times
    customers, or a seed that is not a whole number.
    Source: Baccelli, Cohen, Olsder & Quadrat (1992); insensitivity: Baskett, Chandy, Muntz &
    Palacios (1975).

    >>> abs(simulate_cyclic_queues([1.0, 1.0], 3) - 0.75) < 0.01
    True
    >>> round(simulate_cyclic_queues([1.0, 0.5], 3, delay_s=0.1, completions=1000, seed=1), 3)
    0.935
    """
    demands = numbers("service_demands_s", service_demands_s, at_least=0)
    customers = integer("customers", customers, at_least=1, at_most=MOST_ENTRIES // FEWEST_ROUNDS)
    delay_s = number("delay_s", delay_s, at_least=0)
    number("sum of service_demands_s + delay_s", plain_sum(demands) + delay_s, above=0)
    completions = integer("completions", completions, at_least=FEWEST_ROUNDS * customers)
    state = from_seed(integer("seed", seed))
    passes = customers + completions + int(WARM_UP * completions)
    check_size("(customers + completions) * number of servers", passes * len(demands))
    return float(ring_throughput(state, np.array(demands), customers, delay_s, completions))
