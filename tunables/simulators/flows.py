"""Flows of several sizes on one port, and the M/G/1 queue, under five disciplines."""

import numpy as np

from tunables.plain.arguments import choice, number, numbers, same_length, whole
from tunables.simulators.cycles import closed_cycles, last_of_class, workload
from tunables.simulators.flows_lanes import serve_groups, serve_in_turn, serve_levels
from tunables.simulators.limits import MOST_ENTRIES
from tunables.theory.shared_port import per_class

DISCIPLINES = ("fifo", "ps", "srpt", "fb", "dpp")


def serve(cycles, service_s, discipline, priority_s=0.0):
    """Return the time at which each pool's last job ends under the discipline of that name.

    cycles: see `tunables.simulators.cycles`; service_s: seconds of the whole server that a job
    of each pool takes. "dpp" lets the first priority_s of each job go ahead: a number, or one
    a pool.
    """
    service_s = np.array(service_s, dtype=np.float64)
    if discipline in ("ps", "dpp"):
        ahead_s = np.full(len(service_s), priority_s if discipline == "dpp" else np.inf)
        pools = serve_levels(cycles, service_s, ahead_s)
    elif discipline == "fb":
        pools = serve_groups(cycles, service_s)
    else:
        pools = serve_in_turn(cycles, service_s, discipline == "srpt")
    return np.array(pools["finished_s"])


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
    first) or "dpp" (the first priority_bytes of each transaction, a number or one a class, go
    ahead of all other bytes; equal shares within each level). A class has population x
    transactions in all; with pooled its users draw them from one pool and end together,
    otherwise each user has a share of its own and the class ends with its slowest user. With
    spread = 0 users who start together stay in step, and no closed form holds.
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
    priority = np.array(per_class("priority_bytes", priority_bytes, len(users)))
    spread = number("spread", spread, at_least=0, at_most=1)
    cycles, class_of_pool = closed_cycles(users, counts, delays, seed, spread, pooled)
    service_s, priority_s = (8 * each[class_of_pool] / capacity for each in (sizes, priority))
    finished = serve(cycles, service_s, discipline, priority_s)
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
    customers = whole("customers", customers, at_least=1, at_most=MOST_ENTRIES)
    priority_s = number("priority_s", priority_s, at_least=0)
    rng = np.random.default_rng(whole("seed", seed))
    arrivals = np.cumsum(-np.log1p(-rng.random(customers))) / rate
    drawn = sizes[np.searchsorted(np.cumsum(p)[:-1], rng.random(customers), side="right")]
    each = np.arange(customers)  # every customer a user with one job, which thinks until it comes
    cycles = (arrivals, each, np.ones(customers, np.int64), each)
    return drawn, serve(cycles, drawn, discipline, priority_s) - arrivals
