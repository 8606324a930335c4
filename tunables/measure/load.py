"""How much other work a machine had while a lab measured on it, as far as its system tells.

Linux counts the processor time of the whole machine in /proc/stat, with what its host took away
(man 5 proc_stat), and tells how long a container was stopped at its limit in cpu.stat (the
kernel's documentation of cgroups). Other systems tell neither. On any system a thread that should
wake ten times a second tells when the whole process stood still.
"""

import os
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, perf_counter

_STAT = Path("/proc/stat")
# By version of cgroups, and in what each counts.
_LIMITS = {"throttled_usec": 1e-6, "throttled_time": 1e-9}
_LIMIT_FILES = (Path("/sys/fs/cgroup/cpu.stat"), Path("/sys/fs/cgroup/cpu/cpu.stat"))
_IDLE = (3, 4)  # of the columns of the first line: idle, and waiting for a device
_LAST = 8  # then come the guests' times, which are in the users' already
_MUCH = 0.1  # of the machine's processors, or of the time
_BEAT_S = 0.1
_LATE_S = 0.25  # between two beats; threads that share an interpreter delay one by less


@dataclass
class Load:
    """Other work on the machine while something was measured."""

    processors: int = 1
    seconds: float = 0.0
    others: float | None = None
    """Processors that other programs took, on average; None where the system does not tell."""
    stopped_s: float = 0.0
    """Time for which the container was at its limit."""
    stood_s: float = 0.0
    """Time for which this process stood still: stopped, starved or suspended."""

    @property
    def known(self) -> bool:
        """Say whether the system tells anything at all."""
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
            seen.append(f"its container stood still for {self.stopped_s:.1f} s, at its limit")
        if self.stood_s > _MUCH * self.seconds:
            seen.append(f"this lab itself stood still for {self.stood_s:.1f} s")
        return ", and ".join(seen) or "how much other work it had, its system does not tell"


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
def _beating(load: Load) -> Generator[None, None, None]:
    """Note in the load for how long this process stands still within the block."""
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
def watched() -> Generator[Load, None, None]:
    """Yield a Load that is known once the block has ended.

    The work of this process is not counted, nor that of the processes that it has started and
    that have ended within the block.
    """
    load = Load(processors=os.cpu_count() or 1)
    began, machine_s, own_s, stopped_s = perf_counter(), _machine_s(), _own_s(), _stopped_s()
    try:
        with _beating(load):
            yield load
    finally:
        load.seconds = max(perf_counter() - began, 1e-9)
        load.stopped_s = _stopped_s() - stopped_s
        if machine_s is not None and (now_s := _machine_s()) is not None:
            others_s = now_s - machine_s - (_own_s() - own_s)
            load.others = max(others_s, 0.0) / load.seconds
