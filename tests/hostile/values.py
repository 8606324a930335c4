"""The odd values that every argument is given in turn, and every entry of a container."""

import datetime
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

NUMBERS = (
    *(math.nan, math.inf, -math.inf, 1e308, -1e308, 1e-308, 5e-324, -1, 0, 0.5),
    *(1e30, 1e-30, 2**31, 2**63, 10**400),
)
OTHERS: tuple = (None, "", "no such name", b"1", [], [[]], [math.nan], [[1.0, 2.0]], {}, 1j)
MARKUP = "<script>alert(1)</script>"
LONG = "9" * 10_000_000
TEXTS = (
    *(MARKUP, "\u202eabc\u05d0", "\U0001f642", "a\x00b", "\ud800", "１２", "%s{0}", "../../x"),
    LONG,
)


class Endless:
    """What gives one number after another and never ends."""

    def __iter__(self) -> "Endless":
        return self

    def __next__(self) -> float:
        return 1.0

    def __repr__(self) -> str:
        return "Endless()"


def nested_list(depth: int) -> list:
    """Return a list in a list in a list and so on, deeper than Python can write."""
    found: list = [1.0]
    for _ in range(depth):
        found = [found]
    return found


# What fills the memory if it is read to its end, or what Python cannot write.
VAST: tuple = (Endless(), range(10**12), range(10**30), np.broadcast_to(1.0, 10**10))
VAST += (np.broadcast_to(1.0, (10**6, 10**6)), nested_list(20_000), 10**5000)
# What no number is, though numpy or float() would make one of some.
NO_NUMBERS: tuple = (
    *(True, np.True_, np.datetime64("2005-05-06"), datetime.timedelta(seconds=1)),
    *(np.array([1.0]), np.array([[1.0, 2.0]]), np.array([1j]), np.array(["1"])),
    *(np.array([object()]), np.array([], "datetime64[s]")),
)
ALL = NUMBERS + OTHERS + TEXTS + NO_NUMBERS


def is_number(value: Any) -> bool:
    """Say whether a usual value is a number, which bools are not here."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def no_number(value: Any) -> bool:
    """Say whether a value must be refused where a number is asked for; None may mean none."""
    return value is not None and not is_number(value)


def is_plain(value: Any) -> bool:
    """Say whether a value is a caller's own to write; a case or a page is not."""
    return value is None or isinstance(value, (bool, int, float, str, bytes, list, tuple, dict))


def variants(value: Any, hostile: tuple) -> Iterator[Any]:
    """Yield value replaced by each hostile one, and a container with each of its entries so."""
    yield from hostile
    if isinstance(value, dict):
        for key, entry in value.items():
            yield from (value | {key: other} for other in variants(entry, hostile))
        if hostile is ALL:
            yield from (_without(value, key) for key in value)
            yield value | {MARKUP: 1}
    elif hasattr(value, "_asdict"):
        for key, entry in value._asdict().items():
            yield from (value._replace(**{key: other}) for other in variants(entry, NUMBERS))
    elif isinstance(value, list):
        for place, entry in enumerate(value[:2]):
            for other in variants(entry, NUMBERS):
                yield [*value[:place], other, *value[place + 1 :]]


def _without(entries: dict, key: str) -> dict:
    return {name: entry for name, entry in entries.items() if name != key}
