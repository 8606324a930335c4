"""Chapter 99: what its words say of the till."""

import pytest

from tunables.core.registry import find_case


def test_the_busy_hour_is_missed_by_more_than_the_digits_allow():
    case = find_case("SLUG")
    busy = case.numbers[1]
    assert case.answer(busy) == pytest.approx(6.0)
    assert abs(case.answer(busy) - busy.value) > busy.resolution / 2


def test_the_simulation_agrees_with_the_closed_form():
    case = find_case("SLUG")
    mean, half_width = case.simulate(1, **case.settings())["time_min"]
    assert abs(mean - 3.0) < 2 * half_width
