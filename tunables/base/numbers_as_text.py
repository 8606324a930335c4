"""Numbers written as text and read from what people type, to the same character on every machine.

MicroPython and CPython print floats alike but for a last digit now and then. So digits are
computed here with integers, which leave no room for that.
"""

import math

from tunables.base.arguments import finite, integer

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


def _round(numerator, denominator, decimals):
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
    digits = integer("digits", digits, at_least=1, at_most=_MOST_DIGITS)
    if value == 0:
        return "0"
    numerator, denominator = _as_ratio(abs(value))
    decimals = max(digits - 1 - _leading_power(numerator, denominator), 0)
    if decimals and _round(numerator, denominator, decimals) == 10**digits:
        decimals -= 1  # 9.996 to three digits is 10.0
    scaled = _round(numerator, denominator, decimals)
    text = group_thousands(str(scaled // 10**decimals))
    if decimals:
        rest = str(scaled % 10**decimals)
        text = (text + "." + "0" * (decimals - len(rest)) + rest).rstrip("0").rstrip(".")
    return ("-" if value < 0 else "") + text


_DIGITS = "0123456789"
# The same as in CPython: MicroPython's strip knows only those of ASCII.
_SPACES = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005"
    + "\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
_UNSEEN = "\u200b\u200e\u200f\u2066\u2067\u2068\u2069\ufeff"  # invisible, from copy and paste
_SAME = (
    (" ", _SPACES + "'’_"),
    ("", _UNSEEN),
    ("-", "−–‐‑－"),
    ("+", "＋"),
    ("*", "×·⋅"),
    (".", "．٫"),
    (",", "，٬"),
    ("%", "％٪"),
    ("µ", "μ"),
)
_ZEROS = (0xFF10, 0x0660, 0x06F0)  # full-width, Arabic, Persian: nine digits follow each
_ABOUT = ["≈", "~", "=", "about", "approximately", "approx.", "approx", "around", "roughly"]
_ABOUT += ["circa", "ca.", "ca"]
_EXAMPLE = "write one such as 12,500 or 1.2e4 or 8.1 ms."
LONGEST = 60


def trim(text) -> str:
    """Return the text without the spaces around it, whatever their kind.

    >>> trim("\\u2009 8.1 ms\\n")
    '8.1 ms'
    """
    start, end = 0, len(text)
    while start < end and text[start] in _SPACES:
        start += 1
    while end > start and text[end - 1] in _SPACES:
        end -= 1
    return text[start:end]


def _plain_character(character):
    """Return the one of ASCII, or of the units, that means the same."""
    for plain, odd in _SAME:
        if character in odd:
            return plain
    for zero in _ZEROS:
        if zero <= ord(character) < zero + 10:
            return _DIGITS[ord(character) - zero]
    return character


def _plain(text):
    """Return the text in plain characters, without "about", and powers of ten as in 1.2e4."""
    if len(text.encode()) > len(text) or "'" in text or "_" in text or len(text.split()) > 1:
        text = "".join([_plain_character(character) for character in text])
    text = text.replace("* 10", "*10")
    for power in ("*10^", " *10^", "*10**"):
        text = text.replace(" " + power, "e").replace(power, "e")
    return _without_about(trim(text))


def _without_about(text):
    """Return the text without leading words and signs that mean "about"."""
    if text[:1] in _DIGITS:
        return text
    for word in _ABOUT:  # not lstrip: MicroPython's cuts bytes, not characters
        if text[: len(word)].lower() == word:
            return _without_about(trim(text[len(word) :]))
    return text


def _end_of_number(text):
    """Return where the number at the start of a text ends, its power of ten included."""
    end = 0
    while end < len(text) and text[end] in "+-.," + _DIGITS:
        end += 1
        spaced = text[end : end + 4]
        if len(spaced) == 4 and spaced[0] == " " and all(c in _DIGITS for c in spaced[1:]):
            end += 1  # a space that sets three digits apart
    # "e4" and "-e4" are not numbers, though MicroPython reads 0.
    power = text[end : end + 2] if any(c in _DIGITS for c in text[:end]) else ""
    if power[:1] in ("e", "E") and power[1:] and power[1:] in "+-" + _DIGITS:
        end += 2
        while end < len(text) and text[end] in _DIGITS:
            end += 1
    return end


def _remove_separators(number, shown):
    """Return the number without its separators; refuse a comma that sets no thousands apart."""
    whole, point, rest = number.partition(".")
    first, *groups = whole.lstrip("+-").replace(" ", ",").split(",")
    bad = groups and (first in ("", "0") or len(first) > 3)
    bad = bad or any(len(group) != 3 or "e" in group.lower() for group in groups[:-1])
    if groups and not bad:  # a power of ten may follow the last group
        bad = len(groups[-1].lower().split("e")[0]) != 3
    if bad or "," in rest or " " in rest:
        raise ValueError(
            f'"{shown}" is unclear. Commas separate thousands here, as in 12,500;'
            + " write decimals with a point, as in 12.5."
        )
    return whole.replace(",", "").replace(" ", "") + point + rest


def parse_number(text) -> tuple:
    """Return the number that a text begins with, and the word (a unit) behind it.

    Thousands may be set apart by commas, spaces, apostrophes or underscores; 1.2e4 and
    1.2 × 10^4 are understood, as are the signs and digits of other keyboards, and "about" in
    front. Raises ValueError, a sentence for the reader, for a text that has no number, is not
    finite, is longer than 60 characters, or has a doubtful comma.

    >>> parse_number("12,500"), parse_number("1.2e4"), parse_number("8100 ms")
    ((12500.0, ''), (12000.0, ''), (8100.0, 'ms'))
    >>> parse_number("≈ 1.2 × 10^4 /s"), parse_number("4%")
    ((12000.0, '/s'), (4.0, '%'))
    >>> parse_number("twice")
    Traceback (most recent call last):
    ValueError: "twice" is not a number: write one such as 12,500 or 1.2e4 or 8.1 ms.
    """
    value, _, word = parse_printed(text)
    return value, word


def parse_printed(text) -> tuple:
    """Return the number that a text begins with, how finely it is printed, and the word behind it.

    The second is the power of ten of the last digit. Zeros at the end count as digits, also those
    before the point, which a writer may have put there by rounding. Raises ValueError as
    `parse_number` does.

    >>> parse_printed("1,802 s"), parse_printed("0.50"), parse_printed("1.8e3")
    ((1802.0, 0, 's'), (0.5, -2, ''), (1800.0, 2, ''))
    """
    shown = trim(text) if isinstance(text, str) else ""
    if not shown:
        raise ValueError("Type a number first: " + _EXAMPLE)
    if len(text) > LONGEST:
        raise ValueError(f"A number has at most {LONGEST} characters: {_EXAMPLE}")
    plain = _plain(text)
    end = _end_of_number(plain)
    refusal = f'"{shown}" is not a number: {_EXAMPLE}'
    if not any(c in _DIGITS for c in plain[:end]):
        raise ValueError(refusal)
    digits = _remove_separators(plain[:end], shown)
    try:
        value = float(digits)
    except ValueError:
        raise ValueError(refusal) from None
    if not math.isfinite(value):
        raise ValueError(f'"{shown}" is not a finite number: {_EXAMPLE}')
    mantissa, _, power = digits.lower().partition("e")
    return value, int(power or 0) - len(mantissa.partition(".")[2]), trim(plain[end:])
