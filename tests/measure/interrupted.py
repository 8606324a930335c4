"""Run a measurement in a process of its own, end it half-way, and see what it left behind."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

# Ctrl-C must work whatever the parent ignores.
HEADER = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"


@contextmanager
def public_folder():
    """Yield a folder with a short path that another user may enter, as a database server must."""
    folder = Path(tempfile.mkdtemp(prefix="tn-", dir="/tmp"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def processes_that_name(folder):
    """Return the command lines with that folder in them; elsewhere than on Linux none."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = path.read_bytes()
        except OSError:  # it has just ended
            continue
        if os.fsencode(folder) in command:
            found.append(command.replace(b"\0", b" "))
    return found


def orphaned_shared_memory(process):
    """Return the keys of System V segments, younger than the process, that nobody uses."""
    table = Path("/proc/sysvipc/shm")
    if not table.exists():
        return set()
    names, *rows = [line.split() for line in table.read_text().splitlines()]
    segments = [dict(zip(names, map(int, row), strict=True)) for row in rows]
    return {s["key"] for s in segments if s["nattch"] == 0 and s["cpid"] >= process.pid}


def after_first_line(folder, process):
    """Return once the program has printed a line, and so is within its measurement."""
    assert process.stdout.readline() != ""


def assert_nothing_is_left(program, number, ready=after_first_line):
    """Send the signal when ready: the program must end of it and leave nothing at all."""
    with public_folder() as folder:
        with subprocess.Popen(
            [sys.executable, "-c", HEADER + program],
            env=os.environ | {"TMPDIR": str(folder)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            ready(folder, process)
            process.send_signal(number)
            _, errors = process.communicate(timeout=60)
        if number == signal.SIGINT:
            assert "KeyboardInterrupt" in errors
        else:
            assert process.returncode == 128 + number, errors
        assert list(folder.iterdir()) == []
        assert processes_that_name(folder) == []
        assert orphaned_shared_memory(process) == set()
