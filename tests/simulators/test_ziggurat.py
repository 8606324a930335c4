"""The ziggurats' tables against numpy's, entry by entry.

numpy does not show its tables. They are measured: a state is set so that the next word is the one
to ask about. Each layer's edge shows as the draw of a small word, and the largest word that is
enough by itself, found by bisection, shows what is sure to lie within.
"""

from typing import Any

import numpy as np
import pytest

from tests.simulators.test_draws import state_of
from tunables.simulators import draws
from tunables.simulators.ziggurat import exponential_edges, normal_edges

LAYERS = range(256)
_BACK = pow(0x2360ED051FC65DA44385DF649FCCF645, -1, 2**128)  # undoes a step's product
_BITS: Any = np.random.PCG64(1)
_GENERATOR, _HELD = np.random.Generator(_BITS), _BITS.state
_STEP = _HELD["state"]["inc"]
ZIGGURATS = {
    "standard_exponential": (53, lambda x, layer: x << 11 | layer << 3, exponential_edges),
    "standard_normal": (52, lambda x, layer: x << 9 | layer, normal_edges),
}


def _set_before(word):
    """Set numpy's state so that its next 64 bits are word."""
    state = {"state": (word - _STEP) * _BACK % 2**128, "inc": _STEP}
    _BITS.state = _HELD | {"state": state, "has_uint32": 0, "uinteger": 0}


def numpys(name, word):
    """Return numpy's draw, and whether that word was enough for it."""
    _set_before(word)
    drawn = getattr(_GENERATOR, name)()
    return drawn, _BITS.state["state"]["state"] == word


def ours(name, word):
    """Return our draw, and whether that word was enough for it."""
    _set_before(word)
    state = state_of(_GENERATOR)
    drawn = getattr(draws, name)(state)
    return drawn, state[0] == 0 and state[1] == word


@pytest.mark.parametrize("name", ZIGGURATS)
def test_edges_are_numpys(name):
    size, word, edges = ZIGGURATS[name]
    all_edges = edges()
    # 0 stands for the last layer, 256; in the first no word is enough
    for layer in (0, *LAYERS[2:]):
        drawn, enough = numpys(name, word(1, layer))
        assert enough
        assert all_edges[layer or 256] / 2**size == drawn


def first_refused(drawn, name, layer):
    """Return the least x that is not enough by itself, by bisection."""
    size, word, _ = ZIGGURATS[name]
    low, high = 0, 2**size
    while low < high:
        middle = (low + high) // 2
        if drawn(name, word(middle, layer))[1]:
            low = middle + 1
        else:
            high = middle
    return low


@pytest.mark.parametrize("name", ZIGGURATS)
def test_what_is_sure_differs_from_numpys_less_than_once_in_2_to_50_draws(name):
    size, _, _ = ZIGGURATS[name]
    gaps = [
        abs(first_refused(numpys, name, layer) - first_refused(ours, name, layer))
        for layer in LAYERS
    ]
    assert sum(gaps) / len(gaps) / 2**size < 2**-50
