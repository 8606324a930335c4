"""Chapter 4's experiment, compiled: a seed and numbers in, the five times out."""

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.cycles import draw_cycles, last_of_class
from tunables.simulators.draws import seeded
from tunables.simulators.flows_lanes import serve_levels


@compiled
def _seconds(size_bytes, capacity_bps):
    """Return how long the whole port takes for each; an array expression would name its file."""
    seconds = np.empty(len(size_bytes))
    for i in range(len(size_bytes)):
        seconds[i] = 8 * size_bytes[i] / capacity_bps
    return seconds


@compiled
def experiment(
    seed, users, capacity_bps, spread,
    size_1, size_2, size_3, size_4, size_5, count_1, count_2, count_3, count_4, count_5,
    delay_1, delay_2, delay_3, delay_4, delay_5, ahead_1, ahead_2, ahead_3, ahead_4, ahead_5,
):  # fmt: skip
    """Return when each of five classes is done, in seconds.

    Of each class so many users send so many transactions each, of size bytes, of which the
    first `ahead` bytes go ahead (all of each: equal shares for all). The rest is as in
    `simulate_flows`.
    """
    sizes = np.array((size_1, size_2, size_3, size_4, size_5))
    counts = np.array((count_1, count_2, count_3, count_4, count_5))
    delays_s = np.array((delay_1, delay_2, delay_3, delay_4, delay_5))
    ahead = np.array((ahead_1, ahead_2, ahead_3, ahead_4, ahead_5))
    population = np.full(len(sizes), users)
    cycles, class_of_pool = draw_cycles(population, counts, delays_s, seeded(seed), spread, True)
    pools = serve_levels(cycles, _seconds(sizes, capacity_bps), _seconds(ahead, capacity_bps))
    done_s = last_of_class(pools.finished_s, class_of_pool)
    return done_s[0], done_s[1], done_s[2], done_s[3], done_s[4]
