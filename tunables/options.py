"""What the options of a command say: text, of which numbers are made here."""

from tunables.plain.arguments import whole

_MOST_DIGITS = 100  # Python reads no more than 4300, and nobody means so many


def typed_whole(name: str, text: str, at_least: int = 0, at_most: int | None = None) -> int:
    """Return a whole number in the range from its digits; isdigit would let "²" through.

    Raises ValueError as `whole` does.

    >>> typed_whole("students", "60")
    60
    >>> typed_whole("students", "6e1")
    Traceback (most recent call last):
    ValueError: students = '6e1': must be a whole number at least 0
    """
    digits = text.isdecimal() and len(text) <= _MOST_DIGITS
    return whole(name, int(text) if digits else text, at_least, at_most)
