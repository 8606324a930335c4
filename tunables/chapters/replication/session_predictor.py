"""Chapter 5: is the apply process bound by I/O or CPU, and what would more of them give?"""

import math

from tunables.plain.arguments import choice, number, whole
from tunables.theory.queueing import mva, service_demand, utilisation

IO_WAITS = ("queue", "delay")


def stations(io, demands_s, rest_s):
    """Return (demands that are queued for, delay) of an LCR, all in seconds.

    demands_s: of table I/O, the CPU and other I/O. As a "queue" each is a server of its own
    that all processes share; as a "delay" a wait for I/O is as long however many wait, so
    only the CPU is queued for. rest_s is a delay either way.
    Raises ValueError for another io.

    >>> stations("delay", [2.0, 1.0, 0.5], 0.25)
    ([1.0], 2.75)
    """
    user_io, cpu, system_io = demands_s
    if choice("io", io, IO_WAITS) == "queue":
        return [user_io, cpu, system_io], rest_s
    return [cpu], user_io + system_io + rest_s


def upstream_rate(lcrs, receiver_s, reader_s) -> float:
    """Return LCRs/s that receiver and reader let through, each busy for so long with all lcrs.

    inf where both take no time. Raises ValueError if lcrs is not above 0 or a time negative.

    >>> upstream_rate(1e6, receiver_s=20, reader_s=10)
    50000.0
    """
    slower_s = max(
        number("receiver_s", receiver_s, at_least=0), number("reader_s", reader_s, at_least=0)
    )
    lcrs = number("lcrs", lcrs, above=0)
    return lcrs / slower_s if slower_s > 0 else math.inf


def predict(
    *,
    replicats,
    lcrs,
    user_io_s,
    cpu_s,
    system_io_s,
    unaccounted_s,
    io="queue",
    receiver_s=0.0,
    reader_s=0.0,
) -> dict:
    """Return time, throughput, utilisations and bounds of `replicats` apply processes.

    One process that applies `lcrs` LCRs waits user_io_s for I/O on tables, uses the CPU for
    cpu_s, waits system_io_s for other I/O, and unaccounted_s are none of these. So an LCR
    demands D = B/C of each. What a wait for I/O is, a report of waits does not say: io "queue"
    is a disk that serves one at a time, "delay" one where nobody is in another's way
    (`stations`). The CPU is one, and the rest a delay. Exact mean value analysis gives the
    throughput of more processes; they do not wait for each other's locks or commits.
    Before them a receiver and a reader are busy for receiver_s and reader_s; the slowest of
    the three stages sets the pace.
    Outputs: "apply_s", "throughput_lcr_s", "user_io_utilisation" = X D (as a delay: how many
    wait at a time), "cpu_utilisation", "user_io_bound_lcr_s" = 1/D (as a delay inf),
    "cpu_bound_lcr_s", "upstream_bound_lcr_s".
    Raises ValueError if replicats is not a whole number at least 1, lcrs, user_io_s or cpu_s
    is not above 0, another time is negative, or io is neither.

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
    queued, delay = stations(io, demands, rest)
    upstream = upstream_rate(lcrs, receiver_s, reader_s)
    throughput = min(mva(queued, replicats, delay)[0], upstream)
    return {
        "apply_s": lcrs / throughput,
        "throughput_lcr_s": throughput,
        "user_io_utilisation": utilisation(throughput, demands[0]),
        "cpu_utilisation": utilisation(throughput, demands[1]),
        "user_io_bound_lcr_s": 1 / demands[0] if io == "queue" else math.inf,
        "cpu_bound_lcr_s": 1 / demands[1],
        "upstream_bound_lcr_s": upstream,
    }
