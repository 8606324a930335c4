"""Numbers as text: against Python's decimal arithmetic."""

import random
from decimal import ROUND_HALF_UP, Context, Decimal

import pytest

from tunables.base.numbers_as_text import significant


def expected(value, digits):
    """Round the float's exact value by the decimal module, keeping the whole part."""
    exact = Decimal(abs(value))
    keep = max(digits, exact.adjusted() + 1)
    rounded = Context(prec=keep, rounding=ROUND_HALF_UP).create_decimal(exact)
    whole, _, rest = f"{rounded:,f}".partition(".")
    rest = rest.rstrip("0")
    return ("-" if value < 0 else "") + whole + ("." + rest if rest else "")


def test_a_thousand_floats_are_rounded_as_the_decimal_module_does():
    chance = random.Random(1)
    for _ in range(1000):
        value = chance.choice((-1, 1)) * 10 ** chance.uniform(-7, 12)
        digits = chance.randint(1, 8)
        assert significant(value, digits) == expected(value, digits), (value, digits)


@pytest.mark.parametrize("value", [9.996, 99.95, 0.09999, 999.5, 0.5, 1.5, 2.5, 1e-6, 0.1, 1e15])
def test_carries_and_halves(value):
    for digits in range(1, 6):
        assert significant(value, digits) == expected(value, digits)


def test_what_is_no_number_is_refused():
    for value in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="must be a finite number"):
            significant(value)
    with pytest.raises(ValueError, match="digits = 0"):
        significant(1.0, 0)
