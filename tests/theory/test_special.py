"""The incomplete gamma function against scipy."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import gammainc

from tunables.theory.special import regularised_lower_gamma

exact = settings(deadline=None, derandomize=True, max_examples=300)


@exact
@given(st.floats(-3, 4), st.floats(-2, 2))
def test_equals_scipy_over_seven_decades_of_shape(log_shape, log_ratio):
    shape = 10**log_shape
    x = shape * 10**log_ratio
    expected = gammainc(shape, x)
    assert regularised_lower_gamma(shape, x) == pytest.approx(expected, rel=1e-10, abs=1e-290)


@exact
@given(st.floats(0, 4), st.floats(-6, 6))
def test_equals_scipy_near_the_mean_where_both_expansions_meet(log_shape, deviations):
    shape = 10**log_shape
    x = max(shape + deviations * math.sqrt(shape), 0.0)
    assert regularised_lower_gamma(shape, x) == pytest.approx(gammainc(shape, x), rel=1e-9)


@exact
@given(st.floats(0.01, 1e4), st.floats(0, 1e4), st.floats(0, 1e4))
def test_is_a_distribution_function(shape, one, other):
    low, high = sorted((one, other))
    below, above = (regularised_lower_gamma(shape, x) for x in (low, high))
    assert 0 <= below <= above + 1e-10
    assert above <= 1


@pytest.mark.parametrize("x", [0.01, 0.5, 1.0, 3.0, 30.0])
def test_shape_one_is_the_exponential_distribution(x):
    assert regularised_lower_gamma(1, x) == pytest.approx(-math.expm1(-x), rel=1e-14)


def test_a_shape_of_a_million_keeps_eight_digits():
    # by the 50-digit sum of the series; scipy 1.17 has 9.90704016e-07 here
    value = regularised_lower_gamma(825355.7629209069, 821042.8080743701)
    assert value == pytest.approx(9.907057310712390e-07, rel=1e-8)


@pytest.mark.parametrize(
    ("shape", "x", "message"),
    [
        (0, 1, "shape = 0: must be a finite number above 0"),
        (math.nan, 1, "shape = nan: must be a finite number above 0"),
        (1, -0.1, "x = -0.1: must be a finite number at least 0"),
        (1, math.inf, "x = inf: must be a finite number at least 0"),
    ],
)
def test_refuses(shape, x, message):
    with pytest.raises(ValueError, match=message):
        regularised_lower_gamma(shape, x)
