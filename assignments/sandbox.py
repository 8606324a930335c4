"""A process for one student's notebook, kept apart as far as the platform can.

Everywhere: bounds on CPU time, memory and the size of a file, a folder of its own, an environment
without the teacher's variables. Where Linux lets us: no network, and no sight of other processes.
What it can read on this machine is what the teacher can read: README.md.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Timer

_PROGRAM = Path(__file__).with_name("student_process.py")
_LONGEST_ANSWER = 2**20
_TIME_UP = {signal.SIGXCPU, signal.SIGKILL, signal.SIGALRM}
# The first of these that works: options of util-linux's unshare, and what they keep apart.
_APART = (
    ("--net --pid --fork --kill-child --mount-proc", "no network, no other processes"),
    ("--net", "no network"),
)


@cache
def walls() -> tuple[tuple[str, ...], str]:
    """Return the command that starts a program apart from the rest, and what it keeps apart."""
    for options, apart in _APART:
        command = ("unshare", "--user", "--map-root-user", *options.split())
        with suppress(OSError):
            if subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0:
                return (*command, "sh", "-c", '"$@"; exit $?', "sh"), apart
    return (), "network and other processes within reach"


class Ended(Exception):
    """The student's process is gone; the text says why."""


class Sandbox:
    """A process that runs a notebook's cells and calls its functions; use it in a `with`.

    cpu_s bounds the CPU time of all cells together, and of each call; timeout_s, on the clock, the
    life of the process.
    """

    def __init__(self, cpu_s: int, timeout_s: float):
        self._limits = cpu_s, timeout_s
        self._killed = False

    def __enter__(self):
        cpu_s, timeout_s = self._limits
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
        quiet = {"HOME": self._folder.name, "TMPDIR": self._folder.name, "LANG": "C.UTF-8"}
        self._process = subprocess.Popen(
            [*walls()[0], sys.executable, "-I", str(_PROGRAM), str(cpu_s)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self._folder.name,
            env={**kept, **quiet, "OPENBLAS_NUM_THREADS": "1"},
            start_new_session=True,
        )
        assert self._process.stdin
        assert self._process.stdout
        self._requests, self._answers = self._process.stdin, self._process.stdout
        self._clock = Timer(timeout_s, self._kill)
        self._clock.start()
        return self

    def __exit__(self, *_):
        self._clock.cancel()
        self._kill()
        self._process.wait()
        for stream in (self._requests, self._answers):
            with suppress(OSError):
                stream.close()
        self._folder.cleanup()

    def _kill(self):
        self._killed = True
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def _why(self) -> str:
        if self._killed:
            return f"not done after {self._limits[1]:g} s"
        code = self._process.wait()
        number = -code if code < 0 else code - 128  # the shell's way to tell of a signal
        late = number in _TIME_UP
        return f"not done after {self._limits[0]} s of CPU time" if late else "ended the program"

    def ask(self, request: dict) -> dict:
        """Return the process's answer. Raises Ended if it is gone, or speaks no sense."""
        try:
            self._requests.write(json.dumps(request).encode() + b"\n")
            self._requests.flush()
            answer = json.loads(self._answers.readline(_LONGEST_ANSWER) or "null")
        except OSError:
            answer = None
        except ValueError:
            answer = {"error": "an answer that cannot be read"}
        if not isinstance(answer, dict):
            raise Ended(self._why())
        return answer
