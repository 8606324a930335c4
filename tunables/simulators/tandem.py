"""A tandem of single servers with finite buffers, by the max-plus recursion: exact and fast."""

import reprlib
from typing import NamedTuple

import numpy as np

from tunables.plain.arguments import LARGEST, is_infinite, whole
from tunables.simulators.compiled import compiled
from tunables.simulators.floats import floats


class TandemTrace(NamedTuple):
    """When each customer begins and ends its service at each stage, and leaves it, seconds.

    Arrays customers x stages. From `served_s` to `departed_s` it holds the server, blocked.
    """

    begun_s: np.ndarray
    served_s: np.ndarray
    departed_s: np.ndarray


@compiled
def departures(service_s, places):
    """Return D[n, j], when customer n leaves stage j; places[j] it and its buffer hold.

    Times at least 0 are ordered as their bits are, read as whole numbers. Between whole numbers
    an engine of WebAssembly chooses by an instruction, between doubles by a slow jump.
    """
    customers, stages = service_s.shape
    departed_s = np.zeros((customers, stages))
    order = departed_s.view(np.int64)
    for n in range(customers):
        for j in range(stages):
            start = np.int64(0)
            if j > 0:
                start = order[n, j - 1]
            if n > 0:  # the server is free once the customer before has left it
                start = max(start, order[n - 1, j])
            order[n, j] = start
            departed_s[n, j] += service_s[n, j]
            if j + 1 < stages and n >= places[j + 1]:  # else blocked after service: no place
                order[n, j] = max(order[n, j], order[n - places[j + 1], j + 1])
    return departed_s


@compiled
def begins(departed_s):
    """Return when each customer begins at each stage: it is there, and the one before has left."""
    customers, stages = departed_s.shape
    begun_s = np.zeros((customers, stages))
    for n in range(customers):
        for j in range(stages):
            if j > 0:
                begun_s[n, j] = departed_s[n, j - 1]
            if n > 0:
                begun_s[n, j] = max(begun_s[n, j], departed_s[n - 1, j])
    return begun_s


def _service_times(service_s):
    try:
        times = floats(service_s)
    except (TypeError, ValueError, OverflowError):
        times = np.empty(0)
    if times.ndim != 2 or times.size == 0 or not ((times >= 0) & (times <= LARGEST)).all():
        raise ValueError(
            f"service_s = {reprlib.repr(service_s)}: must be a non-empty array, customers x "
            f"stages, of finite numbers at least 0 and at most {LARGEST:g}"
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
        places.append(
            customers if is_infinite(buffer) else min(customers, whole(f"buffers[{i}]", buffer) + 1)
        )
    return np.array(places, dtype=np.int64)


def _departed(service_s, buffers):
    times = _service_times(service_s)
    return times, departures(times, _places(buffers, *times.shape))


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
    return _departed(service_s, buffers)[1][:, -1]


def trace_tandem(service_s, buffers) -> TandemTrace:
    """Return what `simulate_tandem` does with the same arguments, and at which moments.

    Raises ValueError as it does.

    >>> trace_tandem([[1, 3], [1, 3], [1, 3]], buffers=[0]).departed_s.tolist()
    [[1.0, 4.0], [4.0, 7.0], [7.0, 10.0]]
    """
    times, departed_s = _departed(service_s, buffers)
    begun_s = begins(departed_s)
    return TandemTrace(begun_s, begun_s + times, departed_s)
