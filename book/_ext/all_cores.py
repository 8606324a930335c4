"""Work on the written pages by as many processes as the machine has processors."""

from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any


def for_each(function: Callable[[Path, Path], Any], folder: Path, pages: Iterable[Path]) -> list:
    """Call function(folder, page) for each page, in any process; return the results in order."""
    ordered = list(pages)
    # Begun anew: what draws the charts has threads, and does not outlive a fork.
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as processes:
        return list(processes.map(function, [folder] * len(ordered), ordered))
