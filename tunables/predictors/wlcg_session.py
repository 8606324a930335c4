"""Chapter 5: is the apply process bound by I/O or CPU, and what would more of them give?"""

from tunables.arguments import number, whole
from tunables.theory.queueing import mva, service_demand, utilisation


def predict(*, replicats, lcrs, user_io_s, cpu_s, system_io_s, unaccounted_s) -> dict:
    """Return time, throughput, utilisations and bounds of `replicats` apply processes.

    One process that applies `lcrs` LCRs waits user_io_s for the disks of the tables, uses the
    CPU for cpu_s, waits system_io_s for other I/O, and unaccounted_s are none of these. So an
    LCR demands D = B/C of three stations that all processes share, and the rest is a delay
    that nobody queues for. Exact mean value analysis gives the throughput of more processes;
    they do not wait for each other's locks or commits.
    Outputs: "apply_s", "throughput_lcr_s", "user_io_utilisation", "cpu_utilisation",
    "user_io_bound_lcr_s" = 1/D, "cpu_bound_lcr_s".
    Raises ValueError if replicats is not a whole number at least 1, lcrs, user_io_s or cpu_s
    is not above 0, or another time is negative.

    >>> two = predict(
    ...     replicats=2, lcrs=1e6, user_io_s=200, cpu_s=100, system_io_s=0, unaccounted_s=0
    ... )
    >>> round(two["throughput_lcr_s"], 3), two["user_io_bound_lcr_s"]
    (4285.714, 5000.0)
    """
    replicats = whole("replicats", replicats, at_least=1)
    lcrs = number("lcrs", lcrs, above=0)
    user_io_s = number("user_io_s", user_io_s, above=0)
    cpu_s = number("cpu_s", cpu_s, above=0)
    system_io_s = number("system_io_s", system_io_s, at_least=0)
    demands = [service_demand(busy_s, lcrs) for busy_s in (user_io_s, cpu_s, system_io_s)]
    rest = service_demand(number("unaccounted_s", unaccounted_s, at_least=0), lcrs)
    throughput, _, _ = mva(demands, replicats, rest)
    return {
        "apply_s": lcrs / throughput,
        "throughput_lcr_s": throughput,
        "user_io_utilisation": utilisation(throughput, demands[0]),
        "cpu_utilisation": utilisation(throughput, demands[1]),
        "user_io_bound_lcr_s": 1 / demands[0],
        "cpu_bound_lcr_s": 1 / demands[1],
    }
