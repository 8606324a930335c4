"""Retried queries: against their reference and the closed forms of their means and quantiles."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.simulators.queries import queries_reference, simulate_queries
from tunables.theory.retries import retry_quantile


@settings(deadline=None, derandomize=True, max_examples=80)
@given(
    st.sampled_from([0.0, 0.3, 0.9, 1.0]),
    st.sampled_from([0.1, 0.5, 1.0]),
    st.integers(0, 12),
    st.floats(0, 0.1),
    st.sampled_from([(0, 0), (0.1, 8), (1, 0.3), (0.1, 0)]),
    st.integers(0, 99),
)
def test_kernel_equals_reference_bit_for_bit(p, timeout_s, retries, reply_s, backoff, seed):
    arguments = (p, timeout_s, retries, reply_s, *backoff)
    fast = simulate_queries(*arguments, queries=40, seed=seed)
    plain = queries_reference(*arguments, queries=40, seed=seed)
    for series, expected in zip(fast, plain, strict=True):
        assert series.tolist() == expected.tolist()


@pytest.mark.parametrize("q", [0.5, 0.85, 0.95, 0.995])
def test_quantiles_jump_as_the_closed_form_says(q):
    latency_s = simulate_queries(0.2, 1.0, 3, 0.05, queries=40_000, seed=1).latency_s
    found = float(np.quantile(latency_s, q, method="inverted_cdf"))
    assert found == retry_quantile(q, 0.2, 1.0, 3, 0.05)


def test_same_seed_same_draws():
    first, again, other = (simulate_queries(0.5, 1.0, 3, seed=seed) for seed in (4, 4, 5))
    assert (first.latency_s == again.latency_s).all()
    assert (first.latency_s != other.latency_s).any()


@pytest.mark.parametrize(
    ("argument", "value", "message"),
    [
        ("failure_probability", 1.1, "failure_probability = 1.1"),
        ("timeout_s", 0, "timeout_s = 0: must be a finite number above 0"),
        ("retries", 1.5, "retries = 1.5: must be a whole number"),
        ("reply_s", 2.0, "reply_s = 2.0: must be a finite number at least 0 and at most 1"),
        ("backoff_base_s", -1, "backoff_base_s = -1"),
        ("backoff_cap_s", float("nan"), "backoff_cap_s = nan"),
        ("queries", 0, "queries = 0"),
        ("seed", -1, "seed = -1"),
    ],
)
@pytest.mark.parametrize("simulator", [simulate_queries, queries_reference])
def test_bad_input(simulator, argument, value, message):
    given_ = {"failure_probability": 0.5, "timeout_s": 1.0, "retries": 3}
    with pytest.raises(ValueError, match=message):
        simulator(**given_ | {argument: value})


def test_an_integral_float_of_retries_is_the_integer():
    draws, same = (simulate_queries(0.5, 1.0, retries, queries=50) for retries in (3.0, 3))
    for one, other in zip(draws, same, strict=True):
        np.testing.assert_array_equal(one, other)
