"""Operational laws: they hold for any system that is observed for long enough."""

from tunables.base.arguments import number


def service_demand(busy_s: float, completions: float) -> float:
    """Seconds of a resource that one completion takes: D = B/C.

    busy_s: time for which the resource was busy, B; completions: how many left in that time, C.
    Raises ValueError if busy_s is negative or completions is not above 0.
    Source: Denning & Buzen (1978), service demand law D = U/X.

    >>> service_demand(busy_s=30, completions=600)
    0.05
    """
    return number("busy_s", busy_s, at_least=0) / number("completions", completions, above=0)


def utilisation(throughput: float, demand_s: float) -> float:
    """Mean number of busy servers of a resource: U = X D (of one server: its busy fraction).

    throughput in completions/s, demand_s in seconds per completion.
    Raises ValueError if either is negative.
    Source: Denning & Buzen (1978), utilisation law.

    >>> utilisation(throughput=10, demand_s=0.05)
    0.5
    """
    return number("throughput", throughput, at_least=0) * number("demand_s", demand_s, at_least=0)
