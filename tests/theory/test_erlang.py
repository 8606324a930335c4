"""Erlang's formulas against the Poisson distribution."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import poisson

from tunables.theory.erlang import erlang_b, erlang_c

quick = settings(deadline=None, derandomize=True, max_examples=60)


@quick
@given(st.integers(0, 60), st.floats(0.01, 80))
def test_erlang_b_is_a_truncated_poisson(servers, load):
    expected = poisson.pmf(servers, load) / poisson.cdf(servers, load)
    assert erlang_b(servers, load) == pytest.approx(expected, rel=1e-9)


@quick
@given(st.integers(1, 60), st.floats(0.01, 0.999))
def test_erlang_c_from_poisson(servers, utilisation):
    load = servers * utilisation
    full = poisson.pmf(servers, load)
    expected = full / (full + (1 - utilisation) * poisson.cdf(servers - 1, load))
    assert erlang_c(servers, load) == pytest.approx(expected, rel=1e-9)


def test_known_values():
    assert erlang_c(2, 1) == pytest.approx(1 / 3)
    assert erlang_c(1, 0.8) == pytest.approx(0.8)
    assert 1 + erlang_c(1, 0.8) / (1 - 0.8) == pytest.approx(5)  # M/M/1 response, service 1
    assert erlang_b(0, 3.0) == 1.0
    assert erlang_b(5, 0.0) == erlang_c(5, 0.0) == 0.0
    assert erlang_c(3, 3) == erlang_c(3, 70) == 1.0


@pytest.mark.parametrize("function", [erlang_b, erlang_c])
@pytest.mark.parametrize(
    ("servers", "load", "message"),
    [
        (-1, 1.0, "servers = -1"),
        (1.5, 1.0, "servers = 1.5"),
        (2, -0.1, "offered_load = -0.1"),
        (2, math.nan, "offered_load = nan"),
        (2, "1", "offered_load = '1'"),
    ],
)
def test_bad_input(function, servers, load, message):
    with pytest.raises(ValueError, match=message):
        function(servers, load)


def test_erlang_c_needs_a_server():
    with pytest.raises(ValueError, match="servers = 0: must be a whole number at least 1"):
        erlang_c(0, 0.5)
