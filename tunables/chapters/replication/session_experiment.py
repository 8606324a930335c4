"""Chapter 5's apply processes in numbers alone: customers of a closed network."""

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.cyclic_queues import ring_throughput
from tunables.simulators.draws import seeded


@compiled
def session_rate(seed, servers, first_s, second_s, third_s, replicats, delay_s, completions):
    """Return the LCRs/s of so many apply processes, one LCR after another each.

    The first so many of three servers take such times an LCR on average, and delay_s is spent
    at none.
    """
    demands_s = np.array([first_s, second_s, third_s])[:servers]
    return ring_throughput(seeded(seed), demands_s, replicats, delay_s, completions)
