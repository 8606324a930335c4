"""Ctrl-C in a command: it ends with one sentence and exit status 130, at any moment.

A KeyboardInterrupt that breaks off the import of a compiled module may come out as something else:
numpy makes an ImportError of it, with advice about installing, and an optional module is then held
to be missing. So a command ends where it is; only a part that has something to tidy up is
interrupted by an exception.
"""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

INTERRUPTED = 128 + 2  # exit status of a command that Ctrl-C ended
STOPPED = "\ntunables: stopped"


def _end(number: int, frame: FrameType | None) -> NoReturn:
    if sys.stderr is not None:  # as the shell's 2>&- leaves it
        with suppress(OSError):
            os.write(2, f"{STOPPED}\n".encode())  # print may be what is interrupted
    os._exit(INTERRUPTED)


def end_on_interrupt() -> None:
    """Let Ctrl-C end this process at once, unless it is ignored or has a handler already."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


@contextmanager
def interrupts_raised() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt in the block, where it would end the process at once."""
    ends = threading.current_thread() is threading.main_thread() and (
        signal.getsignal(signal.SIGINT) is _end
    )
    if ends:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        if ends:
            signal.signal(signal.SIGINT, _end)
