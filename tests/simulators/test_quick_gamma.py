"""The quick gamma draws against numpy's."""

import numpy as np
import pytest

from tunables.simulators.compiled import compiled
from tunables.simulators.draws import from_seed
from tunables.simulators.quick_gamma import quick_gamma


@compiled
def _fill(state, shape, drawn):
    for i in range(len(drawn)):
        drawn[i] = quick_gamma(state, shape)


@pytest.mark.parametrize("shape", [0.0, 0.2, 0.5, 0.8, 0.99, 1.0, 2.5])
def test_they_are_numpys_but_for_the_last_digits(shape):
    drawn, rng = np.empty(1_000_000), np.random.default_rng(11)
    _fill(from_seed(11), shape, drawn)
    numpys = rng.standard_gamma(shape, len(drawn))
    assert (np.abs(drawn - numpys) <= 1e-13 * numpys).all()
