"""What a measurement needs so that it leaves nothing behind when it is interrupted."""

import atexit
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from tunables.measure import guard

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
def tidy() -> Generator[ExitStack, None, None]:
    """Yield an ExitStack that is closed however the block is left.

    By an error, Ctrl-C, SIGTERM, SIGHUP, or at the latest when the interpreter ends while a
    generator is still suspended within the block. SIGKILL leaves no chance: what it must not
    leave behind belongs in a guarded_folder.
    """
    with _exit_on_signals(), ExitStack() as stack:
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


@contextmanager
def guarded_folder(prefix: str) -> Generator[GuardedFolder, None, None]:
    """Yield a new temporary folder. It is removed however the block ends, or this process."""
    path = Path(tempfile.mkdtemp(prefix=prefix))
    try:
        with subprocess.Popen(
            [sys.executable, "-I", "-S", guard.__file__, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,  # Ctrl-C is not for it
        ) as process:
            yield GuardedFolder(path, process)
    finally:
        shutil.rmtree(path, ignore_errors=True)  # what is left if the guard was killed
