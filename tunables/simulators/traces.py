"""Traces of requests: arrays of object ids 0, 1, ..., objects - 1, one per request."""

from collections.abc import Hashable, Iterable

import numpy as np

from tunables.base.arguments import choice, integer, number, numbers, refuse, sequence
from tunables.base.kinds import Numbers
from tunables.simulators.arrays import Counts
from tunables.simulators.compiled import compiled
from tunables.simulators.draws import from_seed, shuffle
from tunables.simulators.limits import check_size

CYCLIC, ZIGZAG, SHUFFLED = range(3)


@compiled
def fill_with_scans(requests, objects, order, state):
    """Fill an array with scans over the objects 0, 1, ..., objects - 1; its length is a multiple.

    order: CYCLIC, ZIGZAG (every second scan reversed) or SHUFFLED (a new random order for each
    scan, drawn from state: see `draws`).
    """
    for begin in range(0, len(requests), objects):
        back = order == ZIGZAG and (begin // objects) % 2 == 1
        for x in range(objects):
            requests[begin + x] = objects - 1 - x if back else x
        if order == SHUFFLED:
            shuffle(state, requests[begin : begin + objects])


_MOST_OBJECTS = 2**31 - 1  # so that the simulators can number them in four bytes


def _shape(objects, cycles):
    cycles = integer("cycles", cycles, at_least=1)
    objects = integer("objects", objects, at_least=1, at_most=_MOST_OBJECTS)
    check_size("objects * cycles", objects * cycles)
    return cycles, objects


def _scans(objects, cycles, order, seed=0):
    requests = np.empty(objects * cycles, np.int64)
    fill_with_scans(requests, objects, order, from_seed(seed))
    return requests


def cyclic_trace(objects: int, cycles: int) -> Counts:
    """Return the scan 0, 1, ..., n - 1 over n = objects, repeated cycles times.

    Shape (objects * cycles,). Raises ValueError if objects or cycles is not a whole number
    at least 1.

    >>> cyclic_trace(3, 2)
    array([0, 1, 2, 0, 1, 2])
    """
    cycles, objects = _shape(objects, cycles)
    return _scans(objects, cycles, CYCLIC)


def zigzag_trace(objects: int, cycles: int) -> Counts:
    """Return the cyclic scan with every second cycle reversed.

    Shape and errors as in `cyclic_trace`.

    >>> zigzag_trace(3, 3)
    array([0, 1, 2, 2, 1, 0, 0, 1, 2])
    """
    cycles, objects = _shape(objects, cycles)
    return _scans(objects, cycles, ZIGZAG)


def shuffled_trace(objects: int, cycles: int, seed: int) -> Counts:
    """Return cycles scans over all objects, each in a new random order.

    Shape and errors as in `cyclic_trace`; also ValueError if seed is not a whole number at
    least 0. The same seed gives the same trace.

    >>> shuffled_trace(3, 2, seed=1).reshape(2, 3)
    array([[0, 1, 2],
           [2, 0, 1]])
    """
    cycles, objects = _shape(objects, cycles)
    return _scans(objects, cycles, SHUFFLED, integer("seed", seed))


def _grown_scan(old, objects, entry):
    """Return the scan over all objects in which those from old on follow the first entry ones."""
    new = np.arange(old, objects)
    if isinstance(entry, str):
        choice("entry", entry, ["spread"])
        places = (np.arange(len(new)) + 1) * old // (len(new) + 1)
    else:
        places = np.full(len(new), integer("entry", entry, at_most=old))
    return np.insert(np.arange(old), places, new)


def grown_trace(old: int, objects: int, entry: int, cycles: int, warm_cycles: int = 2) -> Counts:
    """Return a cyclic scan over old objects that grows to all objects.

    First come warm_cycles scans 0, 1, ..., old - 1, in which a cache warms up. In the following
    cycles scans the new objects, old, ..., objects - 1, come after the first `entry` old ones
    (entry = old: at the end), or evenly among them (entry = "spread").
    Shape (warm_cycles * old + cycles * objects,). Raises ValueError if old, objects or a number
    of cycles is not a whole number at least 1, objects is below old, or entry is neither
    "spread" nor a whole number from 0 to old.

    >>> grown_trace(3, 4, 1, cycles=2, warm_cycles=1)
    array([0, 1, 2, 0, 3, 1, 2, 0, 3, 1, 2])
    """
    warm_cycles = integer("warm_cycles", warm_cycles, at_least=1)
    cycles, objects = _shape(objects, cycles)
    old = integer("old", old, at_least=1, at_most=objects)
    check_size("objects * cycles + warm_cycles * old", objects * cycles + warm_cycles * old)
    warm = np.tile(np.arange(old), warm_cycles)
    return np.concatenate([warm, np.tile(_grown_scan(old, objects, entry), cycles)])


def key_trace(keys: Iterable[Hashable]) -> Counts:
    """Return a trace of keys of any kind, such as paths in a log; equal keys get equal numbers.

    Keys are numbered from 0 in the order of their first requests. Shape (requests,).
    Raises ValueError unless keys is a non-empty sequence, not a text itself, of values that a
    dict can have as keys; at most 10 million are read.

    >>> key_trace(["/", "/news", "/", "/logo.png"]).tolist()
    [0, 1, 0, 2]
    """
    numbers: dict[Hashable, int] = {}
    given = sequence("keys", keys, "keys")
    for place, key in enumerate(given):
        try:
            numbers.setdefault(key, len(numbers))
        except TypeError:
            refuse(f"keys[{place}]", key, "text, a number or a tuple of these")
    return np.array([numbers[key] for key in given], np.int64)


def zipf_trace(objects: int, requests: int, exponent: float, seed: int) -> Counts:
    """Return independent requests, object i with probability in proportion to (i + 1)^-exponent.

    Shape (requests,). Drawn by inverting the cumulative popularity.
    Raises ValueError if objects or requests is not a whole number at least 1, exponent is
    negative or not finite, or seed is not a whole number at least 0.
    Source: Breslau, Cao, Fan, Phillips & Shenker (1999) for the law and its exponents.

    >>> zipf_trace(100, 8, exponent=0.8, seed=1)
    array([14, 84,  1, 84,  4,  9, 55,  8])
    """
    objects = integer("objects", objects, at_least=1)
    requests = integer("requests", requests, at_least=1)
    check_size("objects + requests", objects + requests)
    exponent = number("exponent", exponent, at_least=0)
    generator = np.random.default_rng(integer("seed", seed))
    cumulative = np.cumsum(np.arange(1, objects + 1, dtype=float) ** -exponent)
    draws = generator.random(requests) * cumulative[-1]
    ids = np.searchsorted(cumulative, draws, side="right")
    return np.minimum(ids, objects - 1)  # a draw may round up to the total


def mixed_trace(
    objects: int, cycles: int, popularity: Numbers, independent_fraction: float, seed: int
) -> Counts:
    """Return a cyclic scan mixed with independent references to other objects.

    Each request is, with probability q = independent_fraction, for an object n + j, where j has
    probability in proportion to popularity[j], and otherwise the next of the scan's n = objects.
    It ends with the scan's last object, after cycles scans.
    Raises ValueError if objects, cycles or seed is not whole, popularity is empty, negative or
    sums to 0, or the fraction is outside [0, 1).

    >>> mixed_trace(3, 2, [1.0, 1.0], 0.4, seed=1)
    array([0, 3, 4, 3, 1, 2, 3, 4, 3, 0, 1, 2])
    """
    scan = cyclic_trace(objects, cycles)
    q = number("independent_fraction", independent_fraction, at_least=0, below=1)
    check_size("objects * cycles / (1 - independent_fraction)", len(scan) / (1 - q))
    weights = np.array(numbers("popularity", popularity, at_least=0))
    number("sum of popularity", weights.sum(), above=0)
    generator = np.random.default_rng(integer("seed", seed))
    # Between two steps of the scan there is a geometric number of other requests.
    others = generator.geometric(1 - q, len(scan)) - 1
    places = np.cumsum(others + 1) - 1
    trace = int(objects) + generator.choice(len(weights), places[-1] + 1, p=weights / weights.sum())
    trace[places] = scan
    return trace
