"""Slips of the pen that would explain a number: what was printed for what was meant."""

_DIGITS = "0123456789"
_WIDEST_POWER, _WIDEST_DIGIT = 0.1, 0.01  # of a needed interval, relative


def _digits_of(number):
    """Return the digits of a number as printed, without point and leading zeros, or ""."""
    size = abs(number.first)
    if number.first != number.last or size >= 1e15 or number.power < -12:
        return ""
    if number.power < 0:
        return str(int(size * 10.0**-number.power + 0.5))
    return str(int(size + 0.5))


def _inside(value, needed):
    return needed[0] <= value <= needed[1]


def slip(number, needed, neighbours=()) -> tuple:
    """Return (kind, words) of a slip that makes a needed interval the printed number, or ("", "").

    kind: "copy" (the neighbour's number), "power" (a factor of ten or a thousand), "swap" (two
    digits exchanged), "lost" (a digit is missing or doubled) or "digit" (one digit is another).
    An interval too wide for it to be no chance explains nothing.

    >>> from tunables.audit.printed import read_number
    >>> slip(read_number("1,802"), (1861.5, 1862.5))[0]
    'digit'
    >>> slip(read_number("5.5 ms"), (0.00705, 0.00708))[0]
    ''
    """
    low, high = needed
    if not (0 < low <= high) or high - low > _WIDEST_POWER * high or number.value <= 0:
        return "", ""
    unit = number.factor * (10.0**number.power if number.power < 0 else 1.0)
    for other in neighbours:
        if other.first == number.first and other.unit == number.unit:
            return "copy", "the value from a neighbouring row was printed in this row too"
    for power in (3, -3, 1, -1, 2, -2):
        if _inside(number.value * 10.0**power, needed):
            size = "1,000" if power in (3, -3) else str(10 ** abs(power))
            return "power", f"it is off by a factor of {size}"
    digits = _digits_of(number)
    if len(digits) < 2 or len(digits) > 15 or high - low > _WIDEST_DIGIT * high:
        return "", ""
    for kind, words, changed in _typing_slips(digits):
        if changed != digits and _inside(int(changed) * unit, needed):
            return kind, words
    return "", ""


def _typing_slips(digits):
    """Yield (kind, words, other digits) of all that a slip may have made the digits from."""
    places = range(len(digits))
    for place in places[:-1]:
        swapped = digits[place + 1] + digits[place]
        yield "swap", "two digits were swapped", digits[:place] + swapped + digits[place + 2 :]
    for place in places:
        yield "lost", "there is one digit too many", digits[:place] + digits[place + 1 :]
    for place in places:
        for digit in _DIGITS:
            yield "digit", "one digit is wrong", digits[:place] + digit + digits[place + 1 :]
