"""The kernels of chapter 6 that the page may call, with calls that reach them."""

import numpy as np

from kernels.entry import KernelEntry
from tunables.chapters.work_queues.case import case
from tunables.chapters.work_queues.simulation import hold_events, run, run_of_map, slice_events
from tunables.simulators.event_loop import Queue, simulate_event_loop
from tunables.simulators.work_queue import drain_work_queue
from tunables.theory.slicing import GROWTH_RULES

_HERE = "tunables.chapters.work_queues"


def _seed(rng):
    return int(rng.integers(2**40))


def _rule(rng):
    return str(rng.choice(list(GROWTH_RULES)))


def _settings(rng, events):
    """Return settings of the case with about so many items in all queues."""
    queues = int(rng.integers(1, 4))
    return case().settings(
        rule=_rule(rng),
        items=max(events // queues, 1),
        queues=queues,
        item_cost_s=10 ** rng.uniform(-5, -2),
        cost_shape=rng.choice([0.3, 0.8, 1.0, 3.0]),
        granularity=int(rng.integers(1, 10)),
    )


def _run(rng, events):
    settings = _settings(rng, events)
    run(_seed(rng), timers=events // 10, **settings)


def _drifting(rng, events):
    run_of_map(_seed(rng), drift=10 ** rng.uniform(-1, 1), **_settings(rng, events))


def _slices(rng, events):
    settings = _settings(rng, events)
    settings["cost_shape"] = rng.choice([0.0, 0.8])
    slice_events(
        _seed(rng),
        timers=events // 10,
        costly_from=int(rng.integers(settings["items"])),
        costly_cost_s=10 ** rng.uniform(-5, -2),
        most_granularity=int(rng.choice([15, 2**31])),
        rows=int(rng.integers(events)),
        **settings,
    )


def _holds(rng, events):
    block_s = rng.uniform(0, 60) if rng.integers(2) else None
    sessions = max(events // 30, 1)
    hold_events(_seed(rng), sessions=min(sessions, 100), block_s=block_s, **_settings(rng, events))


def _drain(rng, events):
    check_s = rng.choice([0, 1e-6])
    drain_work_queue(rng.gamma(0.8, 3e-4, events), 0.01, _rule(rng), 1, check_s)


def _loop(rng, events):
    queues = [
        Queue(rng.gamma(0.8, 3e-4, max(events // 3, 1)), rng.random(), rng.choice([0, 0.01]))
        for _ in range(rng.integers(1, 4))
    ]
    timers_s, reads_s, writes_s = (np.sort(rng.random(events // 10)) for _ in range(3))
    cost_s = float(rng.choice([0, 1e-4]))
    simulate_event_loop(
        queues, timers_s, reads_s, writes_s, cost_s, 2 * cost_s, cost_s, rule=_rule(rng)
    )


ENTRIES = (
    KernelEntry(f"{_HERE}.simulation", "simulate_loop", _run),
    KernelEntry(f"{_HERE}.simulation", "drifting_lateness", _drifting),
    KernelEntry(f"{_HERE}.simulation", "slice_trace", _slices),
    KernelEntry(f"{_HERE}.simulation", "hold_trace", _holds),
    KernelEntry("tunables.simulators.work_queue", "drain", _drain),
    KernelEntry("tunables.simulators.event_loop", "run_loop", _loop),
)
