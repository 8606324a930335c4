"""Programs that a measurement starts, and that end with it."""

import os
import signal
import subprocess
from collections.abc import Generator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import NamedTuple

from tunables.measure.cleanup import GuardedFolder


class Result(NamedTuple):
    """What a program printed."""

    output: str
    errors: str


@contextmanager
def child(
    command, within: GuardedFolder | None = None, **options
) -> Generator[subprocess.Popen, None, None]:
    """Start a program in a process group of its own; end the whole group with the block.

    within: the folder whose guard ends it if this process is killed.
    """
    process = subprocess.Popen(
        list(map(str, command)),
        stdin=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
        **options,
    )
    with within.guarding(process.pid) if within else nullcontext():
        try:
            yield process
        finally:
            _end(process)


def _signal_group(process, number):
    with suppress(ProcessLookupError, PermissionError):  # nobody of the group is left
        os.killpg(process.pid, number)


def _end(process, patience_s=15):
    """Ask the group for an orderly end, then for a quick one, and then do without."""
    try:
        for number in (signal.SIGINT, signal.SIGQUIT):
            if process.poll() is None:
                _signal_group(process, number)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(patience_s)
    finally:
        if process.poll() is None:
            _signal_group(process, signal.SIGKILL)
            process.wait()
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


def run(command, within: GuardedFolder | None = None, **options) -> Result:
    """Run a program to its end; raises RuntimeError with its last words if it fails."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with child(command, within, **pipes, **options) as process:
        output, errors = process.communicate()
        if process.returncode != 0:
            last = (errors.strip() or output.strip() or "no message").splitlines()[-1]
            raise RuntimeError(f"{Path(str(command[0])).name} failed: {last}")
        return Result(output, errors)
