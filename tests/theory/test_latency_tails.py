"""A tail from percentiles: through its points, the inverse of itself, and what is refused."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunables.theory.latency_tails import tail_at, tail_points, time_at

PERCENTILES = [(19.0, 0.5), (38.0, 0.1), (67.0, 0.01), (98.0, 0.001)]


@pytest.mark.parametrize("power_from", [math.inf, 38.0])
def test_it_goes_through_its_points(power_from):
    points = tail_points(PERCENTILES, floor=12.0)
    for time, share in points:
        assert tail_at(points, time, power_from) == pytest.approx(share)
        assert time_at(points, share, power_from) == pytest.approx(time)


@given(st.floats(1e-9, 1.0), st.sampled_from([math.inf, 38.0]))
def test_time_and_share_are_inverse_to_each_other(share, power_from):
    points = tail_points(PERCENTILES, floor=12.0)
    time = time_at(points, share, power_from)
    assert tail_at(points, time, power_from) == pytest.approx(share, rel=1e-9)


def test_the_middle_of_an_exponential_piece_is_the_geometric_mean_of_its_ends():
    points = tail_points([(10.0, 0.1), (20.0, 0.001)])
    assert tail_at(points, 15.0) == pytest.approx(0.01)
    assert tail_at(points, 30.0) == pytest.approx(1e-5)  # beyond the last


def test_a_power_loses_the_same_factor_with_every_doubling():
    points = tail_points([(5.0, 0.05), (10.0, 0.01)])
    assert tail_at(points, 20.0, power_from=5.0) == pytest.approx(0.002)


@pytest.mark.parametrize(
    ("percentiles", "floor", "message"),
    [
        ([], 0, r"percentiles = \[\]"),
        ([(5.0, 0.5), (4.0, 0.1)], 0, r"time of a percentile = 4\.0: .* above 5"),
        ([(5.0, 0.5), (6.0, 0.5)], 0, r"share of a percentile = 0\.5: .* below 0\.5"),
        ([(5.0, 0.5)], 5, r"time of a percentile = 5\.0: .* above 5"),
        ([(5.0, 0.0)], 0, r"share of a percentile = 0\.0: .* above 0"),
        ([(5.0, 0.5, 1.0)], 0, "a pair"),
        ([(5.0, 0.5)], -1, "floor = -1"),
    ],
)
def test_bad_input(percentiles, floor, message):
    with pytest.raises(ValueError, match=message):
        tail_points(percentiles, floor)
