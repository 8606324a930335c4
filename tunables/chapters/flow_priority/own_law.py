"""The law that a reader's flow log is fitted to: equal shares of a port, and a time besides."""

import math

from tunables.plain.own.least_squares import least_squares
from tunables.theory.mg1 import mg1_ps_response


def duration(size_bytes, load_bps, capacity_bps, base_s) -> float:
    """Return z plus the response time of `mg1_ps_response` on a port of capacity_bps, s."""
    if load_bps >= capacity_bps:
        return math.inf
    return base_s + mg1_ps_response(8 * size_bytes / capacity_bps, load_bps / capacity_bps)


def calibrate(sizes, durations, loads):
    """Return (C, z) by least squares on the logarithm of the mean durations."""
    cells = [
        (size, math.log(seconds), load)
        for row, times, load in zip(sizes, durations, loads)
        for size, seconds in zip(row, times)
    ]
    heaviest, shortest = max(loads), min([min(times) for times in durations])

    def residuals(x):
        capacity, base_s = heaviest * (1 + math.exp(x[0])), math.exp(x[1])
        return [math.log(base_s + 8 * size / (capacity - load)) - log for size, log, load in cells]

    starts = [[spare, math.log(shortest / 2)] for spare in (-2.0, 0.0, 2.0, 4.0)]
    found = [least_squares(residuals, start) for start in starts]
    x, _ = min(found, key=lambda each: each[1])
    return heaviest * (1 + math.exp(x[0])), math.exp(x[1])
