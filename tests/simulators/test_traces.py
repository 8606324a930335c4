import math

import numpy as np
import pytest
from scipy.stats import chisquare

from tunables.simulators.traces import (
    cyclic_trace,
    grown_trace,
    shuffled_trace,
    zigzag_trace,
    zipf_trace,
)

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


def test_a_grown_scan_starts_warm_and_has_the_new_objects_at_the_given_place():
    for entry, scan in (
        (0, [4, 5, 0, 1, 2, 3]),
        (1, [0, 4, 5, 1, 2, 3]),
        (4, [0, 1, 2, 3, 4, 5]),
        ("spread", [0, 4, 1, 5, 2, 3]),
    ):
        trace = grown_trace(4, 6, entry, cycles=2, warm_cycles=3).tolist()
        assert trace == [0, 1, 2, 3] * 3 + scan * 2


def test_spread_objects_have_old_ones_between_them():
    scan = grown_trace(36_562, 40_000, "spread", cycles=1, warm_cycles=1)[36_562:]
    assert sorted(scan.tolist()) == list(range(40_000))
    gaps = np.diff(np.flatnonzero(scan >= 36_562))
    assert gaps.min() >= 11
    assert gaps.max() <= 12


def test_a_scan_that_does_not_grow_is_cyclic():
    grown = grown_trace(5, 5, "spread", cycles=2, warm_cycles=2)
    assert grown.tolist() == cyclic_trace(5, 4).tolist()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 5, 0, 1), "old = 0: must be a whole number at least 1"),
        ((6, 5, 0, 1), "old = 6: .* at most 5"),
        ((3, 5, 4, 1), "entry = 4: .* at most 3"),
        ((3, 5, "middle", 1), "entry = 'middle': must be one of spread"),
        ((3, 5, 0.5, 1), "entry = 0.5: must be a whole number"),
        ((3, 5, 1, 0), "cycles = 0"),
        ((3, 5, 1, 1, 0), "warm_cycles = 0"),
    ],
)
def test_a_scan_that_cannot_grow_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        grown_trace(*arguments)
