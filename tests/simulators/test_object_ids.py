import math
from array import array
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.simulators.object_ids import _number_by_hash, _number_in_halves, number_objects

HUGE = 2**63 - 1
exact = settings(deadline=None, derandomize=True, max_examples=60)


def same_objects(ids, trace):
    """Return whether ids distinguish exactly the requests that the trace does."""
    pairs = set(zip(ids.tolist(), trace, strict=True))
    return len(pairs) == len({x for x, _ in pairs}) == len(set(trace))


@exact
@given(
    st.lists(st.integers(-3, 3), min_size=1, max_size=50)
    | st.lists(st.integers(-HUGE - 1, HUGE), min_size=1, max_size=50)
    | st.lists(st.sampled_from([-HUGE - 1, HUGE, 0, 2 * HUGE, 10**40]), min_size=1, max_size=9)
)
def test_any_integers(trace):
    ids, objects = number_objects(trace)
    assert ids.dtype == np.int32
    assert ids.min() >= 0
    assert ids.max() < objects
    assert same_objects(ids, trace)


@exact
@given(st.lists(st.integers(-20, 20) | st.integers(-HUGE - 1, HUGE), min_size=2, max_size=90))
def test_two_threads_with_one_half_each_give_the_same_numbers(trace):
    values = np.array(trace, np.int64)
    ids, halved = np.empty((2, len(trace)), np.int32)
    assert _number_by_hash(values, ids) == _number_in_halves(values, halved) == len({*trace})
    assert ids.tolist() == halved.tolist()


@pytest.mark.parametrize("step", [1, 3, 2**20, 2**40, 2**52, -(2**44) + 1])
def test_many_ids_in_a_pattern(step):
    order = np.random.default_rng(0).integers(0, 4000, size=20_000)
    ids, _ = number_objects(order * step)
    assert same_objects(ids, order.tolist())


def test_ids_that_are_close_index_a_table_directly():
    ids, objects = number_objects(np.array([5_000_000, 5_000_002, 5_000_000]))
    assert ids.tolist() == [0, 2, 0]
    assert objects == 3


DTYPES = ["i1", "u1", ">i4", "u4", "i8", ">i8", "u8", "f2", "f4", "f8", ">f8", object]


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_kind_of_number(dtype):
    trace = [3, 7, 3, 0, 100, 7]
    assert same_objects(number_objects(np.array(trace, dtype=dtype))[0], trace)


@pytest.mark.parametrize(
    "trace",
    [
        [2**63, -1, 2**63 + 1, 2**63],  # in an array these would be rounded to floats
        [2**53, 2**53 + 1, 0.0],
        [2**64, 3.0, 3, 2**64],
        [1e300, -1e300, 1e300, 0.0, -0.0],
        [1e30, 1e300, 1e30],
        np.array([2**64 - 1, 2**64 - 2, 1], np.uint64),  # one and the same number as floats
    ],
)
def test_numbers_that_do_not_fit_stay_distinct(trace):
    assert same_objects(number_objects(trace)[0], trace)


def test_huge_floats_in_an_array():
    trace = np.array([1e300, -1e300, 0.0, -0.0, 1e300])
    assert same_objects(number_objects(trace)[0], trace.tolist())
    unsigned = np.array([2**64 - 1, 0, 2**63, 2**64 - 1], dtype=np.uint64)
    assert same_objects(number_objects(unsigned)[0], unsigned.tolist())


def test_views_and_read_only_arrays():
    trace = np.arange(20) % 7 * 10**12
    trace.flags.writeable = False
    for view in (trace, trace[::2], trace[::-1], range(5), array("q", [4, -4, 4])):
        assert same_objects(number_objects(view)[0], list(view))


@pytest.mark.parametrize(
    "trace",
    [
        [],
        np.array([]),
        3,
        None,
        "123",
        b"123",
        {1, 2},
        {1: 2},
        iter([1, 2]),
        [[1, 2], [3, 4]],
        [[1], [2, 3]],
        np.zeros((2, 2), int),
        ["a", "b"],
        ["1", "2"],
        [1, None],
        [1, 2.5],
        [1, math.nan],
        [math.inf, 1],
        [2**70, math.nan],
        [2**70, True],
        [1, Fraction(1, 2)],
        [1j, 2j],
        [True, False],
        np.array([1.5, 2.0]),
        np.array([np.nan]),
        np.array(["2024-01-01"], dtype="M8[D]"),
    ],
)
def test_bad_traces(trace):
    with pytest.raises(ValueError, match=r"trace = .*: must be a sequence of whole numbers"):
        number_objects(trace)
