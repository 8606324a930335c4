"""Values and intervals as the sentences of the audit write them, in the unit of a printed cell."""

import math

from tunables.audit.intervals import INFINITY, is_empty
from tunables.base.numbers_as_text import group_thousands, significant


def _unit_text(number):
    unit = number.unit
    if number.kind == "times":
        return "x"
    if not unit:
        return ""
    if unit == "%" or number.kind == "share":
        return "%" if number.factor == 0.01 else ""
    if unit in ("1/s", "/s"):
        return "/s"
    if not number.kind and number.factor != 1:
        return unit[:1]
    return " µs" if unit in ("us", "usec") else f" {unit}"


def _rounded(value, power):
    """Return a number rounded at a power of ten, with the digits before it."""
    if power >= 0:
        unit = 10**power
        return group_thousands(str(math.floor(abs(value) / unit + 0.5) * unit))
    size = math.floor(abs(value) * 10**-power + 0.5)
    whole, rest = size // 10**-power, str(size % 10**-power)
    return group_thousands(str(whole)) + "." + "0" * (-power - len(rest)) + rest


def value_text(value, number, digits=3) -> str:
    """Return a value (in base units) in the unit of a printed number, about as finely.

    >>> from tunables.audit.printed import read_number
    >>> value_text(0.0070632, read_number("5.5ms")), value_text(1862.07, read_number("1,802 s"))
    ('7.06 ms', '1,862 s')
    >>> value_text(0.00012837, read_number("0.003x"))
    '0.000128x'
    >>> rate = read_number("1.2M")
    >>> rate.kind, rate.unit = "rate", "1/s"
    >>> value_text(193_939.4, rate)
    '193,939/s'
    """
    own = number.unit in ("1/s", "/s") and number.factor != 1  # "1.2M" of a column in 1/s
    shown = value if own else value / number.factor
    if not shown or abs(shown) == INFINITY or abs(shown) >= 1e18:
        text = "0" if not shown else "infinite" if abs(shown) == INFINITY else f"{shown:.3g}"
    else:
        magnitude = math.floor(math.log10(abs(shown)))
        power = 0 if own else number.power
        if magnitude - power + 1 >= digits and power <= 0 and magnitude - power < 15:
            text = _rounded(shown, power)
            if magnitude - power + 1 > 6 and power < 0:
                text = significant(abs(shown), 6)
        else:
            text = significant(abs(shown), digits)
        text = ("-" if shown < 0 else "") + text
    return text + _unit_text(number)


def need_text(interval, number, printed=None) -> str:
    """Return what a cell has to be: one value if the interval is narrow, else its ends.

    printed: the interval that the other cells leave if each is exactly what is printed, as one
    works it out by hand; None if there is none. Its bounds, and its value, are shown.

    >>> from tunables.audit.printed import read_number
    >>> need_text((0.00705, 0.00707), read_number("5.5ms"))
    '7.06 ms'
    >>> need_text((0.001, 0.003), read_number("5.5ms"))
    'between 1 ms and 3 ms'
    >>> need_text((0, 0.002222), read_number("5.50ms"), (0, 0.002))
    'at most 2.00 ms'
    >>> need_text((0.7, INFINITY), read_number("5%"))
    'at least 70%'
    """
    low, high = interval
    exact = printed is not None and printed[0] == printed[1]
    if printed is not None and not exact and not is_empty(printed):
        low, high = printed
    if low == -INFINITY or (low <= 0 and high < INFINITY and number.first >= 0 and high > 0):
        if high == INFINITY:
            return "anything"
        return "at most " + value_text(high, number)
    if high == INFINITY:
        return "at least " + value_text(low, number)
    middle = printed[0] if exact else (low + high) / 2
    if high - low <= 1.5 * number.step * number.factor or high - low <= 0.03 * abs(middle):
        return value_text(middle, number)
    ends = [value_text(low, number), value_text(high, number)]
    if ends[0] == ends[1]:
        return ends[0]
    return f"between {ends[0]} and {ends[1]}"


def plain(value, digits=3) -> str:
    """Return a pure number with so many significant digits."""
    if abs(value) == INFINITY or abs(value) >= 1e18:
        return f"{value:.3g}"
    return significant(value, digits)
