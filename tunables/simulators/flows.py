"""Flows of several sizes on one port, and the M/G/1 queue, under five disciplines."""

import numpy as np

from tunables.arguments import choice, number, numbers, same_length, whole
from tunables.simulators.cycles import (
    closed_cycles,
    last_of_class,
    new_pools,
    workload,
)
from tunables.simulators.flow_kernels import LANE, USER, serve_one, serve_shared
from tunables.simulators.least_attained import serve_least_attained

DISCIPLINES = ("fifo", "ps", "srpt", "fb", "dpp")


def _lanes(service_s, users):
    """Return empty lanes for jobs of those sizes, and users none of whom waits."""
    lanes = np.zeros(len(service_s), LANE).view(np.recarray)
    lanes.head, lanes.due, lanes.service_s = -1, np.inf, service_s
    records = np.zeros(users, USER).view(np.recarray)
    return lanes, records


def serve(cycles, service_s, discipline, priority_s=0.0):
    """Return the time at which each pool's last job ends under the discipline of that name.

    cycles: see `tunables.simulators.cycles`; service_s: seconds of the whole server that a job
    of each pool takes. "dpp" lets the first priority_s of each job go ahead.
    """
    think_s, _, _, pool_of = cycles
    pools = new_pools(cycles)
    sizes_s, lane_of = np.unique(service_s, return_inverse=True)
    if discipline in ("ps", "dpp"):
        ahead_s = np.minimum(sizes_s, priority_s if discipline == "dpp" else np.inf)
        sizes_s = np.concatenate((ahead_s, sizes_s - ahead_s))
    elif discipline == "fifo":  # one lane for all
        sizes_s, lane_of = np.zeros(1), np.zeros(len(service_s), np.int64)
    lanes, users = _lanes(sizes_s, len(pool_of))
    users.pool, users.lane = pool_of, lane_of[pool_of]
    if discipline in ("ps", "dpp"):
        serve_shared(think_s, pools, users, lanes)
    elif discipline == "fb":
        serve_least_attained(think_s, pools, users, service_s)
    else:
        serve_one(think_s, pools, users, lanes, service_s, discipline == "srpt")
    return np.array(pools.finished_s)


def simulate_flows(
    population,
    size_bytes,
    transactions,
    delay_s,
    capacity_bps,
    discipline,
    seed=0,
    priority_bytes=0.0,
    spread=0.5,
    pooled=True,
):
    """Seconds after which each class has carried out its transactions, an array, simulated.

    The population[k] users of class k each think for delay_s[k] on average, uniformly within
    +- spread of it, and send size_bytes[k] through a port of capacity_bps. discipline: "fifo"
    (whole transactions), "ps" (equal shares), "srpt" (least left first), "fb" (least sent
    first) or "dpp" (the first priority_bytes of each transaction go ahead of all other bytes;
    equal shares within each level). A class has population x transactions in all; with pooled
    its users draw them from one pool and end together, otherwise each user has a share of its
    own and the class ends with its slowest user. With spread = 0 users who start together stay
    in step, and no closed form holds.
    Raises ValueError for lengths that differ, populations or transactions that are not whole
    numbers at least 1, sizes or a capacity not above 0, delays or priority_bytes below 0,
    a spread outside [0, 1], or an unknown discipline.
    Source: Kleinrock vol. 2 (1976), ch. 4; Schrage & Miller (1966); Bai et al. (2015).

    >>> simulate_flows([1], [125], [3], [2.0], 1000, "ps", spread=0.0).tolist()
    [9.0]
    """
    users, sizes, counts, delays = workload(population, size_bytes, transactions, delay_s)
    capacity = number("capacity_bps", capacity_bps, above=0)
    choice("discipline", discipline, DISCIPLINES)
    seed = whole("seed", seed)
    priority_s = 8 * number("priority_bytes", priority_bytes, at_least=0) / capacity
    spread = number("spread", spread, at_least=0, at_most=1)
    cycles, class_of_pool = closed_cycles(users, counts, delays, seed, spread, pooled)
    finished = serve(cycles, 8 * sizes[class_of_pool] / capacity, discipline, priority_s)
    return last_of_class(finished, class_of_pool)


def simulate_queue(
    arrival_rate, sizes_s, probabilities, discipline, customers, seed=0, priority_s=0.0
):
    """Sizes and response times in seconds of the customers of an M/G/1 queue, in two arrays.

    Poisson arrivals at arrival_rate; a customer needs sizes_s[i] with probabilities[i]. The
    queue starts empty. Disciplines as in `simulate_flows`; "dpp" takes the first priority_s
    seconds of each customer ahead.
    Raises ValueError for a rate not above 0, sizes not above 0, probabilities that are not in
    [0, 1] or do not sum to 1, lengths that differ, customers below 1 or an unknown discipline.
    An unstable queue (load of 1 or more) is allowed: its responses grow with time.
    Source: Kleinrock vol. 2 (1976), ch. 4.

    >>> sizes, responses = simulate_queue(0.5, [1.0], [1.0], "fifo", customers=3, seed=1)
    >>> sizes.tolist(), responses.round(3).tolist()
    ([1.0, 1.0, 1.0], [1.0, 1.0, 1.689])
    """
    rate = number("arrival_rate", arrival_rate, above=0)
    sizes = np.array(numbers("sizes_s", sizes_s, above=0))
    p = np.array(numbers("probabilities", probabilities, at_least=0, at_most=1))
    same_length(sizes_s=sizes, probabilities=p)
    number("sum of probabilities", float(p.sum()), at_least=1 - 1e-9, at_most=1 + 1e-9)
    choice("discipline", discipline, DISCIPLINES)
    customers = whole("customers", customers, at_least=1)
    priority_s = number("priority_s", priority_s, at_least=0)
    rng = np.random.default_rng(whole("seed", seed))
    arrivals = np.cumsum(-np.log1p(-rng.random(customers))) / rate
    drawn = sizes[np.searchsorted(np.cumsum(p)[:-1], rng.random(customers), side="right")]
    each = np.arange(customers)  # every customer a user with one job, which thinks until it comes
    cycles = (arrivals, each, np.ones(customers, np.int64), each)
    return drawn, serve(cycles, drawn, discipline, priority_s) - arrivals
