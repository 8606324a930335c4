"""The machine that a lab measures on: its name, its clock's steps, and limits for labs.

Windows wakes waiting threads some 64 times a second, and before Python 3.13 its
`time.monotonic`, which asyncio uses, ticks as rarely. Linux and macOS have steps far below 1 ms.
"""

import math
import os
import platform
import threading
import time

from tunables.base.arguments import number

LONGEST_S = 3600.0  # longest wait, delay or measurement
MOST_BYTES = 2**30  # largest window, or data held in memory
MOST_COUNTED = 10**7  # items, packets, statements
MOST_REPEATS = 1000


def describe_machine(seconds: float | None = None) -> str:
    """Return a line that says when a measurement was made, and on what.

    seconds: since 1970, of now if not given.

    >>> describe_machine(0).startswith("Measured on 1970-01-01 (UTC) on ")
    True
    """
    day = time.strftime("%Y-%m-%d", time.gmtime(seconds))
    processors = os.cpu_count() or 1
    return (
        f"Measured on {day} (UTC) on {platform.system()} {platform.machine()}, processors: "
        f"{processors}, Python {platform.python_version()}"
    )


_WAIT_S = 0.001
_TRIES = 10
_SLACK_S = 0.05  # a clock may be slewed by this much meanwhile


def step_s() -> float:
    """Return the finest step, in seconds, of this system's clock or of its waits."""
    event, waits_s = threading.Event(), []
    for _ in range(_TRIES):  # other work can only lengthen a wait: the shortest counts
        began = time.perf_counter()
        event.wait(_WAIT_S)
        waits_s.append(time.perf_counter() - began)
    late_s = min(waits_s) - _WAIT_S
    return max(late_s, time.get_clock_info("monotonic").resolution)


def too_coarse(needed_s) -> str:
    """Return a sentence if this system's steps are longer than needed_s; nothing if they are not.

    Raises ValueError if needed_s is not above 0.
    """
    needed_s = number("needed_s", needed_s, above=0, at_most=LONGEST_S)
    found_s = step_s()
    if found_s <= needed_s:
        return ""
    return (
        f"Here, {platform.system()} can wait only in steps of {1000 * found_s:.0f} ms, but this "
        f"lab needs steps of {1000 * needed_s:g} ms, so the times below include the longer step. "
        "The numbers on the book's site were measured on Linux."
    )


def check_clock(elapsed_s: float, at_least_s=0.0, at_most_s=math.inf) -> float:
    """Return a time by a settable clock, if a clock that cannot be set confirms it.

    Raises RuntimeError with a sentence otherwise.

    >>> check_clock(2.0, 1.9, 2.1)
    2.0
    """
    if at_least_s - _SLACK_S <= elapsed_s <= at_most_s + _SLACK_S:
        return elapsed_s
    raise RuntimeError(
        f"This system's clock was changed while the lab was measuring: it counted "
        f"{elapsed_s:.3g} s while {at_least_s:.3g} to {at_most_s:.3g} s actually passed. "
        "Run the cell again."
    )
