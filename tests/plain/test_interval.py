"""The interval of a mean, against scipy's."""

import pytest
from scipy import stats

from tunables.plain.interval import confidence_interval


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("samples", [[1.0, 2.0], [3.0, 1.0, 4.0, 1.5, 9.2, 6.5]])
def test_it_is_scipys(samples, level):
    mean, half_width = confidence_interval(samples, level)
    error = stats.sem(samples)
    low, high = stats.t.interval(level, len(samples) - 1, 0.0, error)
    assert mean == pytest.approx(sum(samples) / len(samples), rel=1e-15)
    assert half_width == pytest.approx((high - low) / 2, rel=1e-12)


def test_equal_samples_have_no_width():
    assert confidence_interval([0.1] * 30) == (0.1, 0.0)


@pytest.mark.parametrize(
    ("samples", "level", "message"),
    [
        ([1.0], 0.95, "number of samples = 1: must be a finite number at least 2"),
        ([1.0, float("nan")], 0.95, r"samples\[1\] = nan"),
        ([1.0, 2.0], 1.5, "level = 1.5: must be a finite number above 0 and below 1"),
    ],
)
def test_bad_input(samples, level, message):
    with pytest.raises(ValueError, match=message):
        confidence_interval(samples, level)
