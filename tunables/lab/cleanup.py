"""What a measurement needs so that it leaves nothing behind when it is interrupted."""

import atexit
import os
import secrets
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from tunables.lab import guard
from tunables.lab.trouble import explain_trouble

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_NAME_BYTES = 8
_AGE_S = 60.0  # a younger record may not have its lock yet
_ATTEMPTS = 10  # to make a record while other labs remove the private folder, which was empty
_LARGEST_RECORD = 100  # bytes


def new_name(prefix: str) -> str:
    """Return a name that cannot be guessed.

    >>> len(new_name("tunables-pg-"))
    28
    """
    return prefix + secrets.token_hex(_NAME_BYTES)


def _is_private(records: Path) -> bool:
    """Say whether a folder belongs to this user and is closed to all others."""
    found = os.lstat(records)
    own = stat.S_ISDIR(found.st_mode) and found.st_uid == getattr(os, "geteuid", lambda: 0)()
    return own and not found.st_mode & 0o077


def _open_record(record: Path, flags: int) -> int:
    """Open a record and lock it; raises OSError where it is locked, or is no plain file."""
    lock = os.open(record, flags | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
    try:
        if not stat.S_ISREG(os.fstat(lock).st_mode):
            raise FileNotFoundError(str(record))
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise
    return lock


def _record(folder: Path) -> int:
    record = guard.record_of(folder)
    with suppress(FileExistsError):
        record.parent.mkdir(mode=0o700)
    if not _is_private(record.parent):
        raise PermissionError(str(record.parent))
    lock = _open_record(record, os.O_RDWR | os.O_CREAT | os.O_EXCL)
    made = os.lstat(folder)
    os.write(lock, f"{made.st_dev} {made.st_ino}".encode())
    return lock


def hold(folder: Path) -> int | None:
    """Record a folder that this process has made: return what `let_go` takes.

    None where the system has no locks, or where the place of the records is not this user's.
    """
    if fcntl is None:
        return None
    for _ in range(_ATTEMPTS):
        try:
            return _record(folder)
        except FileNotFoundError:
            continue
        except OSError:
            break
    return None


def let_go(lock: int | None) -> None:
    """Unlock what `hold` locked."""
    if lock is not None:
        os.close(lock)


def _old(records: Path) -> Iterator[Path]:
    for record in records.iterdir():
        with suppress(OSError):  # it has just gone
            if time.time() - os.lstat(record).st_mtime > _AGE_S:
                yield record


def _is_on_record(folder: Path, lock: int) -> bool:
    """Say whether a folder is the one that a lab of this user made under that name."""
    with suppress(OSError):
        found = os.lstat(folder)
        same = f"{found.st_dev} {found.st_ino}".encode()
        return stat.S_ISDIR(found.st_mode) and os.read(lock, _LARGEST_RECORD) == same
    return False


def sweep(parent: Path) -> None:
    """Remove the folders of this user's labs that were killed. Those that run are left alone."""
    if fcntl is None:
        return
    with suppress(OSError):
        records = guard.record_of(parent / "any").parent
        if not _is_private(records):
            return
        for record in _old(records):
            with suppress(OSError):  # it is locked, or has just gone
                lock = _open_record(record, os.O_RDWR)
                try:
                    folder = parent / record.name
                    if _is_on_record(folder, lock):
                        guard.clear(folder)
                    else:
                        guard.forget(folder)
                finally:
                    let_go(lock)


_SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


def _exit(number, _frame):
    raise SystemExit(128 + number)


@contextmanager
def _exit_on_signals():
    """Let a signal that would end the process at once unwind it instead, as Ctrl-C does."""
    if threading.current_thread() is not threading.main_thread():
        yield  # Python allows signal handlers in the main thread only
        return
    taken = [number for number in _SIGNALS if signal.getsignal(number) == signal.SIG_DFL]
    for number in taken:
        signal.signal(number, _exit)
    try:
        yield
    finally:
        for number in taken:
            if signal.getsignal(number) is _exit:
                signal.signal(number, signal.SIG_DFL)


@contextmanager
def hold_back_signals() -> Generator[None, None, None]:
    """Hold Ctrl-C and its like back until the block ends: what was begun in it is then known.

    For short blocks that begin something or end it. A signal that ends the process at once is
    not held back: then the guard tidies up.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # signals are for the main thread
        return
    came: list[int] = []
    before = {number: signal.getsignal(number) for number in (*_SIGNALS, signal.SIGINT)}
    handlers = {number: handler for number, handler in before.items() if callable(handler)}
    try:
        for number in handlers:
            signal.signal(number, lambda number, _frame: came.append(number))
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if came:
            signal.raise_signal(came[0])


@contextmanager
def tidy() -> Generator[ExitStack, None, None]:
    """Yield an ExitStack that is closed however the block is left.

    By an error, Ctrl-C, SIGTERM, SIGHUP, or at the latest when the interpreter ends while a
    generator is still suspended within the block. SIGKILL leaves no chance: what it must not
    leave behind belongs in a guarded_folder. What the machine refuses is explained in a sentence.
    """
    with explain_trouble(), _exit_on_signals(), ExitStack() as stack:
        atexit.register(stack.close)
        try:
            yield stack
        finally:
            stack.close()
            atexit.unregister(stack.close)


class GuardedFolder:
    """A temporary folder, and the process groups that are not to outlive this process."""

    def __init__(self, path: Path, guard: subprocess.Popen):
        self.path = path
        self.guard = guard

    def _tell(self, sign, group):
        assert self.guard.stdin is not None
        with suppress(BrokenPipeError):  # the guard was killed: this process tidies up itself
            self.guard.stdin.write(f"{sign}{group}\n".encode())

    @contextmanager
    def guarding(self, group: int) -> Generator[None, None, None]:
        """Have the guard end this process group if this process is killed within the block."""
        self._tell("+", group)
        try:
            yield
        finally:
            self._tell("-", group)


def _guard_of(path):
    """Start the guard of a folder that is not there yet: so none is without a guard."""
    return subprocess.Popen(
        [sys.executable, "-I", "-S", guard.__file__, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        bufsize=0,
        start_new_session=True,  # Ctrl-C is not for it
    )


@contextmanager
def guarded_folder(prefix: str) -> Generator[GuardedFolder, None, None]:
    """Yield a new temporary folder. It is removed however the block ends, or this process.

    Where its guard was killed as well, the next lab removes it: see tunables.lab.cleanup.
    """
    process = lock = None
    with explain_trouble():
        parent = Path(tempfile.gettempdir())
        sweep(parent)
        path = parent / new_name(prefix)
        try:
            with hold_back_signals():
                process = _guard_of(path)
                path.mkdir(mode=0o700)
                lock = hold(path)
            yield GuardedFolder(path, process)
        finally:
            with hold_back_signals():
                guard.clear(path)
                let_go(lock)
                if process:
                    process.stdin.close()
                    process.wait()
