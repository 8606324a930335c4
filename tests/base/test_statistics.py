"""Student's t against scipy's."""

import math

import pytest
from scipy import stats
from scipy.special import stdtrit

from tunables.base.statistics import confidence_interval, student_t

LEVELS = [0.01, 0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 0.9999]


@pytest.mark.sampled
@pytest.mark.parametrize("level", LEVELS)
def test_it_agrees_with_scipy(level):
    for df in range(1, 1002):
        want = stdtrit(df, (1 + level) / 2)
        assert student_t(level, df) == pytest.approx(want, rel=1e-12, abs=0), df


def test_it_loses_digits_to_the_many_runs():
    for df in (1002, 5000, 10**6):
        want = stdtrit(df, 0.975)
        assert student_t(0.95, df) == pytest.approx(want, rel=1e-15 * df, abs=0), df


@pytest.mark.parametrize("level", [1e-6, *LEVELS, 1 - 1e-9])
def test_one_and_two_degrees_of_freedom_have_closed_forms(level):
    cauchy = math.tan(math.pi * level / 2)
    assert student_t(level, 1) == pytest.approx(cauchy, rel=3e-15 / min(level, 1 - level), abs=0)
    two = level * math.sqrt(2 / ((1 - level) * (1 + level)))
    assert student_t(level, 2) == pytest.approx(two, rel=1e-15 / level + 1e-14, abs=0)


@pytest.mark.parametrize(
    ("level", "df", "message"),
    [
        (0.0, 5, "level = 0.0: must be a finite number above 0"),
        (1.0, 5, "level = 1.0: must be a finite number above 0 and below 1"),
        (0.95, 0, "df = 0: must be a whole number at least 1"),
        (0.95, 2.5, "df = 2.5: must be a whole number"),
    ],
)
def test_bad_input(level, df, message):
    with pytest.raises(ValueError, match=message):
        student_t(level, df)


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("samples", [[1.0, 2.0], [3.0, 1.0, 4.0, 1.5, 9.2, 6.5]])
def test_the_interval_agrees_with_scipy(samples, level):
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
def test_bad_input_interval(samples, level, message):
    with pytest.raises(ValueError, match=message):
        confidence_interval(samples, level)
