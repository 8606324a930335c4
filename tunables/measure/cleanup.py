"""What a measurement needs so that it leaves nothing behind when it is interrupted."""

import atexit
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from tunables.measure import guard, stale
from tunables.measure.trouble import told

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
def held_back() -> Generator[None, None, None]:
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
    leave behind belongs in a guarded_folder. What the machine refuses is told in a sentence.
    """
    with told(), _exit_on_signals(), ExitStack() as stack:
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

    Where its guard was killed as well, the next lab removes it: see tunables.measure.stale.
    """
    process = lock = None
    with told():
        parent = Path(tempfile.gettempdir())
        stale.sweep(parent)
        path = parent / stale.new_name(prefix)
        try:
            with held_back():
                process = _guard_of(path)
                path.mkdir(mode=0o700)
                lock = stale.hold(path)
            yield GuardedFolder(path, process)
        finally:
            with held_back():
                guard.clear(path)
                stale.let_go(lock)
                if process:
                    process.stdin.close()
                    process.wait()
