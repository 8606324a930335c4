"""Programs and coroutines that a measurement starts, and that end with it."""

import asyncio
import os
import re
import signal
import subprocess
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from tunables.lab.cleanup import GuardedFolder, hold_back_signals
from tunables.lab.trouble import advice_on

# A program waits at this gate until the guard knows of it. If the process that opens the gate is
# killed first, the program never begins.
_GATE = ["/bin/sh", "-c", 'read -r _ && exec "$@" </dev/null', "gate"]
_SAYS_WHY = re.compile(r"\b(PANIC|FATAL|ERROR|[Ee]rror):|[Cc]ould not|terminated by signal")
_STAMP = re.compile(r"^[-\d]+ [:.\d]+ \w+ \[\d+\] ")  # before each line of PostgreSQL's log


class ProgramKilled(RuntimeError):
    """A program was ended by a signal that the lab did not send."""

    def __init__(self, name: str, process: subprocess.Popen):
        number = signal.Signals(-process.returncode).name
        super().__init__(
            f"{name} was killed (by {number}): either somebody killed it, or the system did "
            "because memory ran out. Run the cell again."
        )


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
    stack = ExitStack()
    try:
        with hold_back_signals():
            process = subprocess.Popen(
                [*_GATE, *map(str, command)],
                stdin=subprocess.PIPE,
                text=True,
                start_new_session=True,
                **options,
            )
            if within:
                stack.enter_context(within.guarding(process.pid))
            stack.callback(_end, process)
        _open_gate(process)
        yield process
    finally:
        with hold_back_signals():
            stack.close()


def _open_gate(process):
    with suppress(BrokenPipeError):  # it was killed already
        process.stdin.write("begin\n")
        process.stdin.close()
    process.stdin = None  # or `communicate` would flush it


def _signal_group(process, number):
    with suppress(ProcessLookupError, PermissionError):  # no process of the group is left
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
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


def reason(words: str) -> str:
    r"""Return the line that says why a program failed, and a sentence on what to do.

    >>> reason("initdb: error: no such user\ninitdb: removing data directory")
    'initdb: error: no such user. Run the cell again.'
    """
    lines = words.strip().splitlines() or ["no message"]
    telling = [line for line in lines if _SAYS_WHY.search(line)]
    line = _STAMP.sub("", (telling or lines[-1:])[0].strip())
    return f"{line.rstrip('.')}. {advice_on(words) or 'Run the cell again.'}"


def run(command, within: GuardedFolder | None = None, **options) -> Result:
    """Run a program to its end; raises RuntimeError with the reason it gives if it fails.

    Raises Killed if it is ended by a signal.
    """
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with child(command, within, **pipes, **options) as process:
        output, errors = process.communicate()
        name = Path(str(command[0])).name
        if process.returncode < 0:
            raise ProgramKilled(name, process)
        if process.returncode != 0:
            raise RuntimeError(f"{name} failed: {reason(errors.strip() or output)}")
        return Result(output, errors)


Returned = TypeVar("Returned")


def run_in_thread(
    function: Callable[..., Coroutine[Any, Any, Returned]], *arguments: Any
) -> Returned:
    """Return what a coroutine function returns, run in a thread of its own with its own loop.

    An interrupt here cancels it there and waits until it has cleared up.
    """
    started: Future = Future()

    async def main() -> Returned:
        started.set_result((asyncio.get_running_loop(), asyncio.current_task()))
        return await function(*arguments)

    outcome = None
    with ThreadPoolExecutor(max_workers=1) as executor:
        try:
            with hold_back_signals():  # or the executor might forget a thread that it has started
                outcome = executor.submit(lambda: asyncio.run(main()))
            return outcome.result()
        except BaseException:
            if outcome and outcome not in wait([started, outcome], None, FIRST_COMPLETED).done:
                loop, task = started.result()
                with suppress(RuntimeError):  # the loop has just ended by itself
                    loop.call_soon_threadsafe(task.cancel)
            raise
