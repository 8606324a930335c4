import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.arguments import choice, number, numbers, whole

NOT_NUMBERS = [math.nan, math.inf, -math.inf, None, "3", b"3", True, [1], 1j, 10**400]


@pytest.mark.parametrize("value", NOT_NUMBERS)
def test_number_refuses_what_is_not_a_finite_number(value):
    with pytest.raises(ValueError, match=r"delay_s = .*: must be a finite number"):
        number("delay_s", value)


@pytest.mark.parametrize("value", [*NOT_NUMBERS, 2.5, Fraction(1, 2), -1, 1e-300])
def test_whole_refuses_what_is_not_a_whole_number_at_least_0(value):
    with pytest.raises(ValueError, match=r"objects = .*: must be a whole number at least 0"):
        whole("objects", value)


@pytest.mark.parametrize(
    ("bounds", "inside", "outside", "words"),
    [
        ({"at_least": 2}, 2, 1.999, "at least 2"),
        ({"above": 2}, 2.001, 2, "above 2"),
        ({"at_most": 2}, 2, 2.001, "at most 2"),
        ({"below": 2}, 1.999, 2, "below 2"),
        ({"at_least": 0, "at_most": 1}, 0.5, 1.5, "at least 0 and at most 1"),
    ],
)
def test_number_holds_its_bounds_and_names_them(bounds, inside, outside, words):
    assert number("x", inside, **bounds) == inside
    with pytest.raises(ValueError, match=f"x = {outside}: must be a finite number {words}"):
        number("x", outside, **bounds)


@settings(deadline=None, derandomize=True)
@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**53), 2**53))
def test_number_returns_a_float_of_the_same_value(value):
    result = number("x", value)
    assert type(result) is float
    assert result == value


@settings(deadline=None, derandomize=True)
@given(st.integers(0, 10**300))
def test_whole_keeps_every_digit(value):
    assert whole("x", value) == value


def test_whole_accepts_a_whole_float_and_returns_an_int():
    for value in (40_000.0, np.float64(40_000), np.int32(40_000), Fraction(40_000)):
        result = whole("objects", value)
        assert type(result) is int
        assert result == 40_000


def test_whole_holds_its_bounds():
    assert whole("x", 3, at_least=3, at_most=3) == 3
    for value in (2, 4):
        with pytest.raises(ValueError, match="at least 3 and at most 3"):
            whole("x", value, at_least=3, at_most=3)


@pytest.mark.parametrize("value", ["lruu", "LRU", "", None, 3, ["lru"]])
def test_choice_refuses_an_unknown_name_and_lists_the_known(value):
    with pytest.raises(ValueError, match=r"policy = .*: must be one of fifo, lru"):
        choice("policy", value, ["fifo", "lru"])


def test_choice_returns_the_name():
    assert choice("policy", "lru", ["fifo", "lru"]) == "lru"


@pytest.mark.parametrize("value", [[], (), None, 3, "12", b"12", {1: 2}, iter([])])
def test_numbers_refuses_what_is_not_a_sequence_of_numbers(value):
    with pytest.raises(ValueError, match=r"sizes = .*: must be a non-empty sequence of numbers"):
        numbers("sizes", value)


@pytest.mark.parametrize("item", [*NOT_NUMBERS, -1])
def test_numbers_names_the_item_at_fault(item):
    with pytest.raises(ValueError, match=r"sizes\[1\] = .*: must be a finite number at least 0"):
        numbers("sizes", [1, item, 2], at_least=0)


def test_numbers_returns_a_list_of_floats():
    for values in ([1, 2.5], (1, 2.5), np.array([1, 2.5]), iter([1, 2.5])):
        result = numbers("sizes", values)
        assert result == [1.0, 2.5]
        assert [type(value) for value in result] == [float, float]
