"""Argument checks that name the argument, its value and what is allowed.

Every module may import this one. It uses only what MicroPython has, since the closed forms use it
in the page.
"""

import math

from tunables.base.refusals import refusal

# No measurement in SI units is beyond these; quotients, squares and cubes of larger numbers would
# not be finite. Whole numbers are counts, and seeds, which may have 128 bits.
_SMALLEST, LARGEST, _LARGEST_WHOLE = 1e-30, 1e30, 1e100
LARGEST_SEED = 2**53  # the page's numbers are exact for integers up to this
LONGEST = 10**7  # most entries of a sequence that is read: more would fill the memory
_MOST_WRITTEN = 10**5  # most entries of a value that an error prints
_LONGEST_SHOWN = 100  # most characters of a value that an error prints


def in_short(value) -> str:
    """Return a value as an error shows it: its ends, or its type where Python cannot print it.

    Python cannot print deeply nested lists, nor integers of thousands of digits.

    >>> in_short("0123456789" * 20)
    "'0123456789012345678901234567890123456789012345678901234567890123456789012345678...4567890123456789'"
    >>> in_short(10**5000)
    'a value of type int'
    """
    if isinstance(value, (list, tuple, dict)) and len(value) > _MOST_WRITTEN:
        return f"a {type(value).__name__} of {len(value)} entries"
    try:
        shown = repr(value)
    except Exception:  # a value's own __repr__ may raise anything
        return f"a value of type {type(value).__name__}"
    if len(shown) > _LONGEST_SHOWN:
        shown = shown[: _LONGEST_SHOWN - 20] + "..." + shown[-17:]
    return shown


def refuse(name, value, allowed):
    """Raise ValueError that names an argument, its value and what is allowed.

    >>> refuse("timeout_s", -1, "a finite number at least 0")
    Traceback (most recent call last):
    ValueError: timeout_s = -1: must be a finite number at least 0
    """
    raise refusal(f"{name} = {in_short(value)}: must be {allowed}")


def is_infinite(value) -> bool:
    """Say whether value is the number inf, as some arguments may be; text and arrays are not.

    >>> is_infinite(float("inf")), is_infinite("inf"), is_infinite(-float("inf"))
    (True, False, False)
    """
    return _as_float(value) == math.inf


def flag(name, value) -> bool:
    """Return value, or raise ValueError if it is neither True nor False.

    >>> flag("pooled", "no")
    Traceback (most recent call last):
    ValueError: pooled = 'no': must be True or False
    """
    kind = getattr(getattr(value, "dtype", None), "kind", "")  # numpy has its own booleans
    if not isinstance(value, bool) and (kind != "b" or getattr(value, "ndim", 0)):
        refuse(name, value, "True or False")
    return bool(value)


def _range_words(at_least, above, at_most, below):
    bounds = (("at least", at_least), ("above", above), ("at most", at_most), ("below", below))
    return " and ".join(f"{word} {bound:g}" for word, bound in bounds if bound is not None)


def _in_range(value, at_least, above, at_most, below, largest):
    return (
        -largest <= value <= largest  # nan is not
        and (at_least is None or value >= at_least)
        and (above is None or value > above)
        and (at_most is None or value <= at_most)
        and (below is None or value < below)
    )


def _is_another_kind(value):
    """Say whether float() would accept a value that is not a number: a bool, text, array or date.

    numpy's values have a dtype; float() would drop the imaginary part of a complex number.
    """
    kind = getattr(getattr(value, "dtype", None), "kind", "f")
    return isinstance(value, (bool, str, bytes)) or kind not in "fiu" or getattr(value, "ndim", 0)


def _as_float(value):
    """Return value as a float, or nan if it is no number."""
    if type(value) is float:  # the usual case: a curve checks thousands
        return value
    try:
        return math.nan if _is_another_kind(value) else float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def number(name, value, at_least=None, above=None, at_most=None, below=None) -> float:
    """Return value as a float, or raise ValueError if it is not a finite number in the range.

    A number above 1e30 is refused too, and one below 1e-30 where 0 is not allowed.

    >>> number("timeout_s", -1, at_least=0)
    Traceback (most recent call last):
    ValueError: timeout_s = -1: must be a finite number at least 0
    >>> number("rate_bps", 1e-308, above=0)
    Traceback (most recent call last):
    ValueError: rate_bps = 1e-308: must be a finite number above 0, from 1e-30 to 1e+30 in magnitude
    """
    result = _as_float(value)
    in_range = _in_range(result, at_least, above, at_most, below, LARGEST)
    if not in_range or (above == 0 and result < _SMALLEST):
        bounds = at_least, above, at_most, below
        words = f"a finite number {_range_words(*bounds)}".strip()
        if math.isfinite(result) and _in_range(result, *bounds, math.inf):
            words += f", from {_SMALLEST:g} to {LARGEST:g} in magnitude"
        refuse(name, value, words)
    return result


def finite(name, value) -> float:
    """Return value as a float, or raise ValueError if it is not finite; it may have any size.

    >>> finite("value", True)
    Traceback (most recent call last):
    ValueError: value = True: must be a finite number
    """
    result = _as_float(value)
    if not math.isfinite(result):
        refuse(name, value, "a finite number")
    return result


def floats(settings) -> dict:
    """Return settings with each number as a float, and everything else unchanged.

    For settings that are already checked: numpy's short numbers overflow or round, and a
    Decimal does not multiply with a float.

    >>> floats({"users": 20, "law": "window"})
    {'users': 20.0, 'law': 'window'}
    """
    found = {}
    for name, value in settings.items():
        size = _as_float(value)
        found[name] = value if math.isnan(size) else size
    return found


def integer(name, value, at_least=0, at_most=None) -> int:
    """Return value as an int, or raise ValueError if it is not a whole number in the range.

    A float that is whole, such as 40000.0 from a slider, is accepted; 1e100 is the largest.

    >>> integer("capacity", 2.5)
    Traceback (most recent call last):
    ValueError: capacity = 2.5: must be a whole number at least 0
    """
    result = _as_float(value)
    in_range = _in_range(result, at_least, None, at_most, None, _LARGEST_WHOLE)
    if not in_range or result != int(result):
        if at_most is None and result > _LARGEST_WHOLE:
            at_most = _LARGEST_WHOLE
        refuse(name, value, f"a whole number {_range_words(at_least, None, at_most, None)}")
    return int(value)


def run_seed(value) -> int:
    """Return the seed of a run as an int, or raise ValueError if it is not a whole number.

    It is at most 2^53, and so the same in the page.

    >>> run_seed(None)
    Traceback (most recent call last):
    ValueError: seed = None: must be a whole number at least 0 and at most 9.0072e+15
    """
    return integer("seed", value, at_most=LARGEST_SEED)


def choice(name, value, allowed) -> str:
    """Return value, or raise ValueError if it is not one of the allowed names.

    >>> choice("policy", "lruu", ["fifo", "lru"])
    Traceback (most recent call last):
    ValueError: policy = 'lruu': must be one of fifo, lru
    """
    if not isinstance(value, str) or value not in allowed:
        refuse(name, value, "one of " + ", ".join(allowed))
    return value


def text(name, value) -> str:
    """Return value, or raise ValueError if it is no text that can be written as UTF-8.

    >>> text("name", None)
    Traceback (most recent call last):
    ValueError: name = None: must be text that can be written as UTF-8
    """
    try:
        str.encode(value)  # lone surrogates, as from a file's name, cannot be encoded
    except (TypeError, ValueError):
        refuse(name, value, "text that can be written as UTF-8")
    return value


def path(name, value) -> str:
    """Return the name of a file, given as text or as a path, or raise ValueError.

    >>> path("roster", 3)
    Traceback (most recent call last):
    ValueError: roster = 3: must be text that can be written as UTF-8
    """
    return text(name, value.__fspath__() if hasattr(value, "__fspath__") else value)


def is_longer(values, most) -> bool:
    """Say whether a sequence has more than `most` entries; False if its length is unknown.

    >>> is_longer(range(10**30), 10**7), is_longer([1, 2], 2), is_longer(iter([1, 2]), 1)
    (True, False, False)
    """
    try:
        return len(values) > most
    except TypeError:
        return False
    except OverflowError:  # more than Python can count
        return True


def _entries(values):
    """Return a sequence as a list, or None if it has more than `LONGEST` entries."""
    if is_longer(values, LONGEST):
        return None
    if isinstance(values, (list, tuple)):
        return list(values)
    items: list = []
    for each in values:
        if len(items) == LONGEST:
            return None
        items.append(each)
    return items


def sequence(name, values, of="entries") -> list:
    """Return a non-empty sequence as a list, or raise ValueError; text and dicts are refused.

    At most 10 million entries are read, even from an endless iterator.

    >>> sequence("rows", 3)
    Traceback (most recent call last):
    ValueError: rows = 3: must be a non-empty sequence of entries
    """
    try:
        items = [] if isinstance(values, (str, bytes, dict)) else _entries(values)
    except TypeError:
        items = []
    if items is None:
        refuse(name, values, f"a sequence of at most {LONGEST} {of}")
    if not items:
        refuse(name, values, f"a non-empty sequence of {of}")
    return items


def numbers(name, values, at_least=None, above=None, at_most=None) -> list:
    """Return a non-empty sequence of finite numbers in the range as a list of floats.

    >>> numbers("sizes_bytes", [], above=0)
    Traceback (most recent call last):
    ValueError: sizes_bytes = []: must be a non-empty sequence of numbers
    """
    items = sequence(name, values, "numbers")
    return [
        number(f"{name}[{index}]", item, at_least=at_least, above=above, at_most=at_most)
        for index, item in enumerate(items)
    ]


def same_length(**sequences):
    """Raise ValueError that names the sequences and their lengths if these are not all equal.

    >>> same_length(sizes_s=[1, 2])
    >>> same_length(sizes_s=[1, 2], probabilities=[1])
    Traceback (most recent call last):
    ValueError: numbers of entries: sizes_s = 2, probabilities = 1: must be equal
    """
    lengths = [len(sequence) for sequence in sequences.values()]
    if min(lengths) != max(lengths):
        names = ", ".join(f"{name} = {len(sequence)}" for name, sequence in sequences.items())
        raise refusal(f"numbers of entries: {names}: must be equal")
