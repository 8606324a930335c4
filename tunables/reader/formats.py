"""Numbers as a reader sees them: the same characters in the page, in Jupyter, in the terminal.

Plain Python that MicroPython runs ("{:,}" is ignored there, so thousands are grouped by hand).
"""

import math

from tunables.digits import group_thousands

RELATION_SIGNS = {
    "=": "",
    "about": "≈ ",
    "at least": "≥ ",
    "at most": "≤ ",
    "above": "> ",
    "below": "< ",
}


def grouped(value, digits=0) -> str:
    """Return value with that many decimals and thousands set apart by commas.

    >>> grouped(36562.5, 1), grouped(-1234567), grouped(None)
    ('36,562.5', '-1,234,567', '–')
    """
    if value is None:
        return "–"
    if value != value or value in (float("inf"), float("-inf")):
        return "∞" if value == float("inf") else str(value)
    text = f"{value:.{digits}f}"
    sign = "-" if text.startswith("-") else ""
    whole, point, decimals = text.lstrip("-").partition(".")
    return sign + group_thousands(whole) + point + decimals


def to_three_digits(value) -> str:
    """Return value with three significant digits, zeros too, or all of its whole part.

    >>> [to_three_digits(value) for value in (0.012345, 7.0, 95443.7, 2.5e-7)]
    ['0.0123', '7.00', '95,444', '2.5e-07']
    """
    if value == 0 or value != value or abs(value) == float("inf"):
        return grouped(value)
    magnitude = math.floor(math.log10(abs(value)))
    if magnitude < -5:
        return f"{value:.3g}"
    return grouped(value, max(0, 2 - magnitude))


def output_text(value, digits) -> str:
    """Return one output as it is shown: a sentence as it is, a number with so many decimals.

    digits None means three significant digits.

    >>> output_text("holds", None), output_text(0.5, 2), output_text(0.5, None)
    ('holds', '0.50', '0.500')
    """
    if isinstance(value, str):
        return value
    return to_three_digits(value) if digits is None else grouped(value, digits)


def shortest(value, digits=6) -> str:
    """Return value with at most that many significant digits and no trailing zeros.

    >>> shortest(95443.7177), shortest(20.0), shortest(0.025)
    ('95,443.7', '20', '0.025')
    """
    if value == int(value) and abs(value) < 1e15:
        return grouped(value)
    text = f"{value:.{digits}g}"
    if "e" in text:
        return text
    whole, point, decimals = text.partition(".")
    return grouped(float(whole)) + point + decimals


def published_text(value, relation) -> str:
    """Return a published number with the sign of its relation.

    >>> published_text(70000.0, "about")
    '≈ 70,000'
    """
    return RELATION_SIGNS[relation] + shortest(value)


def resolution_text(resolution) -> str:
    """Return how far the digits given let the true value stray, to either side.

    >>> resolution_text(1.0), resolution_text(0)
    ('±0.5', 'exact')
    """
    return f"±{shortest(resolution / 2)}" if resolution else "exact"


def error_text(status, relation, agrees, error) -> str:
    """Return what the error column says of a number.

    A number that a parameter was fitted to shows no error as if it were a success, but one
    that the fit misses does; and one that is only a bound holds or fails.

    >>> error_text("predicted", "about", True, 0.0496)
    '+5.0 %'
    >>> error_text("calibrated", "=", None, 0.0), error_text("calibrated", "=", False, 0.028)
    ('fitted', '+2.8 %')
    """
    if status == "unexplained":
        return "no model"
    if status == "calibrated" and agrees is not False:
        return "fitted"
    if relation not in ("=", "about"):
        return "holds" if agrees else "fails"
    return "–" if error is None else f"{100 * error:+.1f} %"
