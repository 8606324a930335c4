"""Argument checks that name the argument, its value and what is allowed.

The bottom of the house: everything may import this file and it imports nothing of ours.
It stays within what MicroPython runs, since the closed forms use it in the page.
"""

import math

# Nothing that is measured, in SI units, lies beyond these; quotients, squares and cubes of what
# does would not be finite. Whole numbers are counts, and seeds, which may have 128 bits.
_SMALLEST, LARGEST, _LARGEST_WHOLE = 1e-30, 1e30, 1e100
LARGEST_SEED = 2**53  # of a run: the page's numbers hold every whole number up to it
_LONGEST_SHOWN = 100  # characters of a value that an error tells back


def _refuse(name, value, allowed):
    shown = repr(value)
    if len(shown) > _LONGEST_SHOWN:
        shown = shown[: _LONGEST_SHOWN - 20] + "..." + shown[-17:]
    raise ValueError(f"{name} = {shown}: must be {allowed}")


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
    kind = getattr(getattr(value, "dtype", None), "kind", "")  # numpy has truth values of its own
    if not isinstance(value, bool) and (kind != "b" or getattr(value, "ndim", 0)):
        _refuse(name, value, "True or False")
    return bool(value)


def _range_words(at_least, above, at_most, below):
    bounds = (("at least", at_least), ("above", above), ("at most", at_most), ("below", below))
    return " and ".join(f"{word} {bound:g}" for word, bound in bounds if bound is not None)


def _in_range(value, at_least, above, at_most, below, largest):
    return (
        -largest <= value <= largest  # which nan is not
        and (at_least is None or value >= at_least)
        and (above is None or value > above)
        and (at_most is None or value <= at_most)
        and (below is None or value < below)
    )


def _is_another_kind(value):
    """Say whether float() would make a number of what is none: truth values, text, arrays, dates.

    numpy's have a dtype; of a complex number it would drop a part.
    """
    kind = getattr(getattr(value, "dtype", None), "kind", "f")
    return isinstance(value, (bool, str, bytes)) or kind not in "fiu" or getattr(value, "ndim", 0)


def _as_float(value):
    """Return value as a float, or nan if it is no number."""
    if type(value) is float:  # as most are: a curve checks thousands
        return value
    try:
        return math.nan if _is_another_kind(value) else float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def number(name, value, at_least=None, above=None, at_most=None, below=None) -> float:
    """Return value as a float, or raise ValueError if it is not a finite number in the range.

    Nor is a size allowed that nobody measures: above 1e30, or where 0 is not allowed, below
    1e-30.

    >>> number("timeout_s", -1, at_least=0)
    Traceback (most recent call last):
    ValueError: timeout_s = -1: must be a finite number at least 0
    >>> number("rate_bps", 1e-308, above=0)
    Traceback (most recent call last):
    ValueError: rate_bps = 1e-308: must be a finite number above 0, from 1e-30 to 1e+30 in size
    """
    result = _as_float(value)
    in_range = _in_range(result, at_least, above, at_most, below, LARGEST)
    if not in_range or (above == 0 and result < _SMALLEST):
        bounds = at_least, above, at_most, below
        words = f"a finite number {_range_words(*bounds)}".strip()
        if math.isfinite(result) and _in_range(result, *bounds, math.inf):
            words += f", from {_SMALLEST:g} to {LARGEST:g} in size"
        _refuse(name, value, words)
    return result


def finite(name, value) -> float:
    """Return value as a float, or raise ValueError if it is not finite; it may have any size.

    >>> finite("value", True)
    Traceback (most recent call last):
    ValueError: value = True: must be a finite number
    """
    result = _as_float(value)
    if not math.isfinite(result):
        _refuse(name, value, "a finite number")
    return result


def whole(name, value, at_least=0, at_most=None) -> int:
    """Return value as an int, or raise ValueError if it is not a whole number in the range.

    A float that is whole, such as 40000.0 from a slider, is accepted; 1e100 is the largest.

    >>> whole("capacity", 2.5)
    Traceback (most recent call last):
    ValueError: capacity = 2.5: must be a whole number at least 0
    """
    result = _as_float(value)
    in_range = _in_range(result, at_least, None, at_most, None, _LARGEST_WHOLE)
    if not in_range or result != int(result):
        if at_most is None and result > _LARGEST_WHOLE:
            at_most = _LARGEST_WHOLE
        _refuse(name, value, f"a whole number {_range_words(at_least, None, at_most, None)}")
    return int(value)


def run_seed(value) -> int:
    """Return the seed of a run as an int, or raise ValueError if it is not a whole number.

    It is at most 2^53, and so the same in the page.

    >>> run_seed(None)
    Traceback (most recent call last):
    ValueError: seed = None: must be a whole number at least 0 and at most 9.0072e+15
    """
    return whole("seed", value, at_most=LARGEST_SEED)


def choice(name, value, allowed) -> str:
    """Return value, or raise ValueError if it is not one of the allowed names.

    >>> choice("policy", "lruu", ["fifo", "lru"])
    Traceback (most recent call last):
    ValueError: policy = 'lruu': must be one of fifo, lru
    """
    if not isinstance(value, str) or value not in allowed:
        _refuse(name, value, "one of " + ", ".join(allowed))
    return value


def text(name, value) -> str:
    """Return value, or raise ValueError if it is no text that can be written as UTF-8.

    >>> text("name", None)
    Traceback (most recent call last):
    ValueError: name = None: must be a text of whole characters
    """
    try:
        str.encode(value)  # which halves of a character, as from a file's name, have not
    except (TypeError, ValueError):
        _refuse(name, value, "a text of whole characters")
    return value


def path(name, value) -> str:
    """Return the name of a file, given as text or as a path, or raise ValueError.

    >>> path("roster", 3)
    Traceback (most recent call last):
    ValueError: roster = 3: must be a text of whole characters
    """
    return text(name, value.__fspath__() if hasattr(value, "__fspath__") else value)


def sequence(name, values, of="entries") -> list:
    """Return a non-empty sequence as a list, or raise ValueError; text and dicts are none.

    >>> sequence("rows", 3)
    Traceback (most recent call last):
    ValueError: rows = 3: must be a non-empty sequence of entries
    """
    try:
        items = [] if isinstance(values, (str, bytes, dict)) else list(values)
    except TypeError:
        items = []
    if not items:
        _refuse(name, values, f"a non-empty sequence of {of}")
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
    ValueError: number of entries of sizes_s = 2, probabilities = 1: must be equal
    """
    lengths = [len(sequence) for sequence in sequences.values()]
    if min(lengths) != max(lengths):
        names = ", ".join(f"{name} = {len(sequence)}" for name, sequence in sequences.items())
        raise ValueError(f"number of entries of {names}: must be equal")
