"""Numbers as a reader sees them: the same characters in the page, in Jupyter, in the terminal.

Plain Python that MicroPython runs ("{:,}" is ignored there, so thousands are grouped by hand).
What a machine reads, such as a link or a CSV file, holds the numbers themselves, with a hyphen.
"""

import math

from tunables.base.numbers_as_text import group_thousands

# A sign stays on the line of its number.
RELATION_SIGNS = {
    "=": "",
    "about": "≈\u00a0",
    "at least": "≥\u00a0",
    "at most": "≤\u00a0",
    "above": ">\u00a0",
    "below": "<\u00a0",
}


def with_minus(text) -> str:
    """Return a number that begins with a hyphen with a true minus in its place.

    >>> with_minus("-2.5e-07"), with_minus("+3")
    ('−2.5e-07', '+3')
    """
    return "−" + text[1:] if text.startswith("-") else text


def with_commas(value, digits=0) -> str:
    """Return value with that many decimals and thousands set apart by commas.

    >>> with_commas(36562.5, 1), with_commas(-1234567), with_commas(None)
    ('36,562.5', '−1,234,567', '–')
    """
    if value is None:
        return "–"
    if value != value:
        return str(value)
    if value in (float("inf"), float("-inf")):
        return "∞" if value > 0 else "−∞"
    text = f"{value:.{digits}f}"
    sign = "−" if text.startswith("-") else ""
    whole, point, decimals = text.lstrip("-").partition(".")
    return sign + group_thousands(whole) + point + decimals


def to_three_digits(value) -> str:
    """Return value with three significant digits, zeros too, or all of its whole part.

    >>> [to_three_digits(value) for value in (0.012345, 7.0, 95443.7, 2.5e-7)]
    ['0.0123', '7.00', '95,444', '2.5e-07']
    """
    if value == 0 or value != value or abs(value) == float("inf"):
        return with_commas(value)
    magnitude = math.floor(math.log10(abs(value)))
    if magnitude < -5:
        return with_minus(f"{value:.3g}")
    return with_commas(value, max(0, 2 - magnitude))


def output_text(value, digits) -> str:
    """Return one output as it is shown: a sentence unchanged, a number with `digits` decimals.

    At most four significant digits are shown; digits None means three of them.

    >>> output_text("holds", None), output_text(0.5, 2), output_text(0.5, None)
    ('holds', '0.50', '0.500')
    >>> output_text(8.07604, 4), output_text(0.15304, 4), output_text(13107.2, 1)
    ('8.076', '0.1530', '13,107')
    """
    if isinstance(value, str):
        return value
    if digits is None:
        return to_three_digits(value)
    spare = 3 - math.floor(math.log10(abs(value))) if 0 < abs(value) < float("inf") else digits
    return with_commas(value, max(0, min(digits, spare)))


def rounded(value, digits) -> str:
    """Return value with `digits` decimals; digits None means three significant digits.

    >>> rounded(6.1541, 1), rounded(6.1541, None)
    ('6.2', '6.15')
    """
    return to_three_digits(value) if digits is None else with_commas(value, digits)


def interval_text(interval, digits, unit="") -> str:
    """Return a mean and the half-width of its interval, with `digits` decimals.

    digits None means three significant digits of each. A half-width of 0 is put in words, and one
    that would be rounded to 0 has one significant digit. unit: text behind the numbers.

    >>> interval_text((6.1541, 0.0012), 3), interval_text((20.0, 0.0), 2, " s")
    ('6.154 ± 0.001', '20.00 s in every run')
    >>> interval_text((479.3, 0.31), 0)
    '479 ± 0.3'
    """
    mean, half_width = [rounded(each, digits) for each in interval]
    if not interval[1]:
        return in_every_run(mean + unit)
    if set(half_width) <= set("0."):
        half_width = shortest(interval[1], 1)
    return f"{mean} ± {half_width}{unit}"


def in_every_run(text) -> str:
    """Say that all runs gave a number, which has no interval then.

    >>> in_every_run("20.00")
    '20.00 in every run'
    """
    return text + " in every run"


def shortest(value, digits=6) -> str:
    """Return value with at most that many significant digits and no trailing zeros.

    >>> shortest(95443.7177), shortest(20.0), shortest(0.025)
    ('95,443.7', '20', '0.025')
    """
    if value == int(value) and abs(value) < 1e15:
        return with_commas(value)
    text = f"{value:.{digits}g}"
    if "e" in text:
        return with_minus(text)
    whole, point, decimals = text.partition(".")
    return with_commas(float(whole)) + point + decimals


def published_text(value, relation) -> str:
    r"""Return a published number with the sign of its relation.

    >>> published_text(70000.0, "about")
    '≈\xa070,000'
    """
    return RELATION_SIGNS[relation] + shortest(value)


def model_text(value, digits, side="") -> str:
    r"""Return what a model says of a number; side: "at least" or "at most" if it only bounds it.

    >>> model_text(21.5, 1), model_text(21.5, 1, "at least"), model_text(100, 1, "at most")
    ('21.5', '≥\xa021.5', '≤\xa0100.0')
    """
    return RELATION_SIGNS[side or "="] + with_commas(value, digits)


def resolution_text(resolution) -> str:
    """Return how far the digits given let the true value stray, to either side.

    >>> resolution_text(1.0), resolution_text(0)
    ('±0.5', 'exact')
    """
    return f"±{shortest(resolution / 2)}" if resolution else "exact"


def ends_text(low, high) -> str:
    """Return an interval with enough decimals to distinguish its ends, at least one.

    >>> ends_text(649.81, 650.79), ends_text(69387.2, 77550.9), ends_text(3.0, 3.0)
    ('649.8 to 650.8', '69,387 to 77,551', '3.0')
    """
    decimals = next((n for n in range(1, 9) if high - low >= 2 * 10.0**-n), 1)
    ends = [with_commas(end, 0 if high > 1e4 else decimals) for end in (low, high)]
    return " to ".join(dict.fromkeys(ends))


def error_text(status, relation, agrees, error) -> str:
    """Return what the error column says of a number.

    A number that a parameter was fitted to shows no error as if it were a success, but one
    that the fit misses does; and a bound, the document's or the model's, holds or fails.

    >>> error_text("predicted", "about", True, 0.0496)
    '+5.0%'
    >>> error_text("calibrated", "=", None, 0.0), error_text("calibrated", "=", False, 0.028)
    ('fitted', '+2.8%')
    """
    if status == "unexplained":
        return "no model"
    if status == "calibrated" and agrees is not False:
        return "fitted"
    if relation not in ("=", "about"):
        return "holds" if agrees else "fails"
    return percent_text(error)


def percent_text(error) -> str:
    """Return a relative error as percent, with its sign.

    >>> percent_text(0.0496), percent_text(-0.004), percent_text(None)
    ('+5.0%', '−0.4%', '–')
    """
    return "–" if error is None else with_minus(f"{100 * error:+.1f}%")


def ranges_text(numbers) -> str:
    """Return whole numbers in rising order as text, runs of three or more as ranges.

    >>> ranges_text((1, 2, 3, 4, 7, 8)), ranges_text(())
    ('1–4, 7, 8', '–')
    """
    runs: list = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    parts = []
    for low, high in runs:
        parts += [f"{low}–{high}"] if high - low > 1 else [str(n) for n in range(low, high + 1)]
    return ", ".join(parts) or "–"
