"""The run that chapter 2's animation replays, from the kernel that the page calls."""

from functools import cache

import numpy as np

from tunables.chapters.time_outs.experiment import trace_storm
from tunables.simulators.retry_deeds import DEEDS as KERNEL_NAMES
from tunables.simulators.retry_storm_kernel import ANSWERED, Attempts

TIMEOUT_S = 0.5


@cache
def storm(*deeds, rate=30, outage_s=2.0, retries=3, timeout_s=TIMEOUT_S, seed=1, horizon_s=120):
    """Return the attempts of the chapter's storm."""
    outage = (20.0, "server", 0), (20.0 + outage_s, "server", 1)
    times, names, values = zip(*sorted([*outage, *deeds]), strict=True)
    columns = trace_storm(
        seed, float(rate), 100.0, timeout_s, retries, float(horizon_s), 0.0, 10.0, 40_000,
        np.array(times, float), np.array([KERNEL_NAMES.index(name) for name in names]),
        np.array(values, float),
    )  # fmt: skip
    return Attempts(*columns)


def answers(trace):
    """Count the attempts answered in time by the second in which they were sent."""
    return np.bincount(trace.asked_s[trace.fate == ANSWERED].astype(int), minlength=120)


def recovery_second(trace, since_s):
    """Return the first second, from since_s on, in which 20 answered attempts were sent."""
    seconds = np.flatnonzero(answers(trace)[since_s:] >= 20)
    return since_s + int(seconds[0]) if len(seconds) else None
