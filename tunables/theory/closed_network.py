"""Closed product-form network: a delay for each class and one shared station."""

import math

from tunables.arguments import number, numbers, same_length, whole

# The sum is a trapezoid rule over t, u = exp(t - exp(-t)), which makes the integrand vanish
# doubly exponentially at both ends (Takahasi & Mori 1974). These give ten digits in 36 points.
_STEPS_PER_WIDTH = 2
_LARGEST_STEP = 0.2
_SMALLEST_LOG_WEIGHT = -44.0


def _peak(classes):
    """Return the u that maximises u exp(-u) prod (Z + D u)^N, and the width of the peak in ln u.

    It is the root of u = 1 + sum N q with q = D u/(Z + D u). The right side is concave, so
    Newton started at its upper bound comes down to the root without overstepping.
    """
    u = 1.0 + sum(n for n, _, _ in classes)
    for _ in range(50):
        shares = [(n, d * u / (z + d * u)) for n, z, d in classes]
        excess = u - 1 - sum(n * q for n, q in shares)
        step = excess / (1 - sum(n * q * (1 - q) for n, q in shares) / u)
        u -= step
        if step <= 1e-6 * u:
            break
    return u, 1 / math.sqrt(1 + sum(n * q * q for n, q in shares))


def _start_and_step(classes):
    """Return the t of the integrand's peak and the step that resolves it."""
    u, width = _peak(classes)
    log_u = math.log(u)
    t = max(log_u, 0.6)
    for _ in range(5):  # Newton on t - exp(-t) = ln u
        t -= (t - math.exp(-t) - log_u) / (1 + math.exp(-t))
    return t, min(width / (1 + math.exp(-t)) / _STEPS_PER_WIDTH, _LARGEST_STEP)


def _mean_reciprocals(classes):
    """Return for each class the mean of 1/(Z + D u) under the weight exp(-u) prod (Z + D u)^N."""
    start, step = _start_and_step(classes)
    log_top = None
    total = 0.0
    sums = [0.0] * len(classes)
    largest = max(n for n, _, _ in classes)
    others = [(k, n - largest) for k, (n, _, _) in enumerate(classes) if n < largest]
    for t, move in ((start, step), (start - step, -step)):  # outwards from the peak
        while True:
            decay = math.exp(-t)
            u = math.exp(t - decay)
            log_weight = t - decay - u + math.log(1 + decay)
            factors = [z + d * u for _, z, d in classes]
            product = 1.0
            for factor in factors:  # one logarithm where all classes are of one size
                product *= factor
            log_weight += largest * math.log(product)
            for k, fewer in others:
                log_weight += fewer * math.log(factors[k])
            if log_top is None:
                log_top = log_weight
            if log_weight - log_top < _SMALLEST_LOG_WEIGHT:
                break
            weight = math.exp(log_weight - log_top)
            total += weight
            for k, factor in enumerate(factors):
                sums[k] += weight / factor
            t += move
    return [x / total for x in sums]


def solve_closed_network(population, delay_s, demand_s) -> list:
    """Return `closed_network_throughput(...)[0]` without its checks, for inner loops."""
    classes = list(zip(population, delay_s, demand_s))
    queueing = [(n, z, d) for n, z, d in classes if n and d]
    reciprocals = iter(_mean_reciprocals(queueing) if queueing else [])
    return [n * next(reciprocals) if n and d else n / z if n else 0.0 for n, z, d in classes]


def closed_network_throughput(population, delay_s, demand_s) -> tuple:
    """Return (throughputs, mean customers at the station), a list each with one entry a class.

    The population[k] customers of class k think for delay_s[k] = Z_k, then need
    demand_s[k] = D_k seconds of one station that all share (processor sharing, or FIFO with
    exponential service of one mean). Exact for any distribution of think time and size:

        G(N) = int_0^inf exp(-u) prod_k (Z_k + D_k u)^N_k / N_k! du
        X_k = G(N - e_k)/G(N) customers/s,  Q_k = N_k - X_k Z_k

    evaluated to nine digits. A class of no customers has X = Q = 0.
    Raises ValueError if a population is not a whole number at least 0, a time is negative or
    not finite, a class with customers has neither delay nor demand, or lengths differ.
    Source: Baskett, Chandy, Muntz & Palacios (1975); McKenna & Mitra (1982) for the integral.

    >>> throughputs, at_station = closed_network_throughput([20], [15.0], [1.0])
    >>> round(throughputs[0], 6), round(at_station[0], 6)
    (0.954407, 5.683898)
    """
    delays = numbers("delay_s", delay_s, at_least=0)
    demands = numbers("demand_s", demand_s, at_least=0)
    people = [whole("population", n) for n in numbers("population", population, at_least=0)]
    same_length(population=people, delay_s=delays, demand_s=demands)
    for k, n in enumerate(people):
        if n:
            number(f"delay_s[{k}] + demand_s[{k}]", delays[k] + demands[k], above=0)
    throughputs = solve_closed_network(people, delays, demands)
    at_station = [max(0.0, n - x * z) for n, x, z in zip(people, throughputs, delays)]
    return throughputs, at_station
