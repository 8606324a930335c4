"""Closed group commit: against its reference, the closed form, and Little's law."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.simulators.group_commits import (
    scenario,
    simulate_group_commits,
    trace_group_commits,
)
from tunables.simulators.group_commits_reference import group_commits_reference
from tunables.theory.group_commit import closed_group_commit


@settings(deadline=None, derandomize=True, max_examples=200)
@given(
    st.integers(1, 20),
    st.sampled_from([0.001, 0.005]),
    st.sampled_from([0.0, 0.001, 0.005, 0.02]),
    st.sampled_from([0.0, 0.001, 0.005, 0.03]),
    st.integers(1, 300),
    st.sampled_from([0.0, 0.001, 1.0]),
    st.integers(0, 99),
)
def test_kernel_reference_and_trace_agree_bit_for_bit(n, f, d, z, commits, spread, seed):
    """Times that are 0 or multiples of each other make events coincide, so ties are tested too."""
    more = {"commits": commits, "spread": spread, "seed": seed}
    *results, expected = group_commits_reference(*scenario(n, f, d, z, **more))
    assert list(simulate_group_commits(n, f, d, z, **more)) == results
    trace = trace_group_commits(n, f, d, z, **more)
    assert list(zip(*(column.tolist() for column in trace[1:]), strict=True)) == expected
    latencies = (trace.ended_s - trace.asked_s).tolist()
    total_s = 0.0
    for latency_s in latencies:
        total_s += latency_s
    assert [trace.rows / trace.ended_s[-1], total_s / trace.rows] == results
    short = trace_group_commits(n, f, d, z, rows=5, **more)
    assert short.rows == trace.rows
    assert short.flush.tolist() == trace.flush[:5].tolist()


@pytest.mark.parametrize("spread", [0.0, 0.001])
@pytest.mark.parametrize(
    ("n", "flush_s", "delay_s", "think_s"),
    [
        (16, 0.005, 0.0, 0.0), (16, 0.005, 0.001, 0.0), (16, 0.005, 0.005, 0.0),
        (16, 0.005, 0.025, 0.0), (16, 0.005, 0.001, 0.0005), (16, 0.005, 0.004, 0.002),
        (16, 0.005, 0.0, 0.004), (2, 0.005, 0.0, 0.0), (1, 0.005, 0.002, 0.01),
        (100, 0.001, 0.0003, 0.0001),
    ],
)  # fmt: skip
def test_it_is_the_closed_form(n, flush_s, delay_s, think_s, spread):
    rate, latency_s = simulate_group_commits(
        n, flush_s, delay_s, think_s, commits=40_000, spread=spread
    )
    assert rate == pytest.approx(closed_group_commit(n, flush_s, delay_s, think_s), rel=0.002)
    assert n == pytest.approx(rate * (latency_s + think_s), rel=0.005)  # Little's law


def test_without_a_delay_two_cohorts_take_turns_and_with_one_all_share():
    alone = trace_group_commits(16, 0.005, 0.0, commits=64)
    together = trace_group_commits(16, 0.005, 0.001, commits=64)
    sizes = [[flushes.count(k) for k in range(4)] for flushes in
             (alone.flush.tolist(), together.flush.tolist())]  # fmt: skip
    assert sizes == [[1, 15, 1, 15], [16, 16, 16, 16]]


def test_the_same_seed_gives_the_same_run():
    first, again, other = (
        simulate_group_commits(5, 0.005, 0.001, 0.01, spread=1, seed=seed) for seed in (4, 4, 5)
    )
    assert first == again != other


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"customers": 0}, "customers = 0"),
        ({"flush_time_s": 0}, "flush_time_s = 0"),
        ({"max_delay_s": -1}, "max_delay_s = -1"),
        ({"think_time_s": math.nan}, "think_time_s = nan"),
        ({"commits": 1.5}, "commits = 1.5"),
        ({"spread": 2}, "spread = 2"),
        ({"seed": -1}, "seed = -1"),
        ({"rows": -1}, "rows = -1"),
        ({"commits": 10**9}, "commits [+] customers = 1000000016"),
    ],
)
def test_bad_input(changes, message):
    usual = {"customers": 16, "flush_time_s": 0.005, "max_delay_s": 0.001}
    with pytest.raises(ValueError, match=message):
        trace_group_commits(**usual | changes)
    if "rows" not in changes:
        with pytest.raises(ValueError, match=message):
            simulate_group_commits(**usual | changes)
