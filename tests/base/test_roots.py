"""Roots and thresholds of functions of one number, against scipy."""

import math

import numpy as np
import pytest
from scipy import optimize

from tunables.base.roots import bisect, root

PROBLEMS = range(100)


def test_roots_agree_with_scipy_also_where_the_function_jumps():
    for seed in PROBLEMS:
        rng = np.random.default_rng(seed)
        zero, steep = rng.uniform(-3, 3), rng.uniform(0.1, 20)
        jump = rng.choice([0.0, 0.5])

        def function(x, zero=zero, steep=steep, jump=jump):
            bend = math.tanh(steep * (x - zero)) + 0.1 * (x - zero) ** 3
            return bend + math.copysign(jump, x - zero)

        found = root(function, -4.0, 5.0, within=1e-11)
        assert found == pytest.approx(optimize.brentq(function, -4.0, 5.0, xtol=1e-12), abs=2e-11)


@pytest.mark.parametrize("end", [-1.0, 2.0])
def test_a_root_may_be_an_end(end):
    assert root(lambda x: x - end, -1.0, 2.0) == end


@pytest.mark.parametrize("values", [(1.0, 2.0), (-1.0, -2.0), (math.nan, 1.0), (1.0, -math.inf)])
def test_a_root_is_asked_for_between_signs(values):
    low, high = values
    with pytest.raises(ValueError, match=r"low, high = 0\.0, 1\.0: must enclose a change of sign"):
        root(lambda x: high if x else low, 0.0, 1.0)


def test_a_threshold_agrees_with_scipy():
    for seed in PROBLEMS:
        rng = np.random.default_rng(seed)
        zero, steep = rng.uniform(-3, 3), rng.uniform(0.1, 20)
        found = bisect(lambda x, zero=zero, steep=steep: steep * (x - zero) ** 3 >= 0, -4.0, 5.0)
        peer = optimize.brentq(lambda x, zero=zero: x - zero, -4.0, 5.0, xtol=1e-15)
        assert found == pytest.approx(peer, abs=1e-12)


@pytest.mark.parametrize(("holds", "found"), [(True, -1.0), (False, 2.0)])
def test_what_always_or_never_holds_gives_an_end(holds, found):
    assert bisect(lambda x: holds, -1.0, 2.0) == found
