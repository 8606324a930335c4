"""Run a measurement in a separate process, end it half-way, and see what it left behind."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path

# Signals must work whatever the parent ignores (nohup: SIGHUP; a shell's &: SIGINT).
HEADER = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGTERM, signal.SIG_DFL)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
"""
LIMIT_S = 90
SOON_S = 10


@contextmanager
def public_folder():
    """Yield a folder with a short path that another user may enter, as a database server must."""
    folder = Path(tempfile.mkdtemp(prefix="tn-", dir="/tmp"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        for number, _ in those_that_name(folder):  # left by a failed test
            os.kill(number, signal.SIGQUIT)
        while folder.exists():  # the guard of what has just ended may be clearing up as well
            with suppress(FileNotFoundError):
                shutil.rmtree(folder)


def those_that_name(folder):
    """Yield process and command line of those with that folder in it; only on Linux."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has just ended
            command = path.read_bytes()
            if os.fsencode(folder) in command:
                yield int(path.parent.name), command.replace(b"\0", b" ")


def processes_that_name(folder):
    """Return the command lines with that folder in them; elsewhere than on Linux none."""
    return [command for _, command in those_that_name(folder)]


def _unused_segments(process):
    table = Path("/proc/sysvipc/shm")
    if not table.exists():
        return set()
    names, *rows = [line.split() for line in table.read_text().splitlines()]
    segments = [dict(zip(names, map(int, row), strict=True)) for row in rows]
    return {s["key"] for s in segments if s["nattch"] == 0 and s["cpid"] >= process.pid}


def orphaned_shared_memory(process):
    """Return the keys of System V segments, younger than the process, that are unused.

    A segment of a concurrent test that kills a server is soon released.
    """
    give_up = time.monotonic() + SOON_S
    while (keys := _unused_segments(process)) and time.monotonic() < give_up:
        time.sleep(0.05)
    return keys


def _kill_group(process):
    with suppress(ProcessLookupError):  # no process of the group is left
        os.killpg(process.pid, signal.SIGKILL)


@contextmanager
def start_program(program, folder, *flags, under=(), limit_s=LIMIT_S):
    """Start a Python program with that temporary folder and home, in a new session.

    under: a command that runs another in a world of its making. The program ends with the block,
    or the limit; with all that it started if the block fails.
    """
    with subprocess.Popen(
        [*under, sys.executable, *flags, "-c", HEADER + program],
        env=os.environ | dict.fromkeys(("TMPDIR", "SQLITE_TMPDIR", "HOME"), str(folder)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        limit = threading.Timer(limit_s, _kill_group, [process])  # its reader is not stuck
        limit.start()
        try:
            yield process
        except BaseException:
            _kill_group(process)
            raise
        finally:
            limit.cancel()
            process.kill()


def after_first_line(folder, process):
    """Return once the program has printed a line, and so is within its measurement."""
    assert process.stdout.readline() != ""


def left_behind(folder, process):
    """Return what is there of the measurement: files, processes, shared memory."""
    memory = orphaned_shared_memory(process)
    return [*folder.iterdir(), *processes_that_name(folder), *memory]


def assert_nothing_is_left(program, number, ready=after_first_line):
    """Send the signal when ready: the program must end of it and leave nothing at all.

    After SIGKILL it cannot tidy up itself: then nothing must be left within the limit.
    """
    with public_folder() as folder:
        with start_program(program, folder) as process:
            ready(folder, process)
            process.send_signal(number)
            if number == signal.SIGKILL:
                process.wait(timeout=LIMIT_S)  # others may hold its output
            else:
                _, errors = process.communicate(timeout=LIMIT_S)
        if number == signal.SIGINT:
            assert "KeyboardInterrupt" in errors
        elif number != signal.SIGKILL:
            assert process.returncode == 128 + number, errors
        give_up = time.monotonic() + (LIMIT_S if number == signal.SIGKILL else 0)
        while left_behind(folder, process) and time.monotonic() < give_up:
            time.sleep(0.05)
        assert left_behind(folder, process) == []
