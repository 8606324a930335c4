"""Folders of labs that were killed together with their guards: the next lab removes them.

Who makes a folder holds a lock on it for as long as it lives, and no longer: the system lets go
of the lock when the process ends, however it ends. So a folder without a lock is nobody's. A
PostgreSQL server that still runs in it ends by itself within a minute: it looks for its own
files that often. Windows has no such locks, and nothing is swept there.
"""

import os
import re
import secrets
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tunables.measure import guard

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_NAME_BYTES = 8
_NAME = re.compile(rf"tunables-[a-z]+-[0-9a-f]{{{2 * _NAME_BYTES}}}")
_AGE_S = 60.0  # of a folder that may not have its lock yet


def new_name(prefix: str) -> str:
    """Return a name that nobody has guessed.

    >>> bool(_NAME.fullmatch(new_name("tunables-pg-")))
    True
    """
    return prefix + secrets.token_hex(_NAME_BYTES)


def hold(folder: Path) -> int | None:
    """Lock a folder: return what `let_go` takes, or None if it is locked, gone or not to lock."""
    if fcntl is None:
        return None
    lock = None
    try:
        lock = os.open(folder, os.O_RDONLY)
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        let_go(lock)
        return None
    return lock


def let_go(lock: int | None) -> None:
    """Unlock what `hold` locked."""
    if lock is not None:
        os.close(lock)


def _old(parent: Path) -> Iterator[Path]:
    for folder in parent.iterdir():
        with suppress(OSError):  # it has just gone
            if _NAME.fullmatch(folder.name) and time.time() - folder.stat().st_mtime > _AGE_S:
                yield folder


def sweep(parent: Path) -> None:
    """Remove the folders of labs that were killed. Those of labs that run are left alone."""
    with suppress(OSError):
        for folder in _old(parent):
            lock = hold(folder)
            if lock is not None:
                guard.clear(folder)
                let_go(lock)
