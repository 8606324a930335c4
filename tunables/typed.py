"""Numbers as people type them: thousands set apart, powers of ten, a unit behind."""

import math

_DIGITS = "0123456789"
_SPACES = "\u00a0\u2009\u202f'_"
_EXAMPLE = "write one such as 12,500 or 1.2e4 or 8.1 ms."
_LONGEST = 60


def _plain(text):
    """Return the text with one kind of space, minus sign and multiplication sign."""
    for space in _SPACES:
        text = text.replace(space, " ")
    for odd, plain in (("−", "-"), ("×", "*"), ("·", "*"), ("μ", "µ"), ("* 10", "*10")):
        text = text.replace(odd, plain)
    for power in ("*10^", " *10^", "*10**"):
        text = text.replace(" " + power, "e").replace(power, "e")
    return text.strip().lstrip("≈~= ").strip()


def _end_of_number(text):
    """Return where the number at the start of a text ends, its power of ten included."""
    end = 0
    while end < len(text) and text[end] in "+-.," + _DIGITS:
        end += 1
        spaced = text[end : end + 4]
        if len(spaced) == 4 and spaced[0] == " " and all(c in _DIGITS for c in spaced[1:]):
            end += 1  # a space that sets three digits apart
    power = text[end : end + 2] if end else ""  # "e4" is none, though MicroPython reads 0
    if power[:1] in ("e", "E") and power[1:] and power[1:] in "+-" + _DIGITS:
        end += 2
        while end < len(text) and text[end] in _DIGITS:
            end += 1
    return end


def _ungrouped(number, shown):
    """Return the number without its separators; refuse a comma that sets no thousands apart."""
    whole, point, rest = number.partition(".")
    first, *groups = whole.lstrip("+-").replace(" ", ",").split(",")
    bad = groups and (first in ("", "0") or len(first) > 3)
    bad = bad or any(len(group) != 3 or "e" in group.lower() for group in groups[:-1])
    if groups and not bad:  # a power of ten may follow the last group
        bad = len(groups[-1].lower().split("e")[0]) != 3
    if bad or "," in rest or " " in rest:
        raise ValueError(
            f'"{shown}" is unclear: a comma sets thousands apart here, as in 12,500; write a point'
            + " before decimals, as in 12.5."
        )
    return whole.replace(",", "").replace(" ", "") + point + rest


def typed_number(text) -> tuple:
    """Return the number that a text begins with, and the word (a unit) behind it.

    Thousands may be set apart by commas, spaces, apostrophes or underscores; 1.2e4 and
    1.2 × 10^4 are understood. Raises ValueError, a sentence for the reader, for a text that
    has no number, is not finite, is longer than 60 characters, or has a doubtful comma.

    >>> typed_number("12,500"), typed_number("1.2e4"), typed_number("8100 ms")
    ((12500.0, ''), (12000.0, ''), (8100.0, 'ms'))
    >>> typed_number("≈ 1.2 × 10^4 /s"), typed_number("4%")
    ((12000.0, '/s'), (4.0, '%'))
    >>> typed_number("twice")
    Traceback (most recent call last):
    ValueError: "twice" is not a number: write one such as 12,500 or 1.2e4 or 8.1 ms.
    """
    if not isinstance(text, str) or not text.strip():
        raise ValueError("There is no number yet: " + _EXAMPLE)
    if len(text) > _LONGEST:
        raise ValueError("That is too long for a number: " + _EXAMPLE)
    plain = _plain(text)
    end = _end_of_number(plain)
    refusal = f'"{text.strip()}" is not a number: {_EXAMPLE}'
    if not any(c in _DIGITS for c in plain[:end]):
        raise ValueError(refusal)
    digits = _ungrouped(plain[:end], text.strip())
    try:
        value = float(digits)
    except ValueError:
        raise ValueError(refusal) from None
    if not math.isfinite(value):
        raise ValueError(f'"{text.strip()}" is not a finite number: {_EXAMPLE}')
    return value, plain[end:].strip()
