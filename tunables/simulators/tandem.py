"""A tandem of single servers with finite buffers, by the max-plus recursion: exact and fast."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from tunables.base.arguments import LARGEST, in_short, integer, is_infinite, is_longer, refuse
from tunables.base.refusals import refusal
from tunables.simulators.arrays import Floats, describe
from tunables.simulators.compiled import compiled
from tunables.simulators.limits import check_length, floats, shorten


class TandemTrace(NamedTuple):
    """When each customer begins and ends its service at each stage, and leaves it; seconds.

    Arrays customers x stages. Service lasts from `begun_s` to `served_s`; from then to `departed_s`
    the customer blocks the server.
    """

    begun_s: Floats
    served_s: Floats
    departed_s: Floats

    def __repr__(self) -> str:
        return describe(self)


@compiled
def departures(service_s, places):
    """Return D[n, j], when customer n leaves stage j, which has places[j] with its buffer.

    Times at least 0 are ordered like their bits read as integers. Of two integers a WebAssembly
    engine selects the larger by one instruction, of two doubles by a slow jump.
    """
    customers, stages = service_s.shape
    departed_s = np.zeros((customers, stages))
    order = departed_s.view(np.int64)
    for n in range(customers):
        for j in range(stages):
            start = np.int64(0)
            if j > 0:
                start = order[n, j - 1]
            if n > 0:  # the server is free once the previous customer has left it
                start = max(start, order[n - 1, j])
            order[n, j] = start
            departed_s[n, j] += service_s[n, j]
            if j + 1 < stages and n >= places[j + 1]:  # else blocked after service: no place
                order[n, j] = max(order[n, j], order[n - places[j + 1], j + 1])
    return departed_s


@compiled
def begins(departed_s):
    """Return when each customer begins at each stage: it has arrived and the previous one left."""
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
    check_length("service_s", service_s)
    try:
        times = floats(service_s)
    except (TypeError, ValueError, OverflowError):
        times = np.empty(0)
    if times.ndim != 2 or times.size == 0 or not ((times >= 0) & (times <= LARGEST)).all():
        raise refusal(
            f"service_s = {shorten(service_s)}: must be a non-empty array "
            f"(customers x stages) of finite numbers from 0 to {LARGEST:g}"
        )
    return times


def _places(buffers, customers, stages):
    """Return how many customers each stage and its buffer hold; all if it is unlimited."""
    if isinstance(buffers, (str, bytes)) or not hasattr(buffers, "__len__"):
        refuse("buffers", buffers, "a sequence of numbers")
    if is_longer(buffers, stages - 1) or len(buffers) < stages - 1:
        raise refusal(
            f"buffers = {in_short(buffers)}: must have {stages - 1} entries, one for each "
            "pair of neighbouring stages"
        )
    places = [customers]
    for i, buffer in enumerate(buffers):
        places.append(
            customers
            if is_infinite(buffer)
            else min(customers, integer(f"buffers[{i}]", buffer) + 1)
        )
    return np.array(places, dtype=np.int64)


def _departures(service_s, buffers):
    times = _service_times(service_s)
    return times, departures(times, _places(buffers, *times.shape))


def simulate_tandem(service_s: ArrayLike, buffers: ArrayLike) -> Floats:
    """Return when each customer leaves the last stage, in seconds.

    service_s: array customers x stages; all customers wait before the first stage at time 0
    and go through every stage in order, first come first served, one server per stage.
    buffers[i]: places before stage i + 1, one entry fewer than stages, whole numbers or inf.
    A customer that finds no place stays in its server (blocking after service).
    With D[n, j] the time at which customer n leaves stage j, and b[j] places before it,

        D[n, j] = max(max(D[n, j-1], D[n-1, j]) + service_s[n, j], D[n - b[j+1] - 1, j+1])

    If a first stage with unlimited places after it serves the times between arrivals, the rest is
    an open tandem.
    Raises ValueError for service times that are not such an array, negative or not finite;
    buffers of another length, negative, or not whole.
    Source: Baccelli, Cohen, Olsder & Quadrat (1992), Synchronization and Linearity, chapter 1.

    >>> simulate_tandem([[1, 3], [1, 3], [1, 3]], buffers=[0]).tolist()
    [4.0, 7.0, 10.0]
    """
    return _departures(service_s, buffers)[1][:, -1]


def trace_tandem(service_s: ArrayLike, buffers: ArrayLike) -> TandemTrace:
    """Return the moments of all events in `simulate_tandem` with the same arguments.

    Raises ValueError as it does.

    >>> trace_tandem([[1, 3], [1, 3], [1, 3]], buffers=[0]).departed_s.tolist()
    [[1.0, 4.0], [4.0, 7.0], [7.0, 10.0]]
    """
    times, departed_s = _departures(service_s, buffers)
    begun_s = begins(departed_s)
    return TandemTrace(begun_s, begun_s + times, departed_s)
