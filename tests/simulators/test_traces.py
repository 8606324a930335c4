import math

import numpy as np
import pytest
from scipy.stats import chisquare

from tunables.simulators.traces import cyclic_trace, shuffled_trace, zigzag_trace, zipf_trace

SCANS = [cyclic_trace, zigzag_trace, lambda objects, cycles: shuffled_trace(objects, cycles, 5)]


@pytest.mark.parametrize("scan", SCANS)
def test_each_cycle_asks_once_for_each_object(scan):
    trace = scan(7, 5)
    assert trace.shape == (35,)
    assert np.issubdtype(trace.dtype, np.integer)
    assert (np.sort(trace.reshape(5, 7), axis=1) == np.arange(7)).all()


def test_the_orders():
    assert cyclic_trace(3, 3).tolist() == [0, 1, 2, 0, 1, 2, 0, 1, 2]
    assert zigzag_trace(3, 4).tolist() == [0, 1, 2, 2, 1, 0, 0, 1, 2, 2, 1, 0]
    assert zigzag_trace(1, 2).tolist() == [0, 0]


def test_shuffled_orders_are_all_alike():
    orders = shuffled_trace(3, 6000, seed=1).reshape(-1, 3) @ [9, 3, 1]
    counts = np.unique(orders, return_counts=True)[1]
    assert len(counts) == 6
    assert chisquare(counts).pvalue > 0.001


def test_zipf_frequencies():
    weights = np.arange(1, 51) ** -0.8
    counts = np.bincount(zipf_trace(50, 200_000, 0.8, seed=2), minlength=50)
    assert chisquare(counts, 200_000 * weights / weights.sum()).pvalue > 0.001


def test_zipf_with_exponent_0_is_uniform():
    counts = np.bincount(zipf_trace(20, 100_000, 0, seed=3), minlength=20)
    assert chisquare(counts).pvalue > 0.001


def test_requests_are_independent():
    trace = zipf_trace(4, 100_000, 0.8, seed=4)
    pairs = np.bincount(4 * trace[:-1:2] + trace[1::2], minlength=16)
    weights = np.arange(1, 5) ** -0.8
    weights /= weights.sum()
    assert chisquare(pairs, 50_000 * np.outer(weights, weights).ravel()).pvalue > 0.001


def test_the_seed_decides():
    for trace in (
        lambda seed: zipf_trace(1000, 500, 0.8, seed),
        lambda seed: shuffled_trace(500, 2, seed),
    ):
        assert trace(1).tobytes() == trace(1).tobytes()
        assert trace(1).tobytes() != trace(2).tobytes()


BAD = [math.nan, math.inf, -1, 0, 2.5, None, "3", [3]]


@pytest.mark.parametrize("value", BAD)
def test_bad_counts(value):
    for scan in SCANS:
        with pytest.raises(ValueError, match="objects"):
            scan(value, 2)
        with pytest.raises(ValueError, match="cycles"):
            scan(2, value)
    with pytest.raises(ValueError, match="objects"):
        zipf_trace(value, 10, 0.8, 1)
    with pytest.raises(ValueError, match="requests"):
        zipf_trace(10, value, 0.8, 1)


def test_too_many_objects():
    for scan in SCANS:
        with pytest.raises(ValueError, match="objects"):
            scan(2**31, 1)


@pytest.mark.parametrize("value", [math.nan, math.inf, -0.1, None, "1"])
def test_bad_exponent(value):
    with pytest.raises(ValueError, match="exponent"):
        zipf_trace(10, 10, value, 1)


@pytest.mark.parametrize("value", [math.nan, -1, 2.5, None, "3"])
def test_bad_seed(value):
    with pytest.raises(ValueError, match="seed"):
        zipf_trace(10, 10, 0.8, value)
    with pytest.raises(ValueError, match="seed"):
        shuffled_trace(10, 10, value)
