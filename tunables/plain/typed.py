"""Numbers as people type them: thousands set apart, powers of ten, a unit behind."""

import math

_DIGITS = "0123456789"
# As CPython has them: the strip of MicroPython knows ASCII's only.
_SPACES = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005"
    + "\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
_UNSEEN = "\u200b\u200e\u200f\u2066\u2067\u2068\u2069\ufeff"  # they come with copy and paste
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


def trimmed(text) -> str:
    """Return the text without the spaces around it, whatever their kind.

    >>> trimmed("\\u2009 8.1 ms\\n")
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
    text = "".join([_plain_character(character) for character in text])
    text = text.replace("* 10", "*10")
    for power in ("*10^", " *10^", "*10**"):
        text = text.replace(" " + power, "e").replace(power, "e")
    return _without_about(trimmed(text))


def _without_about(text):
    """Return the text without the words and signs in front that say "about"."""
    for word in _ABOUT:  # lstrip would not do: MicroPython's cuts bytes, not characters
        if text[: len(word)].lower() == word:
            return _without_about(trimmed(text[len(word) :]))
    return text


def _end_of_number(text):
    """Return where the number at the start of a text ends, its power of ten included."""
    end = 0
    while end < len(text) and text[end] in "+-.," + _DIGITS:
        end += 1
        spaced = text[end : end + 4]
        if len(spaced) == 4 and spaced[0] == " " and all(c in _DIGITS for c in spaced[1:]):
            end += 1  # a space that sets three digits apart
    # "e4" and "-e4" are none, though MicroPython reads 0.
    power = text[end : end + 2] if any(c in _DIGITS for c in text[:end]) else ""
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
    1.2 × 10^4 are understood, as are the signs and digits of other keyboards, and "about" in
    front. Raises ValueError, a sentence for the reader, for a text that has no number, is not
    finite, is longer than 60 characters, or has a doubtful comma.

    >>> typed_number("12,500"), typed_number("1.2e4"), typed_number("8100 ms")
    ((12500.0, ''), (12000.0, ''), (8100.0, 'ms'))
    >>> typed_number("≈ 1.2 × 10^4 /s"), typed_number("4%")
    ((12000.0, '/s'), (4.0, '%'))
    >>> typed_number("twice")
    Traceback (most recent call last):
    ValueError: "twice" is not a number: write one such as 12,500 or 1.2e4 or 8.1 ms.
    """
    shown = trimmed(text) if isinstance(text, str) else ""
    if not shown:
        raise ValueError("There is no number yet: " + _EXAMPLE)
    if len(text) > LONGEST:
        raise ValueError("That is too long for a number: " + _EXAMPLE)
    plain = _plain(text)
    end = _end_of_number(plain)
    refusal = f'"{shown}" is not a number: {_EXAMPLE}'
    if not any(c in _DIGITS for c in plain[:end]):
        raise ValueError(refusal)
    digits = _ungrouped(plain[:end], shown)
    try:
        value = float(digits)
    except ValueError:
        raise ValueError(refusal) from None
    if not math.isfinite(value):
        raise ValueError(f'"{shown}" is not a finite number: {_EXAMPLE}')
    return value, trimmed(plain[end:])
