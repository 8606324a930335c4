"""Our own logarithms, exponentials and roots against many digits of them."""

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest

from tunables.simulators.elementary import cube_root, exp, log, log1p, power, rounded_log

INF, NAN = math.inf, math.nan
RNG = np.random.default_rng(8)
SPREAD = np.exp(RNG.uniform(-700, 700, 1000))
SHARES = RNG.random(1000)
SMALL = SHARES / 1e9
FUNCTIONS = {
    "log": (log, Decimal.ln, [*SPREAD, *SHARES, *(1 + (SHARES - 0.5) / 1e6), 5e-324, 1e-310]),
    "log1p": (
        log1p,
        lambda x: (1 + x).ln(),
        [*-SHARES, *SHARES, *SPREAD[SPREAD > 1e-30], *SMALL],
    ),
    "exp": (exp, Decimal.exp, [*RNG.uniform(-708, 709, 1000), *-SHARES, *SMALL]),
    "cube_root": (cube_root, lambda x: (x.ln() / 3).exp(), [*SPREAD, *SHARES, 1e-310]),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_within_a_unit_of_the_last_place(name):
    ours, exact, arguments = FUNCTIONS[name]
    with localcontext(prec=60):
        for x in map(float, arguments):
            want = exact(Decimal(x))
            error = float(Decimal(float(ours(x))) - want)
            assert abs(error) < math.ulp(float(want)), x


def test_logarithms_and_powers_are_rounded_to_the_last_bit():
    exponents = 1 / RNG.uniform(0.05, 1, len(SHARES))
    with localcontext(prec=60):
        for x, y in zip(map(float, SHARES), map(float, exponents), strict=True):
            assert rounded_log(x) == float(Decimal(x).ln())
            assert power(x, y) == float((Decimal(x).ln() * Decimal(y)).exp())


def test_at_the_ends():
    assert [log(x) for x in (0.0, 1.0, INF)] == [-INF, 0, INF]
    assert [log1p(x) for x in (-1.0, 0.0, INF)] == [-INF, 0, INF]
    assert [exp(x) for x in (-INF, -746.0, 0.0, 709.9, INF)] == [0, 0, 1, INF, INF]
    assert [cube_root(x) for x in (0.0, 1.0, 8.0, INF)] == [0, 1, 2, INF]
    assert [power(0.0, 0.5), power(1.0, 7.0), power(0.5, 1100.0)] == [0, 1, 0]
    assert all(math.isnan(f(x)) for f in (log, log1p, exp, cube_root) for x in (NAN,))
    assert math.isnan(log(-1.0))
    assert math.isnan(log1p(-1.5))


def test_the_smallest_of_exp_are_a_last_place_off_at_most():
    for x in np.linspace(-745.1, -708, 300):
        assert abs(exp(x) - math.exp(x)) <= 5e-324 + 2e-16 * math.exp(x)
