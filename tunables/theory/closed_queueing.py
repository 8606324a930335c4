"""Closed systems: a fixed number of customers that think, ask, and wait for the reply."""

import math

from tunables.base.arguments import integer, number, numbers
from tunables.base.kinds import Numbers
from tunables.base.portable import plain_sum

_MOST_CUSTOMERS = 1_000_000  # that an exact solution goes through one by one


def interactive_throughput(
    customers: int, response_time_s: float, think_time_s: float = 0.0
) -> float:
    """Throughput by Little's law: X = N / (R + Z), in customers per second.

    Each of N customers alternates between a response time R and a think time Z, in seconds.
    Raises ValueError for customers that is not a whole number, a time that is negative, or
    R + Z = 0.
    Source: Little (1961); Lazowska et al. (1984), chapter 3.

    >>> round(interactive_throughput(50, 8.072), 3)
    6.194
    >>> round(interactive_throughput(50, 8.072, think_time_s=1.0), 3)
    5.511
    """
    n = integer("customers", customers)
    response_time_s = number("response_time_s", response_time_s, at_least=0)
    think_time_s = number("think_time_s", think_time_s, at_least=0)
    return n / number("response_time_s + think_time_s", response_time_s + think_time_s, above=0)


def _network(service_demands_s, customers, think_time_s, most_customers=None):
    demands = numbers("service_demands_s", service_demands_s, at_least=0)
    n = integer("customers", customers, at_least=1, at_most=most_customers)
    think_time_s = number("think_time_s", think_time_s, at_least=0)
    number("sum of service_demands_s + think_time_s", plain_sum(demands) + think_time_s, above=0)
    return demands, n, think_time_s


def asymptotic_bounds(
    service_demands_s: Numbers, customers: int, think_time_s: float = 0.0
) -> tuple[float, float]:
    """Largest throughput and least response time of a closed network, whatever its queues do.

    X <= min(N / (D + Z), 1 / Dmax) and R >= max(D, N Dmax - Z), with D the sum and Dmax the
    largest of the service demands (seconds that a customer needs at each station).
    Raises ValueError for no station, a negative demand or think time, fewer than one customer,
    or D + Z = 0.
    Source: Lazowska et al. (1984), section 5.2.

    >>> asymptotic_bounds([0.1, 0.3], 10, think_time_s=1.0)
    (3.3333333333333335, 2.0)
    """
    demands, n, think_time_s = _network(service_demands_s, customers, think_time_s)
    total, largest = plain_sum(demands), max(demands)
    throughput = n / (total + think_time_s)
    if largest > 0:
        throughput = min(throughput, 1 / largest)
    return throughput, max(total, n * largest - think_time_s)


def mva(
    service_demands_s: Numbers, customers: int, think_time_s: float = 0.0
) -> tuple[float, float, list[float]]:
    """Exact mean value analysis: throughput, response time, mean queue length by station.

    R_i(n) = D_i (1 + Q_i(n - 1)), X(n) = n / (Z + sum R_i(n)), Q_i(n) = X(n) R_i(n), from
    Q_i(0) = 0 up to n = N. Stations have one server and a product form (FIFO with exponential
    times, or processor sharing).
    Raises ValueError for no station, a negative demand or think time, fewer than one customer
    or more than a million, or D + Z = 0.
    Source: Reiser & Lavenberg (1980); Lazowska et al. (1984), chapter 6.

    >>> throughput, response_time_s, queues = mva([0.1, 0.1, 0.1], 10)
    >>> round(throughput, 4), round(response_time_s, 4), [round(q, 4) for q in queues]
    (8.3333, 1.2, [3.3333, 3.3333, 3.3333])
    >>> throughput, response_time_s, queues = mva([0.1, 0.3], 10, think_time_s=1.0)
    >>> round(throughput, 4), round(response_time_s, 4), [round(q, 4) for q in queues]
    (3.316, 2.0156, [0.4918, 6.1921])
    """
    demands, n, think_time_s = _network(service_demands_s, customers, think_time_s, _MOST_CUSTOMERS)
    queues = [0.0 for _ in demands]
    throughput = response_time_s = 0.0
    for population in range(1, n + 1):
        responses = [demand * (1 + queue) for demand, queue in zip(demands, queues)]
        response_time_s = plain_sum(responses)
        throughput = population / (think_time_s + response_time_s)
        queues = [throughput * response for response in responses]
    return throughput, response_time_s, queues


def machine_repair(
    customers: int, servers: int, think_time_s: float, service_time_s: float
) -> tuple[float, float]:
    """Throughput and response time of N customers at c servers with one queue, M/M/c//N.

    Exponential think and service times with means Z and S. With k customers at the servers,
    p_k is proportional to p_(k-1) (N - k + 1) S / (Z min(k, c)); X = sum p_k min(k, c) / S and
    R = sum k p_k / X.
    Raises ValueError for customers or servers that are not whole numbers at least 1, more than
    a million customers, a negative think time or a service time that is not above 0.
    Source: Kleinrock (1975), section 3.10.

    >>> throughput, response_time_s = machine_repair(4, 1, 10.0, 2.0)
    >>> round(throughput, 8), round(response_time_s, 6)
    (0.30082855, 3.29661)
    """
    n = integer("customers", customers, at_least=1, at_most=_MOST_CUSTOMERS)
    c = integer("servers", servers, at_least=1)
    z = number("think_time_s", think_time_s, at_least=0)
    s = number("service_time_s", service_time_s, above=0)
    if z == 0:  # no thinking: all customers are always at the servers
        throughput = min(n, c) / s
        return throughput, n / throughput
    logs = [0.0]  # of the weights of p_k, since the weights themselves overflow for large N
    for k in range(1, n + 1):
        logs.append(logs[-1] + math.log((n - k + 1) * s / min(k, c)) - math.log(z))
    largest = max(logs)
    weights = [math.exp(value - largest) for value in logs]
    total = plain_sum(weights)
    throughput = plain_sum(w * min(k, c) for k, w in enumerate(weights)) / total / s
    return throughput, plain_sum(w * k for k, w in enumerate(weights)) / total / throughput
