"""The kernels of chapter 3 that the page may call, with calls that reach them."""

from kernels.entry import KernelEntry
from tunables.chapters.cache_cliff.simulation import (
    LRU_ORDERS,
    POLICIES,
    events,
    run,
    run_lengths,
    run_of_map,
)
from tunables.simulators.caches import stack_distances, trace_policy, zipf_trace
from tunables.simulators.object_ids import number_objects

SCHEMES = (*POLICIES, *LRU_ORDERS)


def _server(rng, requests_a_graph, events):
    """Return settings in which the graphs do not fit, fit just so, or have room."""
    graphs = max(events // requests_a_graph, 2)
    return {
        "graphs": int(rng.integers(1, 2 * graphs)),
        "memory_gib": 2.0**-16,
        "usage_maximum_percent": 98.0,
        "bytes_per_graph": 2.0**14 / int(rng.integers(1, 2 * graphs)),
        "cost_ratio": 20.0,
        "seed": int(rng.integers(1000)),
    }


def _run(rng, events):
    run(scheme=str(rng.choice(SCHEMES)), **_server(rng, 54, events))


def _run_of_map(rng, events):
    run_of_map(disorder=float(rng.choice([0, 0.01, 0.3, 1, 5])), **_server(rng, 6, events))


def _scans(rng, events):
    files = int(rng.integers(1, 20))
    places, scheme = int(rng.integers(1, 20)), str(rng.choice(SCHEMES))
    return {"scheme": scheme, "files": files, "places": places, "scans": events // files + 1}


def _events(rng, number):
    events(int(rng.integers(1000)), **_scans(rng, number))


def _full_size(rng, number):
    run_lengths(int(rng.integers(1000)), **_scans(rng, number))


def _requests(rng, events):
    return zipf_trace(max(events // 15, 1), events, rng.random() * 1.2, int(rng.integers(1000)))


def _policy(rng, events):
    capacity, policy = int(rng.integers(1, max(events // 15, 2))), str(rng.choice(POLICIES))
    trace_policy(_requests(rng, events), capacity, policy, seed=int(rng.integers(1000)))


def _stack(rng, events):
    stack_distances(_requests(rng, events))


def _numbers(rng, events):
    number_objects(_requests(rng, events) * 7919**3)


ENTRIES = (
    KernelEntry("tunables.chapters.cache_cliff.simulation", "experiment", _run),
    KernelEntry("tunables.chapters.cache_cliff.simulation", "disordered_hit_ratio", _run_of_map),
    KernelEntry("tunables.chapters.cache_cliff.simulation", "trace", _events),
    KernelEntry("tunables.chapters.cache_cliff.simulation", "hit_runs", _full_size),
    KernelEntry("tunables.simulators.caches", "policy_hits", _policy),
    KernelEntry("tunables.simulators.stack", "_depths", _stack),
    KernelEntry("tunables.simulators.object_ids", "_number_by_hash", _numbers),
)
