"""One kernel of the list: a compiled function, and calls that reach it."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class KernelEntry(NamedTuple):
    """A compiled function that the page may call, and how to come by arguments of it.

    `module` and `name` are where its caller looks it up. `call(rng, events)` calls the public
    function above it with settings drawn from rng, so that about that many events are simulated.
    The types of the arguments are recorded from such a call; tests and benchmarks make more.
    """

    module: str
    name: str
    call: Callable[[np.random.Generator, int], Any]
