"""Chapter 5: is the apply process bound by I/O or CPU, and what would more of them give?"""

from tunables.arguments import number, whole
from tunables.theory.queueing import mva, service_demand, utilisation


def predict(*, replicats, lcrs, apply_s, user_io_s, cpu_s, system_io_s) -> dict:
    """Return throughput, utilisations and bounds of `replicats` apply processes.

    One process applied `lcrs` LCRs in apply_s seconds, of which it waited user_io_s for the
    disks of the tables, used the CPU for cpu_s and waited system_io_s for other I/O; the rest
    is unaccounted. So an LCR demands D = B/C of three stations that all processes share, and
    the rest is a delay that nobody queues for. Exact mean value analysis gives the throughput
    of more processes; they do not wait for each other's locks or commits.
    Outputs: "throughput_lcr_s", "user_io_utilisation", "cpu_utilisation",
    "user_io_bound_lcr_s" = 1/D, "cpu_bound_lcr_s", "unaccounted_s" (of the one process).
    Raises ValueError if replicats is not a whole number at least 1, a number is not above 0
    (system_io_s may be 0), or the parts take longer than apply_s.

    >>> two = predict(
    ...     replicats=2, lcrs=1e6, apply_s=300, user_io_s=200, cpu_s=100, system_io_s=0
    ... )
    >>> round(two["throughput_lcr_s"], 3), two["user_io_bound_lcr_s"]
    (4285.714, 5000.0)
    """
    replicats = whole("replicats", replicats, at_least=1)
    lcrs = number("lcrs", lcrs, above=0)
    user_io_s = number("user_io_s", user_io_s, above=0)
    cpu_s = number("cpu_s", cpu_s, above=0)
    system_io_s = number("system_io_s", system_io_s, at_least=0)
    accounted_s = user_io_s + cpu_s + system_io_s
    apply_s = number("apply_s", apply_s, at_least=accounted_s)
    demands = [service_demand(busy_s, lcrs) for busy_s in (user_io_s, cpu_s, system_io_s)]
    rest = service_demand(apply_s - accounted_s, lcrs)
    throughput, _, _ = mva(demands, replicats, rest)
    return {
        "throughput_lcr_s": throughput,
        "user_io_utilisation": utilisation(throughput, demands[0]),
        "cpu_utilisation": utilisation(throughput, demands[1]),
        "user_io_bound_lcr_s": 1 / demands[0],
        "cpu_bound_lcr_s": 1 / demands[1],
        "unaccounted_s": apply_s - accounted_s,
    }
