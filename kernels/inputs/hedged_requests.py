"""The kernels of chapter 8 that the page may call, with calls that reach them."""

import numpy as np

from kernels.entry import KernelEntry
from tunables.chapters.hedged_requests.case import duplicates_case, fanout_case, tied_case
from tunables.chapters.hedged_requests.experiment import trace_hedges
from tunables.chapters.hedged_requests.predictor import COPIES
from tunables.chapters.hedged_requests.simulation import (
    run_duplicates,
    run_fanout,
    run_of_map,
    run_tied,
)

_HERE = "tunables.chapters.hedged_requests.simulation"


def _seed(rng):
    return int(rng.integers(2**40))


def _reads(rng, number):
    settings = tied_case().settings(shared=rng.random(), delay_ms=30 * rng.random())
    run_tied(_seed(rng), reads=max(number, 1000), **settings)


def _leaves(rng, number):
    settings = fanout_case().settings(
        leaves=int(rng.integers(1, 200)), copies=str(rng.choice(COPIES)), shared=rng.random()
    )
    run_fanout(_seed(rng), **settings)


def _queue(rng):
    return duplicates_case().settings(
        load_percent=rng.uniform(20, 80),
        delay_ms=rng.uniform(0, 200),
        budget_percent=float(rng.choice([100.0, 10.0])),
    )


def _duplicates(rng, number):
    run_duplicates(_seed(rng), **_queue(rng))


def _after_stop(rng, number):
    run_of_map(_seed(rng), stop_ms=float(rng.choice([0.0, 100.0])), **_queue(rng))


def _trace(rng, number):
    servers, rate = int(rng.integers(2, 8)), rng.uniform(20, 60)
    spells = int(rng.integers(3))  # of the first server
    begins = np.cumsum(rng.uniform(0.5, 2, spells))
    first = np.array([0, *[spells] * servers], np.int64)
    trace_hedges(
        _seed(rng), max(number // 4, 1), servers, rate, 0.1, float(rng.choice([0.2, 1e9])),
        int(rng.integers(3)), 1.0, first, begins, begins + 0.25,
    )  # fmt: skip


ENTRIES = (
    KernelEntry(_HERE, "simulate_reads", _reads),
    KernelEntry(_HERE, "simulate_leaves", _leaves),
    KernelEntry(_HERE, "simulate_duplicates", _duplicates),
    KernelEntry(_HERE, "simulate_after_stop", _after_stop),
    KernelEntry("kernels.inputs.hedged_requests", "trace_hedges", _trace),
)
