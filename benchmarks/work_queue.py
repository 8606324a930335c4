"""Draining a work queue, side by side with SimPy and with the plain reference.

python -m benchmarks.work_queue    (about ten seconds)

The queue is the published one: 320,975 items of gamma cost, quantum 10 ms. Ours is given the
costs in seconds and checks and rounds them in each timed call; the others are given whole
nanoseconds. SimPy makes an event of each item. All answer with a digest of every run's items,
granularity, best, length and clock checks.
"""

from functools import partial

import numpy as np

from benchmarks.side_by_side import race, show
from benchmarks.simpy_work_queue import simpy_drain
from tunables.simulators.nanoseconds import nanosecond_array, nanoseconds
from tunables.simulators.work_queue import drain_work_queue, growth_rule
from tunables.simulators.work_queue_reference import drain_reference
from tunables.theory.slicing import GROWTH_RULES

ITEMS = 320_975
QUANTUM_S = 0.010


def _digest(rows):
    return np.ascontiguousarray(rows, dtype=np.int64).tobytes()


def _ours(costs_s, rule):
    drain = drain_work_queue(costs_s, QUANTUM_S, rule)
    slice_ns = np.rint(drain.slice_s * 1e9).astype(np.int64)
    columns = (drain.cycles, drain.granularity, drain.best, slice_ns, drain.checks)
    return _digest(np.stack(columns, axis=1))


def _simpy(costs_ns, rule):
    factor, ramp = GROWTH_RULES[rule]
    return _digest(simpy_drain(costs_ns, nanoseconds("quantum_s", QUANTUM_S), factor, ramp))


def _reference(costs_ns, rule):
    quantum_ns = nanoseconds("quantum_s", QUANTUM_S)
    return _digest(drain_reference(costs_ns, quantum_ns, growth_rule(rule), 1, 0))


def races():
    """Yield the drain under a rule of 2005 and under that of 2010."""
    costs_s = np.random.default_rng(6).gamma(0.8, 0.00036 / 0.8, ITEMS)
    costs_ns = nanosecond_array("costs_s", costs_s).tolist()
    for rule in ("2005-05-06", "2010"):
        contenders = {
            "tunables": partial(_ours, costs_s, rule),
            "tunables, plain reference": partial(_reference, costs_ns, rule),
            "SimPy": partial(_simpy, costs_ns, rule),
        }
        about = "gamma costs, a quantum of 10 ms"
        yield race(f"Work queue, {rule}", "item", ITEMS, contenders, runs=7, about=about)


if __name__ == "__main__":
    show(races())
