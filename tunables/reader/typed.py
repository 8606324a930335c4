"""Numbers as people type them: thousands set apart, a unit or a per cent sign behind.

Plain Python that MicroPython runs.
"""

from tunables.arguments import number

SECONDS = {"h": 3600.0, "min": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6}
_SEPARATORS = " \t\u00a0\u2009\u202f'_"
_NUMERIC = "0123456789.,+-" + _SEPARATORS


def _split(text):
    """Return the number's part of a text, and the word behind it."""
    end = 0
    while end < len(text) and text[end] in _NUMERIC:
        end += 1
    if text[end : end + 1] in ("e", "E") and text[end + 1 : end + 2] in tuple("+-0123456789"):
        end += 1
        while end < len(text) and text[end] in "+-0123456789":
            end += 1
    digits = text[:end].strip()
    for separator in _SEPARATORS:
        digits = digits.replace(separator, ",")
    return digits, text[end:].strip()


def _is_grouped(digits):
    """Say whether commas stand where thousands end: 12,500 but not 12,5."""
    first, *rest = digits.lstrip("+-").split(",")
    return 1 <= len(first) <= 3 and all(len(group) == 3 for group in rest)


def _factor(word, unit):
    """Return what one of the word's unit is in `unit`; None for a word that does not fit."""
    if word in ("", unit):
        return 1.0
    if word == "%" and unit in ("", "1"):
        return 0.01
    if word in SECONDS and unit in SECONDS:
        return SECONDS[word] / SECONDS[unit]
    return None


def typed_number(text, unit="") -> float:
    """Return the number above 0 that a text gives, in `unit`.

    Thousands may be set apart by commas, spaces, apostrophes or underscores; the unit itself may
    follow, another unit of time where the unit is one, or a per cent sign where it is "1".
    Raises ValueError, one sentence for the reader, for a text that is none of these.

    >>> typed_number("12,500"), typed_number("1.2e4"), typed_number("4 %", "1")
    (12500.0, 12000.0, 0.04)
    >>> typed_number("4126 ms", "s"), typed_number("0.5 s", "s")
    (4.126, 0.5)
    >>> typed_number("twice")
    Traceback (most recent call last):
    ValueError: "twice" is not a number; write one such as 12,500 or 1.2e4.
    """
    shown = text.strip()
    if not shown:
        raise ValueError("Nothing is written yet; write a number such as 12,500 or 1.2e4.")
    refusal = f'"{shown}" is not a number; write one such as 12,500 or 1.2e4.'
    digits, word = _split(shown)
    if not digits:
        raise ValueError(refusal)
    factor = _factor(word, unit)
    if factor is None:
        wanted = "a plain number" if unit in ("", "1") else f"a number in {unit}"
        raise ValueError(f'"{word}" does not fit here; write {wanted}.')
    mantissa, point, decimals = digits.partition(".")
    if "," in digits and ("," in decimals or not _is_grouped(mantissa)):
        raise ValueError(f'"{shown}": a comma sets thousands apart here; write 12.5 or 12,500.')
    try:
        value = factor * float(mantissa.replace(",", "") + point + decimals)
    except ValueError:
        raise ValueError(refusal) from None
    try:
        return number("guess", value, above=0)
    except ValueError:
        raise ValueError(f'"{shown}" is not a finite number above 0; write one.') from None
