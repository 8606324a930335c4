"""What a measurement needs so that it leaves nothing behind when it is interrupted."""

import atexit
import signal
import threading
from collections.abc import Generator
from contextlib import ExitStack, contextmanager

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
    generator is still suspended within the block. SIGKILL leaves no chance.
    """
    with _exit_on_signals(), ExitStack() as stack:
        atexit.register(stack.close)
        try:
            yield stack
        finally:
            stack.close()
            atexit.unregister(stack.close)
