"""What a lab says of the laws that it has timed, and how busy the machine was meanwhile.

A law about seconds can be missed for two reasons: the machine had other work, or the law does not
hold there. The load shows the first; the cell is offered again in both.

Linux counts the processor time of the whole machine in /proc/stat, with what its host took away
(man 5 proc_stat), and tells how long a container was stopped at its limit in cpu.stat (the
kernel's documentation of cgroups). Other systems tell neither. On any system a thread that should
wake ten times a second tells when the whole process stood still.
"""

import math
import os
import threading
from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, perf_counter
from typing import NamedTuple

_STAT = Path("/proc/stat")
# By version of cgroups, and in what each counts.
_LIMITS = {"throttled_usec": 1e-6, "throttled_time": 1e-9}
_LIMIT_FILES = (Path("/sys/fs/cgroup/cpu.stat"), Path("/sys/fs/cgroup/cpu/cpu.stat"))
_IDLE = (3, 4)  # columns of the first line: idle, and waiting for a device
_LAST = 8  # then come the guests' times, which are in the users' already
_MUCH = 0.1  # share of the machine's processors, or of the time
_BEAT_S = 0.1
_LATE_S = 0.25  # between two beats; threads that share an interpreter delay one by less


@dataclass
class Load:
    """Other work on the machine while something was measured."""

    processors: int = 1
    seconds: float = 0.0
    others: float | None = None
    """Processors that other programs took, on average; None if the system does not say."""
    stopped_s: float = 0.0
    """Time for which the container was at its limit."""
    stood_s: float = 0.0
    """Time for which this process stood still: stopped, starved or suspended."""

    @property
    def known(self) -> bool:
        """Say whether the system reports anything at all."""
        return self.others is not None

    @property
    def busy(self) -> bool:
        """Say whether others took a tenth of the processors, or something a tenth of the time."""
        took_much = (self.others or 0.0) > _MUCH * self.processors
        return took_much or max(self.stopped_s, self.stood_s) > _MUCH * self.seconds

    def __str__(self) -> str:
        """Return what was seen, as part of a sentence."""
        seen = []
        if self.others is not None:
            all_of_them = f"{self.processors} processor{'s' * (self.processors != 1)}"
            seen.append(f"other programs took {self.others:.1f} of its {all_of_them}")
        if self.stopped_s > _MUCH * self.seconds:
            seen.append(f"its container hit its limit and was paused for {self.stopped_s:.1f} s")
        if self.stood_s > _MUCH * self.seconds:
            seen.append(f"this lab itself was paused for {self.stood_s:.1f} s")
        return ", and ".join(seen) or "its system does not say how busy other programs kept it"


def _machine_s() -> float | None:
    with suppress(OSError, ValueError):
        ticks = [int(text) for text in _STAT.read_text().split(maxsplit=_LAST + 1)[1 : _LAST + 1]]
        worked = sum(count for column, count in enumerate(ticks) if column not in _IDLE)
        return worked / os.sysconf("SC_CLK_TCK")
    return None


def _stopped_s() -> float:
    for path in _LIMIT_FILES:
        with suppress(OSError):
            for line in path.read_text().splitlines():
                name, _, text = line.partition(" ")
                if name in _LIMITS:
                    return int(text) * _LIMITS[name]
    return 0.0


def _own_s() -> float:
    """Return the processor time of this process, and of those it started that have ended."""
    return sum(os.times()[:4])


@contextmanager
def _watch_standstills(load: Load) -> Generator[None, None, None]:
    """Record in the load for how long this process stands still within the block."""
    over = threading.Event()

    def beat():
        before = monotonic()
        while not over.wait(_BEAT_S):
            now = monotonic()
            if now - before > _LATE_S:
                load.stood_s += now - before - _BEAT_S
            before = now

    thread = threading.Thread(target=beat, name="beat", daemon=True)
    try:
        with suppress(RuntimeError):  # no more threads may be started
            thread.start()
        yield
    finally:
        over.set()
        if thread.ident is not None:
            thread.join()


@contextmanager
def watch_load() -> Generator[Load, None, None]:
    """Yield a Load that is known once the block has ended.

    The work of this process is not counted, nor that of the processes that it has started and
    that have ended within the block.
    """
    load = Load(processors=os.cpu_count() or 1)
    began, machine_s, own_s, stopped_s = perf_counter(), _machine_s(), _own_s(), _stopped_s()
    try:
        with _watch_standstills(load):
            yield load
    finally:
        load.seconds = max(perf_counter() - began, 1e-9)
        load.stopped_s = _stopped_s() - stopped_s
        if machine_s is not None and (now_s := _machine_s()) is not None:
            others_s = now_s - machine_s - (_own_s() - own_s)
            load.others = max(others_s, 0.0) / load.seconds


class Law(NamedTuple):
    """What was timed, the result, and the bounds that the law gives."""

    what: str
    measured: float
    at_least: float = -math.inf
    at_most: float = math.inf

    @property
    def holds(self) -> bool:
        """Say whether the result is within the bounds; nan, not measured, is not."""
        return self.at_least <= self.measured <= self.at_most

    @property
    def bounds(self) -> str:
        """The bounds in words.

        >>> Law("gain", 1.1, 1.5, 2.0).bounds, Law("share", 0.2, at_least=0.5).bounds
        ('1.5 to 2', 'at least 0.5')
        """
        if math.isinf(self.at_most):
            return f"at least {self.at_least:.3g}"
        if math.isinf(self.at_least):
            return f"at most {self.at_most:.3g}"
        return f"{self.at_least:.3g} to {self.at_most:.3g}"

    def __str__(self) -> str:
        """Return the result beside the expected bounds.

        >>> print(Law("the gain of 1 ms", 1.11, 1.5, 2.0))
        the gain of 1 ms came out as 1.11 (the law says 1.5 to 2)
        """
        missing = math.isnan(self.measured)
        came = "was not measured" if missing else f"came out as {self.measured:.3g}"
        return f"{self.what} {came} (the law says {self.bounds})"


def verdict(laws: Iterable[Law], load: Load, held: str, again: str) -> str:
    """Return `held` if every law holds; or a sentence on those that do not, and on the machine.

    load: of the machine while they were timed. again: which cells to run again, for a sentence.

    >>> quiet = Load(processors=2, seconds=9.0, others=0.01)
    >>> verdict([Law("the gain", 1.6, 1.5, 2.0)], quiet, "waiting pays", "the cell above")
    'waiting pays'
    """
    missed = [law for law in laws if not law.holds]
    if not missed:
        return held
    found = "; ".join(map(str, missed))
    if load.busy:
        return (
            f"This machine was busy: {load}, and so {found}. "
            f"Run {again} again when the machine is quieter."
        )
    if not load.known:
        return (
            f"This machine was busy, or the law does not hold on it ({load}): {found}. "
            f"Run {again} again."
        )
    return (
        f"This machine was not busy ({load}), and yet {found}. Run {again} again; if you get the "
        "same result, the law does not hold here: find out what differs."
    )
