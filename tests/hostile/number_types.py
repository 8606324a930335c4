"""The same call with a number as Python's and as each other type: the answers must not differ.

A function that checks an argument and then computes with what it was given, not with the checked
number, overflows a numpy integer without a word, loses digits to a short numpy float, and gives a
TypeError for a Decimal.
"""

import itertools
import math
from collections.abc import Callable, Collection, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from tests.hostile.calls import Call
from tests.hostile.values import is_number


class Indexed:
    """A whole number that has `__index__` and nothing else."""

    def __init__(self, value: int):
        self.value = value

    def __index__(self) -> int:
        return self.value

    def __repr__(self) -> str:
        return f"Indexed({self.value})"


_INTEGERS = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64)
_FLOATS = (np.float16, np.float32, np.float64, np.longdouble)


def _fits(kind: type[np.integer], value: int) -> bool:
    return np.iinfo(kind).min <= value <= np.iinfo(kind).max


def others(value: float) -> Iterator[tuple[int | float, Any]]:
    """Yield (Python's number, the same one of another type) near the value.

    An integer type holds the value rounded up, and a float type the value rounded to it.

    >>> [repr(other) for plain, other in others(3) if isinstance(other, np.uint8)]
    ['np.uint8(3)']
    """
    up = math.ceil(value)
    for kind in _INTEGERS:
        if _fits(kind, up):
            yield up, kind(up)
    yield up, Indexed(up)
    yield value, Fraction(value)
    yield value, Decimal(value)
    with np.errstate(over="ignore"):
        rounded = [kind(value) for kind in _FLOATS]
    for other in rounded:
        # What one of them rounds to 0 or to infinity is another number.
        if math.isfinite(other) and (other != 0 or value == 0):
            yield float(other), other
            yield float(other), np.array(other)


def _with_numbers(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield (with Python's number, with the other) for each number within an argument."""
    if is_number(value):
        yield from others(value) if math.isfinite(value) else ()
    elif isinstance(value, dict):
        for key, entry in value.items():
            yield from ((value | {key: a}, value | {key: b}) for a, b in _with_numbers(entry))
    elif hasattr(value, "_asdict"):
        for key, entry in value._asdict().items():
            pairs = _with_numbers(entry)
            yield from ((value._replace(**{key: a}), value._replace(**{key: b})) for a, b in pairs)
    elif isinstance(value, (list, tuple)):
        for place, entry in enumerate(value[:2]):
            for pair in _with_numbers(entry):
                plain, other = ([*value[:place], each, *value[place + 1 :]] for each in pair)
                yield type(value)(plain), type(value)(other)


class Pair(NamedTuple):
    """An argument of a call, as Python's number and as another type's."""

    argument: str
    plain: Any
    other: Any


def pairs(call: Call) -> Iterator[Pair]:
    """Yield what `others` gives, for each number within each argument of a call."""
    for name, value in call.arguments.items():
        for plain, other in _with_numbers(value):
            yield Pair(name, plain, other)


def exactly(value: Any) -> Any:
    """Return a result so that only what has the same types and the same bits is equal to it."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, dict):
        return type(value).__name__, [(exactly(key), exactly(each)) for key, each in value.items()]
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [exactly(each) for each in value]
    if hasattr(value, "__dataclass_fields__"):
        return type(value).__name__, exactly(vars(value))
    return type(value).__name__, repr(value)


def outcome(function: Callable, arguments: dict) -> Any:
    """Return what a call answers, exactly, or that it is refused."""
    try:
        return exactly(function(**arguments))
    except ValueError:
        return "refused"


def differences(call: Call, may_refuse: Collection[str] = (), step: int = 1) -> list[str]:
    """Return each argument whose type, and not its value, changes the answer, with the type.

    may_refuse: arguments, read as arrays, that need not know what is neither Python's nor numpy's.
    step: one number of another type in so many is tried.
    """
    found: dict[str, str] = {}
    known: dict[str, Any] = {}
    for argument, plain, other in itertools.islice(pairs(call), 0, None, step):
        key = f"{argument} {plain!r}"
        if key not in known:
            known[key] = outcome(call.function, call.arguments | {argument: plain})
        try:
            answer = outcome(call.function, call.arguments | {argument: other})
        except Exception as error:  # a TypeError, mostly
            answer = f"{type(error).__name__}: {error}"
        if answer == "refused" and argument in may_refuse:
            continue
        if answer != known[key]:
            said = answer if isinstance(answer, str) else "another answer"
            found.setdefault(argument, f"{call.name}({argument}={other!r}): {said[:150]}")
    return list(found.values())
