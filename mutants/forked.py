"""Run something in a child of this process, which has the slow libraries in memory already.

What the project itself imports is imported in the child, so each child begins anew.
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from mutants.groups import KEPT

SLOW = ("numpy", "scipy.optimize", "scipy.stats", "scipy.special", "hypothesis", "pytest", "altair")
KERNELS = KEPT / "kernels"
PRINTED = KEPT / "printed"  # by the last child, under its parent's number
MOST_BYTES = 6 * 2**30


def warm() -> None:
    """Import what is slow to import; compiled kernels have a folder of their own."""
    os.environ["NUMBA_CACHE_DIR"] = str(KERNELS)
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    sys.dont_write_bytecode = True
    for name in (*SLOW, "numba"):
        import_module(name)


def forked(function: Callable, *arguments: Any, seconds: float) -> Any:
    """Return function(*arguments) of a child, or None if it crashes; all that it started ends.

    Raises TimeoutError if it takes more seconds of the processor, or ten times as many.
    """
    PRINTED.mkdir(parents=True, exist_ok=True)
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=_answer, args=(sender, function, arguments, int(seconds)))
    child.start()
    sender.close()
    try:
        if receiver.poll(10 * seconds):
            return receiver.recv()
        raise TimeoutError(f"{function.__name__} takes more than {10 * seconds:g} s")
    except EOFError:
        child.join()
        if child.exitcode == -signal.SIGXCPU:
            raise TimeoutError(f"{function.__name__} takes more than {seconds:g} s") from None
        return None
    finally:
        try:
            os.killpg(child.pid or 0, signal.SIGKILL)
        except ProcessLookupError:
            child.kill()
        child.join()


def _answer(sender, function, arguments, seconds):
    import resource

    os.setsid()
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    used = int(sum(os.times()[:2]))
    resource.setrlimit(resource.RLIMIT_CPU, (used + seconds, used + seconds + 5))
    told = os.open(PRINTED / f"{os.getppid()}.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for stream in (1, 2):
        os.dup2(told, stream)
    sender.send(function(*arguments))
