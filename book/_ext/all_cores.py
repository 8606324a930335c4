"""Work on the written pages by as many processes as the machine has processors."""

from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any


def for_each(function: Callable[[Path, Path], Any], folder: Path, pages: Iterable[Path]) -> list:
    """Call function(folder, page) for each page, in any process; return the results in order."""
    ordered = list(pages)
    # A forked process would wait for threads that it lacks: those of the library for charts.
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as processes:
        return list(processes.map(function, [folder] * len(ordered), ordered))
