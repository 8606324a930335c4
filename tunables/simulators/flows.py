"""Flows of several sizes on one port, and the M/G/1 queue, under five disciplines."""

import numpy as np
from numpy.typing import ArrayLike

from tunables.base.arguments import choice, integer, number, numbers, same_length
from tunables.base.kinds import Numbers
from tunables.base.portable import plain_sum
from tunables.simulators.arrays import Floats
from tunables.simulators.cycles import closed_cycles, last_of_class, workload
from tunables.simulators.flows_kernel import serve_groups, serve_in_turn, serve_levels
from tunables.simulators.limits import MOST_STEPS, check_size
from tunables.theory.shared_port import per_class

DISCIPLINES = ("fifo", "ps", "srpt", "fb", "dpp")


def serve(cycles, service_s: ArrayLike, discipline: str, priority_s: float = 0.0) -> Floats:
    """Return the time at which each pool's last job ends under a discipline, given by name.

    cycles: see `tunables.simulators.cycles`; service_s: seconds of the whole server that a job
    of each pool takes. "dpp" lets the first priority_s of each job go ahead: one number for all,
    or one per pool.
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
    population: Numbers,
    size_bytes: Numbers,
    transactions: Numbers,
    delay_s: Numbers,
    capacity_bps: float,
    discipline: str,
    seed: int = 0,
    priority_bytes: float | Numbers = 0.0,
    spread: float = 0.5,
    pooled: bool = True,
) -> Floats:
    """Simulate users on one port; return when each class has finished its transactions, s.

    The population[k] users of class k each think for delay_s[k] on average, uniformly within
    +- spread of it, and send size_bytes[k] through a port of capacity_bps. discipline: "fifo"
    (whole transactions), "ps" (equal shares), "srpt" (least left first), "fb" (least sent
    first) or "dpp" (the first priority_bytes of each transaction, one number or one per class, go
    ahead of all other bytes; equal shares within each level). A class has population x
    transactions in all; if pooled, its users draw them from one pool and end together,
    otherwise each user has its own share and the class ends with its slowest user. With
    spread = 0 users who start together stay in step, and no closed form holds.
    Raises ValueError for lengths that differ, populations or transactions that are not whole
    numbers at least 1, sizes or a capacity not above 0, delays or priority_bytes below 0,
    a spread outside [0, 1], or an unknown discipline.
    Source: Kleinrock vol. 2 (1976), ch. 4; Schrage & Miller (1966); Bai et al. (2015).

    >>> simulate_flows([1], [125], [3], [2.0], 1000, "ps", spread=0.0).tolist()
    [9.0]
    >>> users = {"population": [4, 2], "size_bytes": [18e3, 32e6], "transactions": [40, 5]}
    >>> port = {"delay_s": [0.007, 0.5], "capacity_bps": 5e8, "priority_bytes": 1e4}
    >>> for discipline in ("fifo", "ps", "srpt", "fb", "dpp"):
    ...     ends_s = simulate_flows(discipline=discipline, seed=1, **users, **port)
    ...     print(discipline, ends_s.round(2).tolist())
    fifo [0.3, 6.09]
    ps [0.3, 6.62]
    srpt [0.3, 6.09]
    fb [0.3, 7.33]
    dpp [0.3, 6.62]
    """
    users, sizes, counts, delays = workload(population, size_bytes, transactions, delay_s)
    capacity = number("capacity_bps", capacity_bps, above=0)
    choice("discipline", discipline, DISCIPLINES)
    seed = integer("seed", seed)
    priority = np.array(per_class("priority_bytes", priority_bytes, len(users)))
    spread = number("spread", spread, at_least=0, at_most=1)
    each = plain_sum(users) if discipline == "fb" else len(users)
    number(
        "all transactions * (users if discipline is fb, classes otherwise)",
        float(each * plain_sum(users * counts)),
        at_most=MOST_STEPS,
    )
    cycles, class_of_pool = closed_cycles(users, counts, delays, seed, spread, pooled)
    service_s, priority_s = (8 * each[class_of_pool] / capacity for each in (sizes, priority))
    finished = serve(cycles, service_s, discipline, priority_s)
    return last_of_class(finished, class_of_pool)


def simulate_queue(
    arrival_rate: float,
    sizes_s: Numbers,
    probabilities: Numbers,
    discipline: str,
    customers: int,
    seed: int = 0,
    priority_s: float = 0.0,
) -> tuple[Floats, Floats]:
    """Simulate an M/G/1 queue; return its customers' sizes and response times in seconds.

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
    >>> queue = {"arrival_rate": 0.5, "sizes_s": [0.5, 1.5], "probabilities": [0.5, 0.5]}
    >>> run = queue | {"customers": 1000, "seed": 1, "priority_s": 0.2}
    >>> for discipline in ("fifo", "ps", "srpt", "fb", "dpp"):
    ...     print(discipline, simulate_queue(discipline=discipline, **run)[1].mean().round(3))
    fifo 1.696
    ps 2.118
    srpt 1.519
    fb 2.725
    dpp 2.214
    """
    rate = number("arrival_rate", arrival_rate, above=0)
    sizes = np.array(numbers("sizes_s", sizes_s, above=0))
    p = np.array(numbers("probabilities", probabilities, at_least=0, at_most=1))
    same_length(sizes_s=sizes, probabilities=p)
    number("sum of probabilities", float(p.sum()), at_least=1 - 1e-9, at_most=1 + 1e-9)
    choice("discipline", discipline, DISCIPLINES)
    customers = integer("customers", customers, at_least=1)
    check_size("customers", customers, bytes_each=160)
    waiting = customers * max(0.0, 1 - 1 / max(rate * float(p @ sizes), 1.0))
    each = waiting if discipline == "fb" else len(sizes)
    number(
        "customers * (waiting customers if discipline is fb, entries of sizes_s otherwise)",
        each * customers,
        at_most=MOST_STEPS,
    )
    priority_s = number("priority_s", priority_s, at_least=0)
    rng = np.random.default_rng(integer("seed", seed))
    arrivals = np.cumsum(-np.log1p(-rng.random(customers))) / rate
    drawn = sizes[np.searchsorted(np.cumsum(p)[:-1], rng.random(customers), side="right")]
    users = np.arange(
        customers
    )  # each customer is a user with one job who thinks until its arrival
    cycles = (arrivals, users, np.ones(customers, np.int64), users)
    responses_s = serve(cycles, drawn, discipline, priority_s) - arrivals
    return drawn, np.maximum(responses_s, drawn)  # a difference of late moments loses digits
