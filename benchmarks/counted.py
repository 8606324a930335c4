"""What a process of a Dask cluster has used: processor time, memory, bytes sent to the others.

A scheduler or a worker that is started with `--preload benchmarks.counted` counts from its start.
"""

import time
from pathlib import Path
from typing import NamedTuple

from distributed.comm.tcp import TCP

_sent_bytes = 0
_write = TCP.write


class Used(NamedTuple):
    """Of one process, since its start: processor seconds, bytes sent, and its most memory."""

    cpu_s: float
    sent_bytes: int
    peak_mib: float


async def _write_and_count(comm, *arguments, **options):
    global _sent_bytes
    sent = await _write(comm, *arguments, **options)
    _sent_bytes += sent
    return sent


def dask_setup(_=None) -> None:
    """Count from now on; Dask calls it in a process that preloads this module."""
    setattr(TCP, "write", _write_and_count)  # noqa: B010  (mypy lets no method be replaced)


def used() -> Used:
    """Return what this process has used; its most memory is known on Linux alone."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    (peak,) = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM:")]
    return Used(time.process_time(), _sent_bytes, int(peak) / 1024)
