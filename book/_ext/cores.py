"""What is done to each page by itself, on all cores."""

import os
from collections.abc import Callable, Iterable
from typing import Any

from sphinx.util.parallel import ParallelTasks, parallel_available


def on_all_cores(function: Callable[[Any], Any], items: Iterable[Any]) -> list[Any]:
    """Return what a function gives for each item, in their order.

    The function runs in copies of this process where the system can fork, so what it changes but
    for files is lost. Raises SphinxParallelError if it raises.
    """
    given = list(items)
    cores = os.cpu_count() or 1
    if not parallel_available or cores == 1:
        return [function(item) for item in given]
    results: dict[int, list[Any]] = {}

    def do_share(first: int) -> list[Any]:
        return [function(item) for item in given[first::cores]]

    tasks = ParallelTasks(cores)
    for first in range(cores):
        tasks.add_task(do_share, first, results.__setitem__)
    tasks.join()
    return [results[index % cores][index // cores] for index in range(len(given))]
