"""SHARDS: the exact curve at rate 1, near it at others, and the same sample by whatever chunks."""

import numpy as np
import pytest

from tunables.simulators.caches import miss_ratio_curve, zipf_trace
from tunables.simulators.shards import Sample, sample_chunk, sample_trace, sampled_miss_ratios

TRACE = zipf_trace(20_000, 400_000, 0.8, seed=3)
CAPACITIES = np.array([0, 1, 10, 100, 1000, 5000, 10_000, 20_000])


def ratios(rate, seed=0, trace=TRACE):
    return sampled_miss_ratios(sample_trace([trace], rate, seed), CAPACITIES, rate)


def test_a_sample_of_all_gives_the_exact_curve():
    exact = miss_ratio_curve(TRACE)
    assert ratios(1.0) == pytest.approx(exact[np.minimum(CAPACITIES, len(exact) - 1)], abs=1e-12)


def test_a_tenth_is_near_the_exact_curve_and_a_hundredth_less_near():
    trace = zipf_trace(200_000, 1_000_000, 0.8, seed=4)
    sizes = np.array([2000, 10_000, 50_000, 150_000])
    exact = miss_ratio_curve(trace)[sizes]
    spread = {}
    for rate in (0.1, 0.01):
        off = np.array(
            [
                sampled_miss_ratios(sample_trace([trace], rate, seed), sizes, rate) - exact
                for seed in range(16)
            ]
        )
        spread[rate] = np.sqrt((off**2).mean(axis=0))
        assert (
            np.abs(off.mean(axis=0)) < 4 * off.std(axis=0) / 4
        ).all()  # no bias: 4 of its errors
    assert (spread[0.1] < [0.03, 0.015, 0.01, 0.01]).all()
    assert (spread[0.1] < spread[0.01]).all()


def test_a_sample_is_of_objects_whatever_the_chunks_and_their_type():
    whole = sample_trace([TRACE], 0.1, seed=5)
    assert whole.requests == len(TRACE)
    kept = np.unique(whole.ids)
    assert len(kept) == pytest.approx(0.1 * len(np.unique(TRACE)), rel=0.1)
    assert (whole.ids == TRACE[np.isin(TRACE, kept)]).all()
    chunks = [*np.array_split(TRACE[:-3], 7), TRACE[-3:].tolist()]
    parts = sample_trace(chunks, 0.1, seed=5)
    assert parts.requests == whole.requests
    assert parts.ids.tobytes() == whole.ids.tobytes()
    assert sample_trace([TRACE.astype(np.int32)], 0.1, seed=5).ids.tobytes() == whole.ids.tobytes()
    assert sample_trace([TRACE], 0.1, seed=6).ids.tobytes() != whole.ids.tobytes()


def test_a_larger_rate_keeps_what_a_smaller_one_keeps():
    small, large = (set(sample_chunk(TRACE, rate).tolist()) for rate in (0.02, 0.3))
    assert small < large
    assert small == set(sample_chunk(TRACE, 0.02, seed=0).tolist())
    assert set(sample_chunk([2**63 - 1, -5], 1.0).tolist()) == {2**63 - 1, -5}


@pytest.mark.parametrize("rate", [0, -0.1, 1.1, float("nan"), True, "1"])
def test_a_rate_that_is_no_share_is_refused(rate):
    with pytest.raises(ValueError, match="rate = "):
        sample_chunk(TRACE, rate)


@pytest.mark.parametrize("chunk", [[], [[1, 2]], [0.5], ["a"], [10**30], [float("nan")]])
def test_a_chunk_that_is_no_trace_is_refused(chunk):
    with pytest.raises(ValueError, match="trace = "):
        sample_chunk(chunk, 0.5)


@pytest.mark.parametrize("capacities", [[-1], [float("inf")], [[1]], 3, [10**400]])
def test_capacities_that_make_no_sense_are_refused(capacities):
    with pytest.raises(ValueError, match="capacities"):
        sampled_miss_ratios(Sample(TRACE, len(TRACE)), capacities, 1.0)


def test_nothing_to_sample_is_refused():
    with pytest.raises(ValueError, match="at least one chunk"):
        sample_trace([], 0.5)
    with pytest.raises(ValueError, match="chunks = None: must be an iterable of chunks of a trace"):
        sample_trace(None, 0.5)
    with pytest.raises(ValueError, match="sample = None: must be a Sample from sample_trace"):
        sampled_miss_ratios(None, [1], 0.5)
    with pytest.raises(ValueError, match="use a higher rate"):
        sampled_miss_ratios(Sample(np.empty(0, np.int64), 10), [1], 0.5)
