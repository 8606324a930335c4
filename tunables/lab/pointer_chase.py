"""A pointer chase: nanoseconds an access while the working set outgrows the L1 data cache.

Each access reads the address of the next, so no two overlap and the time of one is its latency.
What comes out belongs to the machine: print it, never assert it.
"""

from collections.abc import Generator, Iterable
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np

from tunables.base.arguments import integer, sequence
from tunables.lab.machine import MOST_BYTES, MOST_COUNTED, MOST_REPEATS

LINE_BYTES = 64  # on most processors; with longer lines two nodes may share a line
_NODE_BYTES = 8
_UNITS = {"K": 1024, "M": 1024**2}
_CPU0_CACHES = Path("/sys/devices/system/cpu/cpu0/cache")


class Chase(NamedTuple):
    """Latency of an access at one working set."""

    working_set_bytes: int
    ns_per_access: float


class L1d(NamedTuple):
    """An L1 data cache: its size, and its ways of associativity (0 if unknown)."""

    size_bytes: int
    ways: int


def unavailable() -> str:
    """Return why the chase cannot be run here, as a sentence; empty where it can."""
    if find_spec("numba") is None:
        return "The pointer chase needs numba, which is not installed: skip this part."
    return ""


def l1d(caches=_CPU0_CACHES) -> L1d | None:
    """Return the first processor's L1 data cache as the OS reports it; None if it does not.

    Linux reports it under /sys/devices/system/cpu/cpu0/cache; other systems have no such folder.
    """
    for folder in sorted(Path(caches).glob("index*")):
        level, kind, size = (_fact(folder, name) for name in ("level", "type", "size"))
        if level == "1" and kind in ("Data", "Unified") and size:
            ways = int(_fact(folder, "ways_of_associativity") or 0)
            return L1d(int(size[:-1]) * _UNITS[size[-1]], ways)
    return None


def _fact(folder, name):
    path = folder / name
    return path.read_text().strip() if path.is_file() else ""


def _bytes(name, size) -> int:
    return integer(name, size, at_least=2 * LINE_BYTES, at_most=MOST_BYTES)


def cycle(working_set_bytes, seed=0) -> np.ndarray:
    """Return a random cyclic permutation over the working set, one node on each cache line.

    Element i holds the index of the element to read next. Only every eighth is on the way,
    the others fill the line; from element 0 the way meets every line once and returns.

    >>> sorted(int(element) for element in cycle(256)[::8])
    [0, 8, 16, 24]
    """
    lines = _bytes("working_set_bytes", working_set_bytes) // LINE_BYTES
    step = LINE_BYTES // _NODE_BYTES
    order = np.random.default_rng(integer("seed", seed)).permutation(lines) * step
    following = np.zeros(lines * step, dtype=np.uint64)  # unsigned: numba adds no sign check
    following[order] = np.roll(order, -1)
    return following


def _follow(following, accesses):
    at = following[0]
    for _ in range(accesses):
        at = following[at]
    return at


def sweep(
    working_sets_bytes: Iterable[int], accesses=1_000_000, repeats=7, seed=0
) -> Generator[Chase, None, None]:
    """Yield a Chase for each working set: the fastest of the repeats, in ns an access.

    The fastest, since whatever else the machine does can only add to the time.
    Raises RuntimeError without numba; ValueError for a working set below two cache lines, or
    accesses or repeats below 1.
    """
    if unavailable():
        raise RuntimeError(unavailable())
    from numba import njit

    accesses = integer("accesses", accesses, at_least=1, at_most=1000 * MOST_COUNTED)
    repeats = integer("repeats", repeats, at_least=1, at_most=MOST_REPEATS)
    seed = integer("seed", seed)
    working_sets = sequence("working_sets_bytes", working_sets_bytes)
    sizes = [_bytes(f"working_sets_bytes[{i}]", size) for i, size in enumerate(working_sets)]
    return _sweep(njit(_follow), sizes, accesses, repeats, seed)


def _sweep(follow, sizes, accesses, repeats, seed):
    for size in sizes:
        following = cycle(size, seed)
        follow(following, len(following))  # compile, and bring the working set in
        times = []
        for _ in range(repeats):
            start = perf_counter()
            follow(following, accesses)
            times.append(perf_counter() - start)
        yield Chase(size, min(times) / accesses * 1e9)
