"""Second ways to the answers of chapter 6: drain item by item, average over phases of timers."""

import math

import numpy as np
from scipy.integrate import quad

from tunables.simulators.work_queue import drain_work_queue


def _drain(given, items):
    return drain_work_queue(
        np.full(items, given["cost_s"]),
        given["quantum_s"],
        given.get("rule", "fixed"),
        given.get("granularity", 1),
    )


def slice_length(given):
    affordable = math.ceil(given["quantum_s"] / given["cost_s"])
    drain = _drain(given, affordable + 2 * given["granularity"])
    return 1000 * float(drain.slice_s[0])


def runs(given):
    return len(_drain(given, given["items"]).cycles)


def limit(given):
    """Drain enough items for the granularity to stop growing."""
    affordable = given["quantum_s"] / given["cost_s"]
    return int(_drain(given, int((affordable + 10) ** 2)).granularity[-1])


def hold_timers(given):
    """Try many phases of the keepalives, then sum over the numbers of lost sessions."""
    n, k = given["sessions"], given["keepalive_s"]
    since_last = (np.arange(20_000) + 0.5) / 20_000 * k
    p = np.mean(since_last + given["block_s"] > given["hold_s"])
    lost = [math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(1, n + 1)]
    return 100 * float(sum(lost))


def gather(given):
    """Average, over the place of a change in the window, the chance that none came before it."""
    x = given["rate"] * given["hold_s"]
    return 100 * quad(lambda u: math.exp(-x * u), 0, 1)[0]


def timer_lateness(given):
    """Let a timer fall due at many moments, evenly spread over the turns."""
    ends = np.cumsum(given["cycles_s"])
    moments = (np.arange(200_000) + 0.5) / 200_000 * ends[-1]
    return 1000 * float(np.mean(ends[np.searchsorted(ends, moments)] - moments))


PATHS = {
    "slice-length": slice_length,
    "runs": runs,
    "limit": limit,
    "hold-timers": hold_timers,
    "gather": gather,
    "timer-lateness": timer_lateness,
}
