"""Closed product-form network: a delay for each class and one shared station."""

import math

from tunables.base.arguments import integer, number, numbers, same_length
from tunables.base.kinds import Numbers
from tunables.base.portable import plain_sum

MOST_CUSTOMERS = 1_000_000  # of a class

# The sum is a trapezoid rule over t, u = u_peak exp(t + (1 - exp(-2 t))/10): the integrand vanishes
# doubly exponentially at both ends (Takahasi & Mori 1974). These give nine digits in 21 points.
_BEND, _BEND_RATE = 0.1, 2.0
_STEPS_PER_WIDTH = 1.3
_LARGEST_STEP = 0.2
_SMALLEST_WEIGHT = 1e-10  # of a point that counts, where that of the peak is 1


def _peak(classes):
    """Return the u that maximises u exp(-u) prod (Z + D u)^N, and the width of the peak in ln u.

    It is the root of u = 1 + sum N q with q = D u/(Z + D u). The right side is concave, so
    Newton started at its upper bound comes down to the root without overstepping.
    """
    u = 1.0 + plain_sum(n for n, _, _ in classes)
    for _ in range(50):
        shares = [(n, d * u / (z + d * u)) for n, z, d in classes]
        excess = u - 1 - plain_sum(n * q for n, q in shares)
        step = excess / (1 - plain_sum(n * q * (1 - q) for n, q in shares) / u)
        u -= step
        if step <= 1e-3 * u:
            break
    return u, 1 / math.sqrt(1 + plain_sum(n * q * q for n, q in shares))


def _points(classes):
    """Return [(u, weight)] that sum up the integral over exp(-u) prod (Z + D u)^N.

    They go outwards from the peak, of weight 1, until both the weight and its part in any class's
    mean of 1/(Z + D u) are negligible.
    """
    peak, width = _peak(classes)
    step = min(width / (1 + _BEND * _BEND_RATE) / _STEPS_PER_WIDTH, _LARGEST_STEP)
    pairs = [(z, d) for _, z, d in classes]
    largest = max(n for n, _, _ in classes)
    fewer = [(n - largest, z, d) for n, z, d in classes if n < largest]
    points: list = []
    log_top = None
    for t, move in ((0.0, step), (-step, -step)):
        while True:
            bend = _BEND * math.exp(-_BEND_RATE * t)
            u = peak * math.exp(t + _BEND - bend)
            product = 1.0
            for z, d in pairs:  # one logarithm if all classes are of one size
                product *= z + d * u
            log_weight = largest * math.log(product) - u
            log_weight += t + _BEND - bend + math.log(1 + _BEND_RATE * bend)  # du/dt
            for n, z, d in fewer:
                log_weight += n * math.log(z + d * u)
            if log_top is None:
                log_top = log_weight
            weight = math.exp(log_weight - log_top)
            points.append((u, weight))
            if weight < _SMALLEST_WEIGHT and all(
                weight * (z + d * peak) < _SMALLEST_WEIGHT * (z + d * u) for z, d in pairs
            ):
                break
            t += move
    return points


def _mean_reciprocals(classes):
    """Return for each class the mean of 1/(Z + D u) under the weight exp(-u) prod (Z + D u)^N."""
    points = _points(classes)
    total = plain_sum([weight for _, weight in points])
    return [plain_sum([w / (z + d * u) for u, w in points]) / total for _, z, d in classes]


def solve_closed_network(population: Numbers, delay_s: Numbers, demand_s: Numbers) -> list[float]:
    """Return `closed_network_throughput(...)[0]` without its checks, for inner loops."""
    classes = list(zip(population, delay_s, demand_s))
    queueing = [(n, z, d) for n, z, d in classes if n and d]
    reciprocals = iter(_mean_reciprocals(queueing) if queueing else [])
    return [n * next(reciprocals) if n and d else n / z if n else 0.0 for n, z, d in classes]


def closed_network_throughput(
    population: Numbers, delay_s: Numbers, demand_s: Numbers
) -> tuple[list[float], list[float]]:
    """Return (throughputs, mean customers at the station), two lists with one entry per class.

    The population[k] customers of class k think for delay_s[k] = Z_k, then need
    demand_s[k] = D_k seconds of one station that all share (processor sharing, or FIFO with
    exponential service of one mean). Exact for any distribution of think time and size:

        G(N) = int_0^inf exp(-u) prod_k (Z_k + D_k u)^N_k / N_k! du
        X_k = G(N - e_k)/G(N) customers/s,  Q_k = N_k - X_k Z_k

    evaluated to nine digits. A class of no customers has X = Q = 0.
    Raises ValueError if a population is not a whole number from 0 to a million, a time is
    negative or not finite, a class with customers has neither delay nor demand, or lengths
    differ.
    Source: Baskett, Chandy, Muntz & Palacios (1975); McKenna & Mitra (1982) for the integral.

    >>> throughputs, at_station = closed_network_throughput([20], [15.0], [1.0])
    >>> round(throughputs[0], 6), round(at_station[0], 6)
    (0.954407, 5.683898)
    >>> throughputs, at_station = closed_network_throughput([20, 3], [15.0, 2.0], [1.0, 0.5])
    >>> [round(x, 4) for x in throughputs], [round(q, 4) for q in at_station]
    ([0.7822, 0.4325], [8.2675, 2.1351])
    """
    delays = numbers("delay_s", delay_s, at_least=0)
    demands = numbers("demand_s", demand_s, at_least=0)
    people = [
        integer("population", n, at_most=MOST_CUSTOMERS)
        for n in numbers("population", population, at_least=0)
    ]
    same_length(population=people, delay_s=delays, demand_s=demands)
    for k, n in enumerate(people):
        if n:
            number(f"delay_s[{k}] + demand_s[{k}]", delays[k] + demands[k], above=0)
    throughputs = solve_closed_network(people, delays, demands)
    at_station = [max(0.0, n - x * z) for n, x, z in zip(people, throughputs, delays)]
    return throughputs, at_station
