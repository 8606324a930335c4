"""Transactions of several sizes that share one switch port, with and without flow priority."""

import math

from tunables.base.arguments import integer, number, numbers, same_length
from tunables.base.kinds import Numbers
from tunables.base.portable import plain_sum
from tunables.base.refusals import refusal
from tunables.theory.closed_network import MOST_CUSTOMERS, solve_closed_network

_ALL_DONE = 1e-9  # of its transactions left: rounding, where two classes finish together
_LOAD_TOLERANCE = 1e-6


def _whole_numbers(name, values, at_most=None):
    return [integer(name, value, at_least=1, at_most=at_most) for value in numbers(name, values)]


def per_class(name: str, values: float | Numbers, classes: int) -> list[float]:
    """Return one number per class, from a sequence or from a single number for all."""
    try:
        iter(values)  # type: ignore[arg-type] # which tells a number from a sequence
    except TypeError:
        return [number(name, values, at_least=0)] * classes
    result = numbers(name, values, at_least=0)
    if len(result) != classes:
        raise refusal(f"{name} has {len(result)} entries: must have {classes}, one per class")
    return result


def _workload(population, size_bytes, transactions, capacity_bps):
    """Return users and transactions per class, and seconds of the port per transaction."""
    users = _whole_numbers("population", population, MOST_CUSTOMERS)
    sizes = numbers("size_bytes", size_bytes, above=0)
    counts = _whole_numbers("transactions", transactions)
    same_length(population=users, size_bytes=sizes, transactions=counts)
    capacity = number("capacity_bps", capacity_bps, above=0)
    return users, counts, [8 * size / capacity for size in sizes]


def _delay_of_one_class(users, cycle_s, demand_s):
    """Return the Z with Z + R(Z) = cycle_s, where R is the response time of users customers.

    Newton from above on a convex function; R and its slope by mean value analysis.
    """
    delay = cycle_s - demand_s
    for _ in range(100):
        waiting, slope = 0.0, 0.0  # customers at the station, and their derivative by Z
        for n in range(1, users + 1):
            response, response_slope = demand_s * (1 + waiting), demand_s * slope
            throughput = n / (delay + response)
            waiting = n - throughput * delay
            slope = throughput * (throughput * delay * (1 + response_slope) / n - 1)
        step = (delay + response - cycle_s) / (1 + response_slope)
        delay -= step
        if step <= 1e-7 * cycle_s:  # the error after it is of the order of its square
            break
    return delay


def calibrate_delay(
    population: Numbers,
    size_bytes: Numbers,
    transactions: Numbers,
    alone_s: float | Numbers,
    capacity_bps: float,
) -> list[float]:
    """Delay Z_k, in seconds, with which class k finishes in alone_s[k] when it runs alone.

    Each of the population[k] users of class k carries out transactions[k] cycles of a delay
    (think time, database, network) and a transfer of size_bytes[k] through a port of
    capacity_bps that all users of the class share: population/(Z + R(Z)) is the throughput
    transactions x population/alone_s, R by exact mean value analysis.
    Raises ValueError for lengths that differ, populations or transactions that are not whole
    numbers at least 1, populations above a million, sizes, times or a capacity not above 0, or
    a time in which the port cannot carry the bytes.
    Source: Reiser & Lavenberg (1980).

    >>> round(calibrate_delay([20], [18e3], [41_805], [300], 9.5e9)[0] * 1e3, 3)  # ms
    7.16
    """
    users, counts, demands = _workload(population, size_bytes, transactions, capacity_bps)
    times = per_class("alone_s", alone_s, len(users))
    delays = []
    for k, (n, count, demand) in enumerate(zip(users, counts, demands)):
        number(f"alone_s[{k}]", times[k], above=n * count * demand)
        delays.append(_delay_of_one_class(n, times[k] / count, demand))
    return delays


def _throughputs_beside_priority(users, delays, priority_s, rest_s, rho=0.0):
    """Return (throughputs, rho): each transaction takes priority_s, then rest_s, of the port.

    The priority part sees an M/G/1 queue with processor sharing at the priority load rho and
    counts as a delay; the rest shares the 1 - rho of the port that the priority leaves. rho is
    the root of load(rho) = rho, by the secant rule kept in a bracket, from the rho given: the
    load that the throughputs carry falls with rho, to 0 at 1.
    """
    low, high = 0.0, 1.0
    before = excess_before = None
    for _ in range(60):
        share = 1 - rho
        delayed = [z + s / share for z, s in zip(delays, priority_s)]
        throughputs = solve_closed_network(users, delayed, [s / share for s in rest_s])
        excess = plain_sum(x * s for x, s in zip(throughputs, priority_s)) - rho
        if abs(excess) < _LOAD_TOLERANCE or high - low < _LOAD_TOLERANCE:
            break
        if excess > 0:
            low = rho
        else:
            high = rho
        # For the first step assume a constant load: without long queues it nearly is.
        slope = -1.0 if before is None else (excess - excess_before) / (rho - before)
        before, excess_before = rho, excess
        rho = rho - excess / slope if slope else low
        if not low < rho < high:
            rho = (low + high) / 2
    return throughputs, rho


def completion_times(
    population: Numbers,
    size_bytes: Numbers,
    transactions: Numbers,
    delay_s: Numbers,
    capacity_bps: float,
    latency_s: float | Numbers = 0.0,
    priority_bytes: float | Numbers = 0.0,
) -> list[float]:
    """Seconds after which each class has carried out its transactions, all starting together.

    Each of the population[k] users cycles transactions[k] times: delay_s[k] + latency_s, then
    size_bytes[k] through the port. While a set of classes runs, each goes at its throughput
    in the closed network (`closed_network_throughput`); when the first is done it is removed,
    and so on. The first priority_bytes of each transaction go ahead of all other bytes:
    they take 8 b/(C (1 - rho)), and the rest shares C (1 - rho), with rho the load of the
    priority bytes. latency_s and priority_bytes: a number, or one entry per class.
    Raises ValueError for lengths that differ, populations or transactions that are not whole
    numbers at least 1, populations above a million, sizes or a capacity not above 0, or other
    numbers below 0.
    Source: McKenna & Mitra (1982) for each set; Bai et al. (2015) for the priority.

    >>> delays = calibrate_delay([20, 20], [18e3, 32e6], [41_805, 507], [300, 300], 9.5e9)
    >>> times = completion_times([20, 20], [18e3, 32e6], [41_805, 507], delays, 9.5e9)
    >>> [round(time, 1) for time in times]
    [303.1, 307.6]
    >>> both = {"latency_s": 0.001, "priority_bytes": 1e4}
    >>> times = completion_times([2, 1], [18e3, 32e6], [40, 5], [0.007, 0.5], 9.5e9, **both)
    >>> [round(time, 3) for time in times]
    [0.321, 2.64]
    """
    users, counts, demands = _workload(population, size_bytes, transactions, capacity_bps)
    capacity = number("capacity_bps", capacity_bps, above=0)
    classes = len(users)
    latencies = per_class("latency_s", latency_s, classes)
    delays = [z + w for z, w in zip(per_class("delay_s", delay_s, classes), latencies)]
    first = per_class("priority_bytes", priority_bytes, classes)
    priority_s = [min(d, 8 * b / capacity) for d, b in zip(demands, first)]
    rest_s = [d - p for d, p in zip(demands, priority_s)]
    left = [float(count) for count in counts]  # transactions that each user of a class still has
    finished = [0.0] * classes
    now = rho = 0.0
    while max(left) > 0:
        running = [n if rest else 0 for n, rest in zip(users, left)]
        # The load of the priority bytes changes little when a class is done: start there.
        throughputs, rho = _throughputs_beside_priority(running, delays, priority_s, rest_s, rho)
        each = [x / n for x, n in zip(throughputs, users)]  # transactions/s of one user
        span = min(rest / rate for rest, rate in zip(left, each) if rest)
        now += span
        for k, count in enumerate(counts):
            if left[k]:
                left[k] -= each[k] * span
                if left[k] <= _ALL_DONE * count:
                    left[k], finished[k] = 0.0, now
    return finished


def fifo_response(
    backlog_s: float, work_s: float, think_s: float, users: int | None = None
) -> float:
    """Mean seconds D that small transactions take through a FIFO port behind a standing backlog.

    The port always has backlog_s of others' packets waiting. The users, whose transactions take
    work_s of it in total, each send one, wait until it is through, and think for think_s. An
    arrival finds the backlog B and the work of the other users in the port, as in mean value
    analysis: D(n) = B + s + (n - 1) s D(n - 1)/(think + D(n - 1)) with s = work/users, up to
    n = users. Approximate: within 2% of simulations while s is below B, and up to 7% off if it
    is far above.
    Without users, for a large number of them with short transactions:
    D = B/(1 - work/(think + D)), which is too short for a few users.
    Raises ValueError for a number that is negative or not finite, or users that are not a whole
    number from 1 to a million.
    Source: Reiser & Lavenberg (1980); Little's law, for the work that is found waiting.

    >>> round(fifo_response(0.02304, 0.0168, 0.040, users=6) * 1e3, 1)  # ms
    31.9
    >>> round(fifo_response(0.02304, 0.0168, 0.040) * 1e3, 1)
    30.3
    """
    backlog = number("backlog_s", backlog_s, at_least=0)
    work = number("work_s", work_s, at_least=0)
    think = number("think_s", think_s, at_least=0)
    if users is None:
        excess = backlog + work - think
        return (excess + math.sqrt(excess * excess + 4 * backlog * think)) / 2
    count = integer("users", users, at_least=1, at_most=MOST_CUSTOMERS)
    own = work / count
    response = backlog + own
    for others in range(1, count):
        cycle = think + response
        response = backlog + own + (others * own * response / cycle if cycle else 0.0)
    return response


def flowlet_priority_fraction(packet_times_s: Numbers, max_packets: int, gap_s: float) -> float:
    """Fraction of a connection's packets that are among the first max_packets of their flow.

    A packet that arrives gap_s or more after the previous one starts a new flow.
    packet_times_s: seconds, in order.
    Raises ValueError for times that fall or are not finite, max_packets that is not a whole
    number, or a gap not above 0.
    Source: Kandula, Katabi, Sinha & Berger (2007) for flowlets.

    >>> flowlet_priority_fraction([0.0, 0.001, 0.002, 0.010], 1, 0.005)
    0.5
    """
    times = numbers("packet_times_s", packet_times_s)
    allowed = integer("max_packets", max_packets)
    gap = number("gap_s", gap_s, above=0)
    in_flow = ahead = 0
    before = times[0]
    for index, time in enumerate(times):
        number(f"packet_times_s[{index}]", time, at_least=before)
        in_flow = 1 if time - before >= gap else in_flow + 1
        ahead += in_flow <= allowed
        before = time
    return ahead / len(times)
