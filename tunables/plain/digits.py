"""Numbers as text, to the same character on every machine.

The bottom of the house, beside arguments.py. MicroPython and CPython print floats alike but for
a last digit now and then; whole numbers leave no room for that.
"""

import math

from tunables.plain.arguments import finite, whole

_MOST_DIGITS = 1100  # more than a float has


def group_thousands(whole) -> str:
    """Return a string of decimal digits with thousands set apart by commas.

    >>> group_thousands("1234567"), group_thousands("999")
    ('1,234,567', '999')
    """
    groups: list = []
    while len(whole) > 3:
        groups.insert(0, whole[-3:])
        whole = whole[:-3]
    return ",".join([whole] + groups)


def _as_ratio(value):
    """Return a float above 0 as numerator and denominator, exactly."""
    fraction, exponent = math.frexp(value)
    numerator, exponent = int(fraction * 2**53), exponent - 53
    if exponent >= 0:
        return numerator << exponent, 1
    return numerator, 1 << -exponent


def _leading_power(numerator, denominator):
    """Return the p with 10^p <= numerator/denominator < 10^(p + 1)."""
    if numerator >= denominator:
        return len(str(numerator // denominator)) - 1
    power = -1
    while numerator * 10**-power < denominator:
        power -= 1
    return power


def _rounded(numerator, denominator, decimals):
    """Return the ratio times 10^decimals, rounded to a whole number, halves up."""
    return (2 * numerator * 10**decimals + denominator) // (2 * denominator)


def significant(value, digits=4) -> str:
    """Return value with that many significant digits and no trailing zeros after the point.

    The whole part is kept, however many digits it has; thousands are set apart by commas.
    Rounds the exact value of the float, halves away from zero. Raises ValueError for infinity,
    nan, or digits below 1.

    >>> significant(36562.4), significant(0.0250), significant(-8.07649), significant(2.5, 1)
    ('36,562', '0.025', '-8.076', '3')
    """
    value = finite("value", value)
    digits = whole("digits", digits, at_least=1, at_most=_MOST_DIGITS)
    if value == 0:
        return "0"
    numerator, denominator = _as_ratio(abs(value))
    decimals = max(digits - 1 - _leading_power(numerator, denominator), 0)
    if decimals and _rounded(numerator, denominator, decimals) == 10**digits:
        decimals -= 1  # 9.996 to three digits is 10.0
    scaled = _rounded(numerator, denominator, decimals)
    text = group_thousands(str(scaled // 10**decimals))
    if decimals:
        rest = str(scaled % 10**decimals)
        text = (text + "." + "0" * (decimals - len(rest)) + rest).rstrip("0").rstrip(".")
    return ("-" if value < 0 else "") + text
