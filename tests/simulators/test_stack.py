import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.simulators.caches_reference import plain_stack_distances
from tunables.simulators.object_ids import number_objects
from tunables.simulators.stack import (
    _bit_count,
    _depths,
    _depths_in_halves,
    miss_ratio_curve,
    stack_distances,
)
from tunables.simulators.traces import cyclic_trace, shuffled_trace, zipf_trace

exact = settings(deadline=None, derandomize=True, max_examples=100)
traces = st.lists(st.integers(0, 30), min_size=1, max_size=200)


def test_textbook_trace():
    # Mattson et al.'s stack of a b c b a c d a
    distances = stack_distances([ord(letter) for letter in "abcbacda"])
    assert distances.tolist() == [0, 0, 0, 2, 3, 3, 0, 3]


@exact
@given(traces)
def test_same_as_a_list_of_the_last_used(trace):
    assert stack_distances(trace).tolist() == plain_stack_distances(trace)


@exact
@given(traces, st.sampled_from([32, 64, 96]))
def test_same_on_a_line_so_short_that_it_fills_again_and_again(trace, length):
    ids, objects = number_objects(trace)
    depths = _depths(ids, objects, length, np.empty(len(ids), np.int32))
    assert depths.tolist() == plain_stack_distances(trace)


@exact
@given(st.lists(st.integers(0, 30), min_size=2, max_size=200), st.sampled_from([32, 64, 96]))
def test_same_when_two_threads_take_one_half_each(trace, length):
    ids, objects = number_objects(trace)
    depths = _depths_in_halves(ids, objects, length, np.empty(len(ids), np.int32))
    assert depths.tolist() == plain_stack_distances(trace)


@pytest.mark.parametrize("spread", [1, 7919**3])
def test_a_long_trace_has_the_same_depths_and_curve_on_one_thread(spread, monkeypatch):
    trace = zipf_trace(5000, 600_000, 0.8, seed=1).astype(np.int64) * spread
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    depths, curve = stack_distances(trace), miss_ratio_curve(trace)
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    assert stack_distances(trace).tobytes() == depths.tobytes()
    assert miss_ratio_curve(trace).tobytes() == curve.tobytes()


@pytest.mark.parametrize("objects", [3, 33, 700])
def test_same_on_a_trace_longer_than_the_line(objects):
    trace = zipf_trace(objects, 6000, 0.8, seed=objects)
    assert stack_distances(trace).tolist() == plain_stack_distances(trace.tolist())


@exact
@given(st.integers(0, 2**32 - 1))
def test_bit_count(word):
    assert _bit_count(word) == word.bit_count()


@exact
@given(traces)
def test_the_curve_falls_from_all_misses_to_the_cold_ones(trace):
    curve = miss_ratio_curve(trace)
    distinct = len(set(trace))
    assert curve.shape == (distinct + 1,)
    assert curve[0] == 1
    assert curve[-1] == distinct / len(trace)
    assert (np.diff(curve) <= 0).all()


def test_cyclic_scan_over_as_many_objects_as_the_document_fits():
    trace = cyclic_trace(90_000, 50)
    curve = miss_ratio_curve(trace)
    assert curve[90_000] == 0.02
    assert (curve[:90_000] == 1).all()


def test_each_object_is_counted_once_within_a_shuffled_cycle():
    distances = stack_distances(shuffled_trace(1000, 5, seed=1)).reshape(5, 1000)
    assert (distances[0] == 0).all()
    # the last request of a cycle has seen all the others since, the first at least none
    assert (distances[1:, -1] == 1000).all()
    assert (distances[1:] <= 1000).all()
    assert (distances[1:] >= np.arange(1, 1001)).all()


@pytest.mark.parametrize("trace", [[], [1.5], [[1]], None, "ab", [np.nan]])
def test_bad_traces(trace):
    for function in (stack_distances, miss_ratio_curve):
        with pytest.raises(ValueError, match="trace"):
            function(trace)
