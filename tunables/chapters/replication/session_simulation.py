"""Chapter 5's simulation of the apply processes: a closed network, behind receiver and reader."""

from tunables.chapters.replication.session_experiment import session_rate
from tunables.chapters.replication.session_predictor import stations, upstream_rate
from tunables.plain.arguments import number, run_seed, whole
from tunables.theory.closed_network import MOST_CUSTOMERS

RUNS = 8
COMPLETIONS, MOST_COMPLETIONS = 50_000, 10**7


def run(
    seed,
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
    completions=COMPLETIONS,
) -> dict:
    """Return time, throughput and utilisations from a closed network.

    Raises ValueError for an argument that `predict` refuses, by its name.
    """
    upstream = upstream_rate(lcrs, receiver_s, reader_s)
    user_io = number("user_io_s", user_io_s, above=0) / lcrs
    cpu = number("cpu_s", cpu_s, above=0) / lcrs
    system_io = number("system_io_s", system_io_s, at_least=0) / lcrs
    rest = number("unaccounted_s", unaccounted_s, at_least=0) / lcrs
    queued, delay = stations(io, [user_io, cpu, system_io], rest)
    found = session_rate(
        run_seed(seed),
        len(queued),
        *queued + [0.0] * (3 - len(queued)),
        whole("replicats", replicats, at_least=1, at_most=MOST_CUSTOMERS),
        delay,
        whole("completions", completions, at_least=1, at_most=MOST_COMPLETIONS),
    )
    rate = min(found, upstream)
    return {
        "apply_s": lcrs / rate,
        "throughput_lcr_s": rate,
        "user_io_utilisation": rate * user_io,
        "cpu_utilisation": rate * cpu,
    }
