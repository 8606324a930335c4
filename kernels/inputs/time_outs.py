"""The kernels of chapter 2 that the page may call, with calls that reach them."""

import numpy as np

from kernels.entry import KernelEntry
from tunables.chapters.time_outs.experiment import trace_storm
from tunables.chapters.time_outs.simulation import run_lease, run_of_map, run_storm
from tunables.simulators.queries import simulate_queries
from tunables.simulators.relief import DROPS
from tunables.simulators.retry_deeds import DEEDS, SERVER
from tunables.simulators.retry_storm import trace_retry_storm

_HORIZON_S = 100


def _queries(rng):
    return {
        "failure_probability": float(rng.choice([0, 1, rng.random()])),
        "timeout_s": 0.1 + rng.random(),
        "retries": int(rng.integers(5)),
        "reply_s": float(rng.choice([0.05, rng.random() / 10])),
        "backoff_base_s": float(rng.choice([0, rng.random()])),
        "backoff_cap_s": float(rng.choice([0, rng.random()])),
    }


def _lease(rng, number):
    run_lease(
        int(rng.integers(1000)),
        threads=int(rng.integers(1, 40)),
        clients=int(rng.integers(1, 60)),
        think_s=float(rng.choice([0, rng.random()])),
        batches=max(number // 10, 1),
        **_queries(rng),
    )


def _one_by_one(rng, number):
    simulate_queries(**_queries(rng), queries=max(number // 3, 1), seed=int(rng.integers(1000)))


def _server(rng, number, horizon_s):
    """Return rates, timeout and retries with which about so many attempts are sent."""
    retries = int(rng.integers(5))
    rate = number / horizon_s / (1 + retries / 2)
    service_rate = rate * (0.5 + 4 * rng.random())
    return rate, service_rate, (0.3 + 30 * rng.random()) / service_rate, retries


def _settings(rng, number, horizon_s):
    names = "arrival_rate_per_s", "service_rate_per_s", "timeout_s", "retries"
    return dict(zip(names, _server(rng, number, horizon_s), strict=True))


def _storm(rng, number):
    run_storm(int(rng.integers(1000)), **_settings(rng, number // 2, 600))


def _from_rest(rng, number):
    run_of_map(int(rng.integers(1000)), **_settings(rng, number, 200))


def _deed(rng):
    """Return a deed and its value, most often one that stops the server or starts it."""
    deed = int(rng.choice([SERVER, rng.integers(len(DEEDS))]))
    return DEEDS[deed], float(rng.integers((2, 1, 3, 6, 1, 3, 2)[deed])) + (deed == 4)


def _trace(rng, number):
    count, retries = int(rng.integers(6)), 3
    deeds = [(DEEDS.index(name), value) for name, value in (_deed(rng) for _ in range(count))]
    deed, value = np.array([each[0] for each in deeds], np.int64), np.array([v for _, v in deeds])
    rate, service_rate, timeout_s, retries = _server(rng, number, _HORIZON_S)
    trace_storm(
        int(rng.integers(1000)), rate, service_rate, timeout_s, retries, float(_HORIZON_S),
        timeout_s / 5, 10.0, int(rng.integers(2 * number)),
        np.sort(_HORIZON_S * rng.random(count)), deed, value,
    )  # fmt: skip


def _attempts(rng, number):
    trace_retry_storm(
        *_server(rng, number, _HORIZON_S),
        outage_s=10 * rng.random(),
        horizon_s=_HORIZON_S,
        backoff_base_s=float(rng.choice([0, rng.random()])),
        backoff_cap_s=1.0,
        drop=str(rng.choice(DROPS)),
        retry_budget=float(rng.choice([0.1, 10])),
        deeds=[(_HORIZON_S * rng.random(), *_deed(rng)) for _ in range(rng.integers(4))],
        seed=int(rng.integers(1000)),
        rows=int(rng.integers(2 * number)),
    )


ENTRIES = (
    KernelEntry("tunables.chapters.time_outs.simulation", "simulate_lease", _lease),
    KernelEntry("tunables.chapters.time_outs.simulation", "simulate_storm", _storm),
    KernelEntry("tunables.chapters.time_outs.simulation", "simulate_from_rest", _from_rest),
    KernelEntry("kernels.inputs.time_outs", "trace_storm", _trace),
    KernelEntry("tunables.simulators.queries", "queries_kernel", _one_by_one),
    KernelEntry("tunables.simulators.retry_storm", "retry_storm_kernel", _attempts),
)
