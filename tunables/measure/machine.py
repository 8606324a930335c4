"""On which machine, and when, a lab measured: what stands above numbers that are replayed."""

import os
import platform
import time


def made_on(seconds: float | None = None) -> str:
    """Return a line that says when a measurement was made, and on what.

    seconds: since 1970, of now if not given.

    >>> made_on(0).startswith("Measured on 1970-01-01 (UTC) on ")
    True
    """
    day = time.strftime("%Y-%m-%d", time.gmtime(seconds))
    processors = os.cpu_count() or 1
    return (
        f"Measured on {day} (UTC) on {platform.system()} {platform.machine()}, processors: "
        f"{processors}, Python {platform.python_version()}"
    )
