"""The points of lab 1."""

import pytest

from tunables.measure.group_commit import bracketed, point


def test_point_counts():
    measured = point(0.001, 16, 1000, 2.0, 100, 0.5, emulated_flush_s=0.004)
    assert measured.commits_per_s == 500
    assert measured.commits_per_flush == 10
    assert measured.flush_s == 0.005
    assert measured.emulated_flush_s == 0.004


@pytest.mark.parametrize(("commits", "flushes"), [(0, 5), (5, 0)])
def test_a_run_without_commits_or_flushes_is_no_point(commits, flushes):
    with pytest.raises(RuntimeError, match="too short"):
        point(0.0, 1, commits, 0.01, flushes, 0.0)


def test_every_delay_has_a_baseline_on_both_sides():
    order = bracketed([0.001, 0.005, 0.025])
    assert order == [0, 0.001, 0, 0.005, 0, 0.025, 0]


@pytest.mark.parametrize(
    ("delays_s", "message"),
    [
        ([], r"delays_s = \[\]: must be a non-empty"),
        ([0.001, -0.001], r"delays_s\[1\] = -0.001"),
        ([float("nan")], r"delays_s\[0\] = nan"),
        ("0.001", "delays_s = '0.001'"),
    ],
)
def test_bad_delays(delays_s, message):
    with pytest.raises(ValueError, match=message):
        bracketed(delays_s)
