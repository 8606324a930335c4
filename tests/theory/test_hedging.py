"""Two copies and many leaves: against exponentials, the binomial, and draws one by one."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import binom, norm

from tunables.theory.hedging import (
    any_slow,
    hedged_quantile,
    hedged_tail,
    most_leaves_share,
    slowest_leaf_share,
)


def exponential(time):
    return math.exp(-max(time, 0.0))


def quantile(share):
    return -math.log(share)


@given(st.floats(0.0001, 0.9), st.floats(0, 5))
def test_two_independent_exponentials_have_a_tail_of_twice_the_slope(share, delay):
    """S(t) S(t - d) = exp(-(2 t - d)) beyond the delay, exp(-t) before."""
    t = -math.log(share)
    expected = t if t <= delay else (t + delay) / 2
    found = hedged_quantile(exponential, quantile, share, delay)
    assert found == pytest.approx(expected, rel=1e-9)


def test_at_the_ends_of_shared_it_is_one_copy_or_the_square():
    assert hedged_tail(0.2, 0.3, shared=1) == 0.2
    assert hedged_tail(0.2, 0.3, shared=0) == pytest.approx(0.06)
    assert hedged_quantile(exponential, quantile, 0.01, 0, shared=1) == pytest.approx(
        quantile(0.01)
    )


def test_a_simulation_of_the_copies_agrees():
    rng = np.random.default_rng(1)
    first, second = rng.exponential(size=(2, 400_000))
    same = rng.random(400_000) < 0.2
    latency = np.where(same, first, np.minimum(first, 0.5 + second))
    for share in (0.5, 0.1, 0.01):
        t = hedged_quantile(exponential, quantile, share, 0.5, shared=0.2)
        assert np.mean(latency > t) == pytest.approx(share, rel=0.05)


def test_the_figure_of_the_article():
    """Page 77: 1 in 100 and 100 servers 0.63; 1 in 10,000 and 2,000 servers 0.18."""
    assert round(any_slow(100, 0.01), 2) == 0.63
    assert round(any_slow(2000, 0.0001), 2) == 0.18


@given(st.integers(1, 10_000), st.floats(0.001, 0.999))
def test_the_slowest_leaf_is_the_inverse_of_any_slow(leaves, share):
    assert any_slow(leaves, slowest_leaf_share(share, leaves)) == pytest.approx(share, rel=1e-6)


@settings(deadline=None)
@given(st.integers(2, 99), st.floats(0.01, 0.9))
def test_most_of_a_few_leaves_is_the_binomial(leaves, share):
    missing = leaves - math.ceil(0.95 * leaves - 1e-9)
    slow = most_leaves_share(share, leaves, float(norm.isf(share)))
    assert binom.sf(missing, leaves, slow) == pytest.approx(share, rel=1e-6)


@pytest.mark.parametrize("leaves", [200, 1733, 10_000])
@pytest.mark.parametrize("share", [0.5, 0.05, 0.01])
def test_most_of_many_leaves_is_nearly_the_binomial(leaves, share):
    slow = most_leaves_share(share, leaves, float(norm.isf(share)))
    missing = leaves - math.ceil(0.95 * leaves)
    exact = brentq(lambda s: binom.sf(missing, leaves, s) - share, 1e-6, 0.5)
    assert slow == pytest.approx(exact, abs=2.5 / leaves)


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (hedged_tail, (1.1, 0.5), "first = 1.1"),
        (hedged_tail, (0.5, -1), "second = -1"),
        (hedged_tail, (0.5, 0.5, 2), "shared = 2"),
        (hedged_quantile, (exponential, quantile, 0, 1), "share = 0"),
        (hedged_quantile, (exponential, quantile, 0.1, -1), "delay = -1"),
        (hedged_quantile, (exponential, quantile, 0.1, 1, 2), "shared = 2"),
        (any_slow, (0, 0.1), "servers = 0"),
        (any_slow, (10, 2), "slow = 2"),
        (slowest_leaf_share, (1, 10), "share = 1"),
        (slowest_leaf_share, (0.5, 2.5), "leaves = 2.5"),
        (most_leaves_share, (0.5, 10, 0, 1), "waited_for = 1"),
        (most_leaves_share, (0.5, 1000, math.nan), "z = nan"),
    ],
)
def test_bad_input(function, arguments, message):
    with pytest.raises(ValueError, match=message):
        function(*arguments)
