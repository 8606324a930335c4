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
import stat
import sys
import time
from contextlib import suppress
from pathlib import Path

_PATIENCE_S = 10.0  # how long a group that was asked to end may take
_PAUSE_S = 0.05
_SEGMENTS = Path("/proc/sysvipc/shm")  # Linux's list of shared memory
_PROCESS, _KEY_AND_SEGMENT = 0, 6  # the lines of a PostgreSQL server's postmaster.pid
_KEY, _SEGMENT, _MADE_BY, _MADE_BY_USER = 0, 1, 4, 9  # columns of the list


def _lives(group):
    """Say whether a process of the group runs; a zombie does not."""
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

    A server that ends by itself releases it, and removes the file that names it. Only memory that
    the process in that file made is released, for the user who owns the file.
    """
    for path in Path(folder).glob("*/postmaster.pid"):
        with suppress(OSError, IndexError, ValueError):
            owner = _owner(path)
            lines = path.read_text().splitlines()
            key, segment = map(int, lines[_KEY_AND_SEGMENT].split())
            named = {
                _KEY: key,
                _SEGMENT: segment,
                _MADE_BY: int(lines[_PROCESS]),
                _MADE_BY_USER: owner,
            }
            rows = [list(map(int, line.split())) for line in _SEGMENTS.read_text().splitlines()[1:]]
            if any(all(row[place] == value for place, value in named.items()) for row in rows):
                ctypes.CDLL(None).shmctl(segment, 0, None)  # 0: remove once it is unused


def _owner(path):
    """Return the user whose file it is; raises OSError for a link, or one in a linked folder."""
    found = os.lstat(path)
    if not stat.S_ISREG(found.st_mode) or not stat.S_ISDIR(os.lstat(path.parent).st_mode):
        raise FileNotFoundError(str(path))
    return found.st_uid


def record_of(folder) -> Path:
    """Return where a user's labs note that they made a folder: see tunables.lab.cleanup."""
    user = os.geteuid() if hasattr(os, "geteuid") else 0  # Windows, where none is written
    return Path(folder).parent / f"tunables-{user}" / Path(folder).name


def forget(folder) -> None:
    """Remove the record of a folder, and the folder of the records if that was the last."""
    with suppress(OSError):
        record_of(folder).unlink(missing_ok=True)
        record_of(folder).parent.rmdir()


def clear(folder) -> None:
    """Remove a folder whose processes have ended, with what they left elsewhere."""
    _release_memory(folder)
    shutil.rmtree(folder, ignore_errors=True)
    if not os.path.lexists(folder):
        forget(folder)


def main(folder) -> None:
    """Read orders until the parent is gone; then leave nothing behind."""
    groups: set[int] = set()
    for line in sys.stdin:
        (groups.add if line[0] == "+" else groups.discard)(int(line[1:]))
    if groups:
        _end(groups)
    give_up = time.monotonic() + _PATIENCE_S
    while os.path.exists(folder) and time.monotonic() < give_up:
        clear(folder)
        time.sleep(_PAUSE_S)
    if not os.path.lexists(folder):
        forget(folder)


if __name__ == "__main__":
    main(sys.argv[1])
