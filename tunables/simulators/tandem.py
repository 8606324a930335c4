"""A tandem of single servers with finite buffers, by the max-plus recursion: exact and fast."""

import math

import numpy as np

from tunables.arguments import whole
from tunables.simulators.compiled import compiled


def _departures(service_s, places):
    """Fill departed_s[n, j], when customer n leaves stage j; places[j] it and its buffer hold."""
    customers, stages = service_s.shape
    departed_s = np.zeros((customers, stages))
    for n in range(customers):
        arrived_s = 0.0
        for j in range(stages):
            start_s = arrived_s
            if n > 0:  # the server is free once the customer before has left it
                start_s = max(start_s, departed_s[n - 1, j])
            leave_s = start_s + service_s[n, j]
            if j + 1 < stages and n >= places[j + 1]:  # else blocked after service: no place
                leave_s = max(leave_s, departed_s[n - places[j + 1], j + 1])
            departed_s[n, j] = leave_s
            arrived_s = leave_s
    return departed_s


_departures_compiled = compiled(_departures)


def _service_times(service_s):
    try:
        times = np.ascontiguousarray(service_s, dtype=np.float64)
    except (TypeError, ValueError):
        times = np.empty(0)
    if times.ndim != 2 or times.size == 0 or not (np.isfinite(times) & (times >= 0)).all():
        raise ValueError(
            f"service_s = {service_s!r}: must be a non-empty array, customers x stages, of finite "
            "numbers at least 0"
        )
    return times


def _places(buffers, customers, stages):
    """Return how many customers each stage and its buffer hold; all of them where unlimited."""
    if isinstance(buffers, (str, bytes)) or not hasattr(buffers, "__len__"):
        raise ValueError(f"buffers = {buffers!r}: must be a sequence of numbers")
    if len(buffers) != stages - 1:
        raise ValueError(
            f"buffers = {buffers!r}: must have {stages - 1} entries, one between each two stages"
        )
    places = [customers]
    for i, buffer in enumerate(buffers):
        unlimited = buffer == math.inf
        places.append(
            customers if unlimited else min(customers, whole(f"buffers[{i}]", buffer) + 1)
        )
    return np.array(places, dtype=np.int64)


def simulate_tandem(service_s, buffers) -> np.ndarray:
    """Return when each customer leaves the last stage, in seconds.

    service_s: array customers x stages; all customers wait before the first stage at time 0
    and go through every stage in order, first come first served, one server a stage.
    buffers[i]: places before stage i + 1, one entry fewer than stages, whole numbers or inf.
    A customer that finds no place stays in the server that it leaves (blocking after service).
    With D[n, j] the time at which customer n leaves stage j, and b[j] places before it,

        D[n, j] = max(max(D[n, j-1], D[n-1, j]) + service_s[n, j], D[n - b[j+1] - 1, j+1])

    Let a first stage with unlimited places after it serve the times between arrivals, and
    the rest is an open tandem.
    Raises ValueError for service times that are not such an array, negative or not finite;
    buffers of another length, negative, or not whole.
    Source: Baccelli, Cohen, Olsder & Quadrat (1992), Synchronization and Linearity, chapter 1.

    >>> simulate_tandem([[1, 3], [1, 3], [1, 3]], buffers=[0]).tolist()
    [4.0, 7.0, 10.0]
    """
    times = _service_times(service_s)
    return _departures_compiled(times, _places(buffers, *times.shape))[:, -1]
