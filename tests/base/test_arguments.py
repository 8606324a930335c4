import math
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.base.arguments import choice, integer, number, numbers

NOT_NUMBERS = [math.nan, math.inf, -math.inf, None, "3", b"3", True, [1], 1j, 10**400]


@pytest.mark.parametrize("value", NOT_NUMBERS)
def test_number_refuses_what_is_not_a_finite_number(value):
    with pytest.raises(ValueError, match=r"delay_s = .*: must be a finite number"):
        number("delay_s", value)


@pytest.mark.parametrize("value", [*NOT_NUMBERS, 2.5, Fraction(1, 2), -1, 1e-300])
def test_whole_refuses_what_is_not_a_whole_number_at_least_0(value):
    with pytest.raises(ValueError, match=r"objects = .*: must be a whole number at least 0"):
        integer("objects", value)


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
@given(st.floats(-1e30, 1e30) | st.integers(-(2**53), 2**53))
def test_number_returns_a_float_of_the_same_value(value):
    result = number("x", value)
    assert type(result) is float
    assert result == value


@settings(deadline=None, derandomize=True)
@given(st.integers(0, 10**100))
def test_whole_keeps_every_digit(value):
    assert integer("x", value) == value


@pytest.mark.parametrize(
    ("value", "bounds", "allowed"),
    [
        (1e31, {}, "a finite number, from 1e-30 to 1e+30 in magnitude"),
        (-1e308, {}, "a finite number, from 1e-30 to 1e+30 in magnitude"),
        (1e308, {"above": 0}, "a finite number above 0, from 1e-30 to 1e+30 in magnitude"),
        (5e-324, {"above": 0}, "a finite number above 0, from 1e-30 to 1e+30 in magnitude"),
        (1e308, {"at_least": 0, "at_most": 9}, "a finite number at least 0 and at most 9"),
        (-1e-308, {"above": 0}, "a finite number above 0"),
    ],
)
def test_number_refuses_sizes_that_cannot_be_measured(value, bounds, allowed):
    with pytest.raises(ValueError, match=re.escape(f"x = {value}: must be {allowed}") + "$"):
        number("x", value, **bounds)


def test_number_keeps_what_is_small_where_0_is_allowed_too():
    assert number("x", 5e-324, at_least=0) == 5e-324


def test_whole_refuses_what_no_count_and_no_seed_is():
    assert integer("seed", 2**128 - 1) == 2**128 - 1
    with pytest.raises(ValueError, match=r"x = 1e\+101: must be .* at most 1e\+100"):
        integer("x", 1e101)


def test_a_refusal_repeats_the_value_shortened():
    with pytest.raises(ValueError, match="must be a finite number") as refused:
        number("x", list(range(10_000)))
    assert len(str(refused.value)) < 200


def test_whole_accepts_a_whole_float_and_returns_an_int():
    for value in (40_000.0, np.float64(40_000), np.int32(40_000), Fraction(40_000)):
        result = integer("objects", value)
        assert type(result) is int
        assert result == 40_000


def test_whole_holds_its_bounds():
    assert integer("x", 3, at_least=3, at_most=3) == 3
    for value in (2, 4):
        with pytest.raises(ValueError, match="at least 3 and at most 3"):
            integer("x", value, at_least=3, at_most=3)


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
