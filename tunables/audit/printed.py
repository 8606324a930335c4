"""A number as a table prints it: its value, its unit, and the interval that its digits leave.

"5.5 ms" may be anything from 5.45 to 5.55 ms that was rounded, and up to 5.6 ms if the rest was
cut off. Zeros at the end of a whole number ("30,000") may be digits or rounding. A column shows
which (`refine`); without it they count as rounding, which calls nothing wrong by mistake.
"""

import math

from tunables.audit.intervals import INFINITY
from tunables.base.numbers_as_text import LONGEST, parse_printed, trim
from tunables.base.units import UNITS, canonical

# What tables write and a reader's own numbers do not: kind, and how many base units one is.
_MORE_UNITS = {
    "usec": "µs",
    "microsecond": "µs",
    "microseconds": "µs",
    "nsec": "ns",
    "nanoseconds": "ns",
    "msecs": "ms",
    "secs": "s",
    "mins": "min",
    "hr": "h",
    "iops": "1/s",
    "kib/s": ("bits", 8 * 2**10),
    "mib/s": ("bits", 8 * 2**20),
    "gib/s": ("bits", 8 * 2**30),
    "tib/s": ("bits", 8 * 2**40),
    "tb/s": ("bits", 8e12),
    "tb": ("bytes", 1e12),
    "pb": ("bytes", 1e15),
    "bytes": "B",
    "b": "B",
    "x": ("times", 1),
    "×": ("times", 1),
    "times": ("times", 1),
}
_THOUSANDS = {"k": 1e3, "K": 1e3, "M": 1e6, "m": 1e6, "G": 1e9, "B": 1e9}
_DIGITS = "0123456789"
_ALL_DIGITS = "0123456789٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹"
_ODD = ("-", "(", "[", "±", "+", "*", "_", "`", " to ", "..", "\\", "–", "…")
_SIGNS = (
    (">=", "at least"),
    ("≥", "at least"),
    ("⩾", "at least"),
    ("<=", "at most"),
    ("≤", "at most"),
    ("⩽", "at most"),
    (">", "at least"),
    ("<", "at most"),
    ("~", "about"),
    ("≈", "about"),
    ("ca.", "about"),
    ("about ", "about"),
    ("approx. ", "about"),
)
_RANGE = ("–", "—", "…", "...", " to ", "..", " - ", "-")
_SPREAD = ("±", "+/-", "+-")
_MOST = 1e300
_MOST_UNITS = 500  # that are remembered


class Printed:
    """One printed number. Ends of its intervals are in base units (s, 1/s, bytes, bit/s, shares).

    text: as it is printed; value: in base units; kind: what the unit measures ("time", "rate",
    "share", "bits", "bytes", "times", or "" without a known unit); unit: as printed; factor: base
    units in one of the unit; power: the power of ten of the last digit; zeros: zeros before the
    point that may be rounding; relation: "=", "about", "at least", "at most" or "range".
    """

    def __init__(self, text, low, high, power, zeros, unit, kind, factor, relation, spread=0.0):
        self.text, self.unit, self.kind, self.factor = text, unit, kind, factor
        self.first, self.last = low, high  # as printed, equal but for a range
        self.power, self.zeros, self.relation, self.spread = power, zeros, relation, spread
        self.exact = False
        self.step = 10.0 ** (power + zeros)  # in the printed unit

    @property
    def value(self):
        """The number, or the middle of a range, in base units."""
        return (self.first + self.last) / 2 * self.factor

    def interval(self, cut=False) -> tuple:
        """Return all values that are printed like this, in base units.

        Rounded: half a step to either side. cut=True: also those whose rest was cut off, so up to
        a whole step away from zero. A spread ("5.5 ± 0.3") and "about" widen it.
        """
        if self.exact:
            return self.first * self.factor, self.last * self.factor
        half = (self.step if self.relation == "about" else self.step / 2) + self.spread
        down = up = half
        if cut and self.relation != "about":
            down, up = (half, 2 * half) if self.first >= 0 else (2 * half, half)
        low, high = self.first - down, self.last + up
        if self.first >= 0 and self.kind in ("time", "rate", "bits", "bytes"):
            low = max(low, 0.0)
        if self.relation == "at least":
            high = INFINITY
        elif self.relation == "at most":
            low = 0.0 if self.first >= 0 else -INFINITY
        return low * self.factor, high * self.factor


_known_units: dict = {}


def unit_of(word) -> tuple:
    """Return (kind, factor) of a unit as a table writes it; kind is "" for an unknown word.

    >>> unit_of("ms"), unit_of("k ops/sec"), unit_of("MiB/s")[0], unit_of("clients")
    (('time', 0.001), ('rate', 1000.0), 'bits', ('', 1))
    >>> unit_of("k"), unit_of("x baseline"), unit_of("million")
    (('', 1000.0), ('times', 1), ('', 1000000.0))
    """
    found = _known_units.get(word)
    if found is None:
        if len(_known_units) > _MOST_UNITS:
            _known_units.clear()
        found = _known_units[word] = _find_unit(word)
    return found


_MULTIPLES = (("thousand", 1e3), ("million", 1e6), ("billion", 1e9))


def _find_unit(word):
    word = trim(word)
    if not word or len(word) > LONGEST:
        return "", 1
    for name, factor in _MULTIPLES:
        if word.lower().startswith(name):
            kind, size = unit_of(word[len(name) :])
            return kind, size * factor
    word = _per_second(word)
    low = word.lower() if word != "B" else word
    alone = len(word) == 1 or not word[1].isalpha()
    if word[:1] in ("x", "×") and alone:
        return "times", 1
    known = _MORE_UNITS.get(low)
    if isinstance(known, tuple):
        return known
    name = canonical(known or word.replace(" /s", "/s"))
    if name in UNITS:
        return UNITS[name]
    if word[0] in _THOUSANDS and alone:
        kind, factor = unit_of(word[1:])
        return kind, factor * _THOUSANDS[word[0]]
    return ("rate", 1) if low.endswith("/s") and "b/s" not in low else ("", 1)


def _per_second(word):
    """Return a unit with /s for all that means "per second"."""
    for long in ("per second", "a second"):
        word = word.replace(long, "/s")
    for ending in ("/second", "/seconds", "/sec"):
        if word.lower().endswith(ending):
            return word[: len(word) - len(ending)] + "/s"
    return word


def _decimal_comma(text):
    """Return a text with a decimal point where its comma can only be a decimal comma."""
    if text.count(",") != 1:
        return text
    whole, _, rest = text.partition(",")
    digits = 0
    while digits < len(rest) and rest[digits] in _DIGITS:
        digits += 1
    if digits != 3 or "." in whole:
        return whole.replace(".", "") + "." + rest
    return text


def _number(text):
    """Return (value, power of the last digit, zeros, word behind it), or None."""
    for form in (text, _decimal_comma(text)) if "," in text else (text,):
        try:
            value, power, word = parse_printed(form)
        except ValueError:
            continue
        if abs(value) > _MOST:
            return None
        zeros = 0
        if power == 0 and value and abs(value) < 1e18:
            digits = str(int(abs(value)))
            zeros = len(digits) - len(digits.rstrip("0"))
        return value, power, zeros, word
    return None


def _without_brackets(text):
    """Return a text without what is in brackets, or with it alone if there is no other.

    >>> _without_brackets("334 (min. size)"), _without_brackets("(1.08x baseline)")
    ('334', '1.08x baseline')
    """
    out, inside, depth = "", "", 0
    for c in text:
        if c in "([":
            depth += 1
        elif c in ")]":
            depth = max(depth - 1, 0)
        elif depth:
            inside += c
        else:
            out += c
    return trim(out) or trim(inside)


def _split(text, marks):
    """Return the two parts about the first mark that has a digit on both sides, or None."""
    for mark in marks:
        place = text.find(mark, 1)
        while place > 0:
            left, right = trim(text[:place]), trim(text[place + len(mark) :])
            # "1e-5" and "-5" are no ranges
            numeric = right and right[0] in _DIGITS + "." and left[-1:] not in ("e", "E", "")
            if numeric and any([c in _DIGITS for c in left]):
                return left, right
            place = text.find(mark, place + 1)
    return None


def read_number(text):
    """Return the Printed number that a cell holds, or None for words, dashes and dates.

    >>> five = read_number("5.5ms")
    >>> five.kind, [round(end, 6) for end in five.interval()]
    ('time', [0.00545, 0.00555])
    >>> read_number("≥ 1.8k ops/sec").interval()
    (1750.0, inf)
    >>> [read_number(text) for text in ("n/a", "–", "2020-01-01", "leader only", "v3.4")]
    [None, None, None, None, None]
    """
    shown = trim(text)
    if not shown or len(shown) > 2 * LONGEST:
        return None
    if shown[0] in _DIGITS:
        simple = _simple(shown)
        if simple is not None:
            return simple
    if not any([c in _ALL_DIGITS for c in shown]):
        return None
    return _read_odd(shown)


def _simple(shown):
    """Return the number of a cell that is digits and a unit, nothing else, or None."""
    for mark in _ODD:
        if mark in shown:
            return None
    if len(shown.encode()) > len(shown) and "µ" not in shown:
        return None
    found = _number(shown)
    if found is None:
        return None
    value, power, zeros, word = found
    kind, factor = unit_of(word) if word else ("", 1)
    if word and not kind and factor == 1:
        return None
    return Printed(shown, value, value, power, zeros, word, kind, factor, "=")


def _read_odd(shown):
    """Return the number of a cell that has signs, brackets, a spread or a range, or None."""
    body = _without_brackets(shown)
    for mark in ("*", "†", "‡", "`", "_", "\\"):
        body = body.replace(mark, "")
    relation = "="
    for sign, meaning in _SIGNS:
        if body[: len(sign)].lower() == sign:
            relation, body = meaning, trim(body[len(sign) :])
            break
    parts = _split(body, _SPREAD)
    spread = 0.0
    if parts:
        body, wide = parts
        around = _number(wide)
        if around is None:
            return None
        if around[3] == "%" and not body.endswith("%"):
            middle = _number(body)
            spread = abs(middle[0]) * around[0] / 100 if middle else 0.0
        else:
            spread = abs(around[0])
            if not (_number(body) or ("", "", "", ""))[3]:
                body += " " + around[3]
    found = _number(body)
    if found is None or any([c in _DIGITS for c in found[3]]):
        return _range(shown, body, relation)
    value, power, zeros, word = found
    kind, factor = unit_of(word)
    if not kind and factor == 1 and word and not _is_word(word):
        return None
    return Printed(shown, value, value, power, zeros, word, kind, factor, relation, spread)


def _is_word(word):
    """Say whether a unit is words, as in "10 threads", and not the rest of a date or a version."""
    return len(word) <= 30 and all([c.isalpha() or c in " /-.'+" or c >= "\x80" for c in word])


def _range(shown, body, relation):
    """Return the number of a cell such as "5–7 ms", or None."""
    parts = _split(body, _RANGE)
    if relation != "=" or parts is None:
        return None
    low, high = _number(parts[0]), _number(parts[1])
    if low is None or high is None or not low[0] <= high[0]:
        return None
    if any([c in _DIGITS for c in low[3] + high[3]]):
        return None
    word = high[3] or low[3]
    if low[3] and high[3] and low[3] != high[3]:
        return None
    kind, factor = unit_of(word)
    power = max(low[1] + low[2], high[1] + high[2])
    return Printed(shown, low[0], high[0], power, 0, word, kind, factor, "range")


def _significant(number):
    """Return how many digits a number has without the zeros at either end."""
    size = abs(number.last)
    if not size:
        return 0
    return math.floor(math.log10(size) + 1e-12) - (number.power + number.zeros) + 1


def refine(numbers):
    """Set the step of each number of a column by how its neighbours are printed.

    Zeros at the end are digits where the other numbers of the column show digits in their place:
    20 beside 22 is 19.5 to 20.5. A column in which all numbers end in zeros, or all have as few
    significant digits, is taken as rounded there. Fewer than three numbers tell nothing.
    """
    if len(numbers) < 3:
        return
    for unit in {number.unit for number in numbers}:
        same = [number for number in numbers if number.unit == unit and number.last]
        if len(same) < 3:
            continue
        finest = min([number.power + number.zeros for number in same])
        digits = max([_significant(number) for number in same])
        for number in same:
            if number.zeros:
                magnitude = math.floor(math.log10(abs(number.last)) + 1e-12)
                coarse = min(number.power + number.zeros, magnitude - digits + 1)
                number.step = 10.0 ** max(finest, coarse, number.power)
