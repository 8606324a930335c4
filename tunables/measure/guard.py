"""The process that guards a temporary folder: it outlives its parent, and tidies up after it.

`python guard.py FOLDER` reads from its standard input which process groups work in the folder,
"+123" as one begins and "-123" as it ends. Nobody but its parent holds the other end of that
pipe, so the input ends when the parent does: orderly, or by SIGKILL, and on any system. Then the
guard ends the groups that are left, and removes the folder.
"""

import ctypes
import os
import shutil
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

_PATIENCE_S = 10.0  # of the guard with a group that was asked to end
_PAUSE_S = 0.05
_SEGMENTS = Path("/proc/sysvipc/shm")  # Linux's list of shared memory
_KEY_AND_SEGMENT = 6  # the line of a PostgreSQL server's postmaster.pid that has them


def _lives(group):
    """Say whether a process of the group runs; one that is dead but not buried does not."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    if not Path("/proc/self/stat").exists():
        return True  # macOS buries all orphans
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, its_group = path.read_text().rpartition(")")[2].split()[:3]
            if int(its_group) == group and state not in "ZX":
                return True
    return False


def _end(groups):
    """Ask the groups for an orderly end, then for a quick one, and then do without."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
        groups = [group for group in groups if _lives(group)]
        for group in groups:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(group, number)
        give_up = time.monotonic() + _PATIENCE_S
        while any(map(_lives, groups)) and time.monotonic() < give_up:
            time.sleep(_PAUSE_S)


def _release_memory(folder):
    """Release the shared memory of PostgreSQL servers in the folder that were killed.

    A server that ends by itself releases it, and removes the file that names it.
    """
    for path in Path(folder).glob("*/postmaster.pid"):
        with suppress(OSError, IndexError, ValueError):
            key, segment = map(int, path.read_text().splitlines()[_KEY_AND_SEGMENT].split())
            rows = [line.split() for line in _SEGMENTS.read_text().splitlines()[1:]]
            if any([key, segment] == list(map(int, row[:2])) for row in rows):
                ctypes.CDLL(None).shmctl(segment, 0, None)  # 0: remove, when nobody uses it


def clear(folder) -> None:
    """Remove a folder whose processes have ended, with what they left elsewhere."""
    _release_memory(folder)
    shutil.rmtree(folder, ignore_errors=True)


def main(folder) -> None:
    """Read the orders until there is nobody who could give one; then leave nothing behind."""
    groups: set[int] = set()
    for line in sys.stdin:
        (groups.add if line[0] == "+" else groups.discard)(int(line[1:]))
    if groups:
        _end(groups)
    give_up = time.monotonic() + _PATIENCE_S
    while os.path.exists(folder) and time.monotonic() < give_up:
        clear(folder)
        time.sleep(_PAUSE_S)


if __name__ == "__main__":
    main(sys.argv[1])
