"""A process for one student's notebook, kept apart as far as the machine can (`walls.py`).

Everywhere: bounds on CPU time, memory and the size of a file, a folder of its own, an environment
without the teacher's variables. README.md says what else, and where.
"""

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

from assignments.walls import TOO_MANY, TOO_MUCH

_WALLS = Path(__file__).with_name("walls.py")
_PROGRAM = Path(__file__).with_name("student_process.py")
MEMORY_BYTES = 2 * 2**30
_LONGEST_ANSWER = 2**21  # the student's process writes half of that at most
_PIECE = 2**16
_END_S = 2  # for what was started to end by itself
_TIME_UP = {signal.SIGXCPU, signal.SIGKILL, signal.SIGALRM}
_EXCESS = {
    TOO_MUCH: "used too much memory (all of its processes together)",
    TOO_MANY: "started too many processes",
}
_PROBE_S = 60
# What each level of walls.py keeps apart, the best first.
_LEVELS = {
    2: "no notebook can reach the network, other processes, or files other than its own and the "
    "system's",
    1: "no notebook can reach the network, but each can reach your files and other processes",
    0: "every notebook can reach the network, your files and other processes",
}


class Ended(Exception):
    """The student's process is gone; the text says why."""


class Sandbox:
    """A process that runs a notebook's cells and calls its functions; use it in a `with`.

    cpu_s bounds the CPU time of all cells together, and of each call; timeout_s, on the clock, the
    life of the process; memory_bytes, what all its processes have together. level is how far it is
    kept apart; without it, as far as can be.
    """

    def __init__(
        self,
        cpu_s: int,
        timeout_s: float,
        level: int | None = None,
        memory_bytes: int = MEMORY_BYTES,
    ):
        self._cpu_s, self._timeout_s, self._memory = cpu_s, timeout_s, memory_bytes
        self._level = walls()[0] if level is None else level
        self._rest = b""
        self._late = False

    def __enter__(self):
        kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
        leash, grip = os.pipe()
        place = tempfile.gettempdir()
        how = (self._level, leash, place, self._memory, _PROGRAM, self._cpu_s)
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", str(_WALLS), *map(str, how)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**kept, "LANG": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1"},
                pass_fds=[leash],
                start_new_session=True,
                bufsize=0,
            )
        except BaseException:
            os.close(grip)
            raise
        finally:
            os.close(leash)
        assert self._process.stdin
        assert self._process.stdout
        self._leash: int | None = grip
        self._requests = self._process.stdin.fileno()
        self._answers = self._process.stdout.fileno()
        os.set_blocking(self._requests, False)
        os.set_blocking(self._answers, False)
        self._end = time.monotonic() + self._timeout_s
        return self

    def __exit__(self, *_):
        self._stop()
        for stream in filter(None, (self._process.stdin, self._process.stdout)):
            with suppress(OSError):
                stream.close()

    def _stop(self) -> int:
        """End all that was started; return the exit status."""
        if self._leash is not None:
            os.close(self._leash)
            self._leash = None
        try:
            return self._process.wait(_END_S)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            return self._process.wait()

    def _why(self) -> str:
        """Return why the process is gone, or goes now."""
        if self._late:
            self._stop()
            return "time ran out"
        try:  # it has closed its answers, and so ends; unless it closed them alone
            code = self._process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self._stop()
            return "stopped answering"
        if code in _EXCESS:
            return _EXCESS[code]
        number = -code if code < 0 else code - 128  # the shell's way to tell of a signal
        late = number in _TIME_UP
        return f"not finished after {self._cpu_s} s of CPU time" if late else "ended the program"

    def _until(self, reading, writing) -> None:
        """Wait until a stream is ready. Raises Ended at the end of the time."""
        left = self._end - time.monotonic()
        if left <= 0 or not any(select.select(reading, writing, [], left)):
            self._late = True
            raise Ended(self._why())

    def _send(self, content: bytes) -> None:
        while content:
            self._until([], [self._requests])
            with suppress(BlockingIOError):
                content = content[os.write(self._requests, content[:_PIECE]) :]

    def _line(self) -> bytes:
        """Return the next line of answers; none if there is no more, or one too long."""
        held = bytearray(self._rest)
        while (end := held.find(b"\n")) < 0:
            self._until([self._answers], [])
            try:
                piece = os.read(self._answers, _PIECE)
            except BlockingIOError:
                continue
            if not piece or len(held) > _LONGEST_ANSWER:
                return b""
            held += piece
        self._rest = bytes(held[end + 1 :])
        return bytes(held[:end])

    def ask(self, request: dict) -> dict:
        """Return the process's answer. Raises Ended if it is gone, or speaks no sense."""
        try:
            self._send(json.dumps(request).encode() + b"\n")
            answer = json.loads(self._line() or b"null")
        except OSError:
            answer = None
        except (ValueError, RecursionError, MemoryError):
            answer = {"error": "an answer that cannot be read"}
        if not isinstance(answer, dict):
            raise Ended(self._why())
        return answer


def _works(level: int) -> bool:
    """Whether a student's process runs at a level, with what notebooks import."""
    with suppress(Ended, OSError), Sandbox(_PROBE_S, _PROBE_S, level) as sandbox:
        sandbox.ask({"cell": "import numpy, scipy\nready = 1"})
        return sandbox.ask({"name": "ready"}) == {"value": 1}
    return False


@cache
def walls() -> tuple[int, str]:
    """Return the highest level of `walls.py` that works here, and what it keeps apart.

    Raises ValueError if no student's process runs at all.
    """
    for level, apart in _LEVELS.items():
        if _works(level):
            return level, apart
    raise ValueError(f"no notebook can be run by {sys.executable}: are its packages installed?")
