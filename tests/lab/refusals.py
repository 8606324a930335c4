"""What the labs measure, in small, and machines that refuse them something."""

import subprocess
from contextlib import contextmanager
from typing import NamedTuple

import pytest

from tests.lab.interrupted import LIMIT_S, left_behind, public_folder, start_program

_LOOP = "from tunables.lab import {0} as m\nfor each in m.{1}: print(each, flush=True)\n"
MEASUREMENTS = {
    "log": _LOOP.format("write_ahead_log", "sweep([0.001], seconds=0.5)"),
    "PostgreSQL": _LOOP.format("postgres", "sweep([0.001], committers=4, seconds=1)"),
    "flush": "from tunables.lab.postgres import flush_time_s\nprint(flush_time_s())\n",
    "batches": "from tunables.lab.black_hole import BatchSetting\n"
    + _LOOP.format("black_hole", "run([BatchSetting(0.01, 0.03, 1, 60)])"),
    "SQLite": _LOOP.format("sqlite_cache", "sweep([100], rows=2000, scans=1)"),
    "blobs": _LOOP.format("blob_store", "sweep([4096], [50_000], repeats=1)"),
    "chase": _LOOP.format("pointer_chase", "sweep([4096])"),
    "leaves": "from tunables.lab.leaves import LeafSetting, draw_stalls\n"
    + _LOOP.format("leaves", "run(draw_stalls(30, 20, LeafSetting()), LeafSetting(), 0.02)"),
    "port": _LOOP.format("user_port", "sweep(m.LAB[4:5], duration_s=0.5)"),
    "stream": _LOOP.format("sqlite_replica", "sweep([0.01], codecs=['raw'], seconds=0.5)"),
    "replication": _LOOP.format("logical_replication", "sweep([0.025], seconds=1)"),
    "statements": _LOOP.format("logical_replication", "remote([0.01], statements=3)"),
    "loop": _LOOP.format(
        "event_loop", "measure_event_loop([m.LoopSetting('a', 0.01)], 30_000, 50, 1)"
    ),
}
OF_POSTGRESQL = ("PostgreSQL", "flush", "replication", "statements")
_ANOTHER_USER = ["setpriv", "--reuid=54321", "--regid=54321", "--clear-groups"]
# The environment of root may be where no other user can read it.
_WHO_READS = ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]
_READ_ONLY = (
    "for folder in / /tmp /var/tmp /dev/shm; do mount --bind $folder $folder && "
    'mount -o remount,ro,bind $folder; done; cd / && exec "$@"'
)


class Refusal(NamedTuple):
    """A world that refuses something: how to run a program in it, and what is said of it."""

    says: str
    under: tuple[str, ...] = ()
    disk: str = ""
    closed: bool = False


# numpy's OpenBLAS interrupts a program that cannot start its threads; with one it starts none.
_PROCESSES = (
    *(*_ANOTHER_USER, *_WHO_READS),
    *("prlimit", "--nproc=1", "env", "OPENBLAS_NUM_THREADS=1"),
)
REFUSALS = {
    "disk full": Refusal("The disk is full", disk="64k"),
    "disk full later": Refusal("The disk is full", disk="80m"),
    "files": Refusal(
        "as many open files and sockets as the system allows", ("prlimit", "--nofile=20")
    ),
    "large files": Refusal("the file-size limit|let files grow", ("prlimit", "--fsize=300000")),
    "processes": Refusal("as many processes and threads as this system allows", _PROCESSES),
    "loopback": Refusal("doesn't let the lab connect to itself", ("unshare", "--net")),
    "writing": Refusal(
        "The user who runs Jupyter can't write to ", ("unshare", "-m", "sh", "-c", _READ_ONLY, "sh")
    ),
    "the user's name": Refusal("the system knows by name", (*_ANOTHER_USER, *_WHO_READS)),
    "root's folder": Refusal("The user who runs Jupyter can't write to ", closed=True),
}


@contextmanager
def _world(refusal):
    """Yield the folder of temporary files in that world; skip the test where it cannot be made."""
    with public_folder() as folder:
        if (
            refusal.under
            and subprocess.run([*refusal.under, "true"], capture_output=True).returncode
        ):
            pytest.skip(f"this machine lets no test run {' '.join(refusal.under[:2])}")
        folder.chmod(0o700 if refusal.closed else 0o777)
        if not refusal.disk:
            yield folder
            return
        mount = ["mount", "-t", "tmpfs", "-o", f"size={refusal.disk},mode=777", "none", folder]
        if subprocess.run(mount, capture_output=True).returncode:
            pytest.skip("this machine lets no test mount a small disk")
        try:
            yield folder
        finally:
            subprocess.run(["umount", folder], check=True)


def ending(measurement, refusal) -> tuple[int, str]:
    """Run a measurement in that world; return its exit code and its last line.

    It must end, without a second traceback from a thread, and leave nothing.
    """
    with _world(refusal) as folder:
        program = MEASUREMENTS[measurement]
        with start_program(program, folder, under=refusal.under) as process:
            _, errors = process.communicate(timeout=LIMIT_S)
        assert "Exception in thread" not in errors
        assert left_behind(folder, process) == []
        return process.returncode, (errors.strip().splitlines() or [""])[-1]
