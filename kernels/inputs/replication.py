"""The kernels of chapter 5 that the page may call, with calls that reach them."""

import math

from kernels.entry import KernelEntry
from tunables.chapters.replication.case import case, session_case
from tunables.chapters.replication.simulation import (
    pipeline_events,
    run,
    run_session,
    simulate_connection,
    window_events,
)
from tunables.simulators.cyclic_queues import FEWEST_ROUNDS, simulate_cyclic_queues
from tunables.simulators.tandem import simulate_tandem
from tunables.simulators.tcp_rounds import trace_tcp_rounds

_HERE = "tunables.chapters.replication"
_STAGES = 4  # of the pipeline


def _seed(rng):
    return int(rng.integers(2**40))


def _settings(rng):
    """Return parameters of the case; the law is one with a window."""
    return case().settings(
        law=str(rng.choice(["window", "reno", "cubic"])),
        rtt_s=rng.uniform(0.001, 0.25),
        loss=10 ** rng.uniform(-6, -1.5),
    )


def _connection(rng, events):
    given = _settings(rng)
    names = ("law", "rtt_s", "window_bytes", "loss", "mss_bytes")
    seed = _seed(rng) if rng.integers(2) else None
    simulate_connection(**{name: given[name] for name in names}, seed=seed, rounds=events)


def _pipeline(rng, events):
    settings = _settings(rng) | {"law": "stop-and-wait"}  # which reaches the tandem at once
    run(0, batches=max(events // _STAGES, 1), **settings)


def _session(rng, events):
    settings = session_case().settings(
        io=str(rng.choice(["queue", "delay"])), replicats=int(rng.integers(1, 33))
    )
    completions = max(events // 3, FEWEST_ROUNDS * settings["replicats"])
    run_session(_seed(rng), completions=completions, **settings)


def _pipeline_events(rng, events):
    room, varies = int(rng.integers(-1, 5)), bool(rng.integers(2))
    batches = max(events // _STAGES, 1)
    pipeline_events(_seed(rng), batches=batches, room=room, varies=varies, **_settings(rng))


def _window_events(rng, events):
    seed = _seed(rng) if rng.integers(2) else None
    window_events(seed, rounds=events, **_settings(rng))


def _tandem(rng, events):
    stages = int(rng.integers(1, 6))
    service_s = rng.standard_exponential((max(events // stages, 1), stages))
    simulate_tandem(service_s, rng.choice([0, 1, 5, math.inf], stages - 1).tolist())


def _rounds(rng, events):
    trace_tcp_rounds(
        rng.uniform(0.001, 1),
        10 ** rng.uniform(-6, 0),
        events,
        str(rng.choice(["reno", "cubic"])),
        initial_window=rng.uniform(1, 20),
        largest_window=rng.choice([10.0, 1000.0, math.inf]),
        seed=_seed(rng),
    )


def _ring(rng, events):
    demands_s = rng.random(int(rng.integers(1, 6))).tolist()
    customers = int(rng.integers(1, 20))
    completions = max(events // len(demands_s), FEWEST_ROUNDS * customers)
    simulate_cyclic_queues(demands_s, customers, rng.random(), completions, _seed(rng))


ENTRIES = (
    KernelEntry(f"{_HERE}.simulation", "mean_window", _connection),
    KernelEntry(f"{_HERE}.simulation", "tandem_seconds", _pipeline),
    KernelEntry(f"{_HERE}.simulation", "session_rate", _session),
    KernelEntry(f"{_HERE}.simulation", "tandem_trace", _pipeline_events),
    KernelEntry(f"{_HERE}.simulation", "window_trace", _window_events),
    KernelEntry("tunables.simulators.tandem", "departures", _tandem),
    KernelEntry("tunables.simulators.tcp_rounds", "windows", _rounds),
    KernelEntry("tunables.simulators.cyclic_queues", "ring_throughput", _ring),
)
