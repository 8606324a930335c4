"""Which compiled functions each module holds, and how to obtain arguments for them.

A module belongs to a chapter and has its slug as its name; `kernels/inputs/SLUG.py` lists its
functions. One more module holds the functions that belong to no chapter. An entry is named
`module.function`, after the module that defines the function.
"""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import numpy as np

from kernels.entry import KernelEntry
from kernels.recording import record_call
from tunables.page.chapters import CHAPTERS

SHARED = "shared"
_INPUTS = Path(__file__).with_name("inputs")


def module_names() -> list[str]:
    """Return the names of all modules: the chapters' in their order, then the shared one."""
    slugs = [chapter.slug for chapter in CHAPTERS]
    return [*(slug for slug in slugs if (_INPUTS / f"{slug}.py").exists()), SHARED]


def entries(name: str) -> tuple[KernelEntry, ...]:
    """Return the entries of the module of that name."""
    found: tuple[KernelEntry, ...] = import_module(f"kernels.inputs.{name}").ENTRIES
    return found


def sample_call(entry: KernelEntry, seed: int, events: int):
    """Return a compiled function and the arguments with which a call from that seed reaches it."""
    rng = np.random.default_rng(seed)
    return record_call(entry.module, entry.name, lambda: entry.call(rng, events))


def entry_name(function) -> str:
    """Return the name of a compiled function's entry."""
    return f"{function.__module__.rpartition('.')[2]}.{function.__name__}"


def flatten(value) -> Iterator:
    """Yield the contents of a value's slots: numbers and arrays; tuples item by item."""
    if isinstance(value, tuple):
        for item in value:
            yield from flatten(item)
    elif value is not None:
        yield value
