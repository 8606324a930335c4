"""Each number of a chapter, lab or lesson is what the expression beside it gives."""

import re

import pytest

from tests.chapters.numbers import computed, numbers


def agrees(text: str, value: str) -> bool:
    """Say whether the text ends with the value, and not in a longer number or after a minus."""
    return bool(value) and bool(re.search(rf"(?<![\d.,−]){re.escape(value)}$", text))


@pytest.mark.parametrize("number", numbers(), ids=str)
def test_number(number):
    value = computed(number)
    assert agrees(number.before, value), f"...{number.before[-40:]!r}: {value!r} is computed"


def test_a_number_within_a_longer_one_is_none():
    assert agrees("takes 12.5", "12.5")
    assert not agrees("takes 112.5", "12.5")
    assert not agrees("takes 12.5", "5")
    assert not agrees("gains −12.5", "12.5")
    assert not agrees("takes 12.5", "")
