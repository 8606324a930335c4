"""Which compiled functions each module holds, and how to come by arguments of them.

A module is a chapter's, by its slug, and holds what the chapter's facet `entries` names; one more
holds what belongs to no chapter. An entry is called `module.function`, after the place that
defines it.
"""

from collections.abc import Iterator

import numpy as np

from kernels import shared
from kernels.recording import recorded
from tunables.page.chapters import module, with_facet
from tunables.parts.entry import Entry

SHARED = "shared"


def module_names() -> list[str]:
    """Return the names of all modules."""
    return [*with_facet("entries"), SHARED]


def entries(name: str) -> tuple[Entry, ...]:
    """Return the lines of the module of that name."""
    home = shared if name == SHARED else module(name, "entries")
    found: tuple[Entry, ...] = home.ENTRIES
    return found


def called(entry: Entry, seed: int, events: int):
    """Return a compiled function, and arguments with which a call from that seed reaches it."""
    rng = np.random.default_rng(seed)
    return recorded(entry.module, entry.name, lambda: entry.call(rng, events))


def entry_name(function) -> str:
    """Return what the entry of a compiled function is called."""
    return f"{function.__module__.rpartition('.')[2]}.{function.__name__}"


def flat(value) -> Iterator:
    """Yield what stands in the slots of a value: numbers and arrays, those in tuples one by one."""
    if isinstance(value, tuple):
        for item in value:
            yield from flat(item)
    elif value is not None:
        yield value
