"""Functions that draw many times from a seed, and a module of them: python -m ... FOLDER."""

import json
import sys
from pathlib import Path

import numpy as np
from numba import njit, typeof

from kernels.compiling import compile_object
from kernels.linking import link
from tunables.simulators import draws

COUNT = 1_000_000
CASES = {
    "random": ("random", None),
    "standard_exponential": ("standard_exponential", None),
    "standard_normal": ("standard_normal", None),
    "gamma": ("standard_gamma", 2.5),
    "gamma_below_1": ("standard_gamma", 0.3),
    "integers": ("integers", 1000),
    "large_integers": ("integers", 2**40 + 1),
    "geometric": ("geometric", 0.01),
    "often_geometric": ("geometric", 0.5),
    "poisson": ("poisson", 5.0),
    "large_poisson": ("poisson", 3e5),
}


def filler(name):
    """Return a function (seed, n) -> n draws and the state after them."""
    draw_name, parameter = CASES[name]
    draw, new_state = getattr(draws, draw_name), draws.new_state
    if parameter is None:
        one = draw
    else:

        @njit
        def one(state):
            return draw(state, parameter)

    @njit
    def fill(seed, n):
        state, drawn = new_state(seed), np.empty(n)
        for i in range(n):
            drawn[i] = one(state)
        return drawn, state

    return fill


@njit
def shuffled(seed, n):
    """Return 0 ... n - 1 in a random order, and the state after it."""
    state, items = draws.new_state(seed), np.arange(n)
    draws.shuffle(state, items)
    return items, state


FILLERS = {name: filler(name) for name in CASES} | {"shuffle": shuffled}

if __name__ == "__main__":
    kinds = [typeof(0), typeof(0)]
    code, table = compile_object({name: (fill, kinds) for name, fill in FILLERS.items()})
    folder = Path(sys.argv[1])
    (folder / "kernels.wasm").write_bytes(link(code, table))
    (folder / "table.json").write_text(json.dumps({"entries": table}))
