"""One parameter of a sweep: which values it takes, as a command line says it."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from tunables.options import typed_whole
from tunables.parts.model import Model, Parameter, Setting
from tunables.plain.arguments import number, text, whole
from tunables.plain.typed import typed_number
from tunables.plain.units import canonical, unit_factor
from tunables.sweep.options import FORM

MOST_VALUES = 1_000_000


@dataclass(frozen=True)
class Axis:
    """A parameter and what it may be: so many values from low to high, or those that are listed.

    count 0: any value from low to high, for a sweep that draws its points.
    Raises ValueError if the parameter may not have these values, or there are none.
    """

    parameter: Parameter
    values: tuple[Setting, ...] = ()
    low: float = 0.0
    high: float = 0.0
    count: int = 0

    def __post_init__(self) -> None:
        name = self.parameter.name
        for value in self.values or (self.low, self.high):
            self.parameter.check(value)
        if len(set(self.values)) < len(self.values):
            raise ValueError(f"{name} = {list(self.values)!r}: must be values that differ")
        if not self.values and not self.low < self.high:
            raise ValueError(f"{name} = {self.low:g}:{self.high:g}: must be from low to high")
        whole(f"count of {name}", self.count, at_most=MOST_VALUES)

    @property
    def is_open(self) -> bool:
        """Whether it names a range, and no values."""
        return not self.values and not self.count

    def __len__(self) -> int:
        return len(self.values) or self.count

    def __getitem__(self, index: int) -> Setting:
        """Return a value by its number, from 0; evenly spaced on the parameter's own scale."""
        if self.values:
            return self.values[index]
        return self.at(index / (self.count - 1))

    def at(self, share: float) -> Setting:
        """Return the value at a share of the range, from 0 to 1."""
        if self.values:
            return self.values[min(len(self.values) - 1, int(share * len(self.values)))]
        if self.parameter.whole:
            return min(int(self.high), int(self.low + share * (self.high - self.low + 1)))
        if share in (0.0, 1.0):
            return (self.low, self.high)[int(share)]
        if self.parameter.scale == "log":
            return math.exp((1 - share) * math.log(self.low) + share * math.log(self.high))
        return (1 - share) * self.low + share * self.high

    def described(self) -> dict:
        """Return it as JSON can hold it."""
        if self.values:
            return {"name": self.parameter.name, "values": list(self.values)}
        ends = {"low": self.low, "high": self.high, "count": self.count}
        return {"name": self.parameter.name} | ends


def _value(parameter: Parameter, said: str) -> float:
    try:
        value, word = typed_number(said)
        return float(f"{value * unit_factor(word, canonical(parameter.unit)):.15g}")
    except ValueError as error:
        raise ValueError(f"{parameter.name} = {said!r}: {error}") from None


def _counted(parameter: Parameter, ends: list[str]) -> list[str]:
    """Return the ends of a range of whole numbers with their count, other ends as they are."""
    if not parameter.whole:
        return ends
    first, last = (whole(parameter.name, _value(parameter, end)) for end in ends)
    return [*ends, str(last - first + 1)] if last > first else ends


def _range(parameter: Parameter, parts: list[str]) -> Axis:
    low, high = (_value(parameter, part) for part in parts[:2])
    if len(parts) == 2:
        return Axis(parameter, low=low, high=high)
    count = typed_whole(f"count of {parameter.name}", parts[2], at_least=2, at_most=MOST_VALUES)
    if not parameter.whole:
        return Axis(parameter, low=low, high=high, count=count)
    return Axis(parameter, tuple(_whole_values(parameter, low, high, count)))


def _whole_values(parameter: Parameter, low: float, high: float, count: int) -> list[int]:
    first, last = (whole(parameter.name, end) for end in (low, high))
    if count > last - first + 1:
        raise ValueError(
            f"count of {parameter.name} = {count}: must be at most {last - first + 1}, the whole "
            f"numbers from {first} to {last}"
        )
    return [first + round(n * (last - first) / (count - 1)) for n in range(count)]


def _all(parameter: Parameter) -> Axis:
    if parameter.choices:
        return Axis(parameter, parameter.choices)
    ends = [str(end) for end in (parameter.low, parameter.high)]
    return _range(parameter, _counted(parameter, ends))


def _listed(parameter: Parameter, words: str) -> Axis:
    if words in parameter.choices:  # one with a comma in it
        return Axis(parameter, (words,))
    texts = [each.strip() for each in words.split(",")]
    if parameter.choices:
        return Axis(parameter, tuple(texts))
    kind: Callable = whole if parameter.whole else number
    return Axis(parameter, tuple(kind(parameter.name, _value(parameter, each)) for each in texts))


def parsed_axis(model: Model, said: str) -> Axis:
    """Return what a text says of one parameter of a model.

    "timeout_s=0.1:2:40" is 40 values from 0.1 to 2, evenly spaced, or by equal factors where the
    parameter has a logarithmic scale and is no whole number; "retries=0:4" every whole number,
    or, of a parameter that is none, a range to draw from; "scheme=lru,mru" these; "scheme" all
    that it may be. Numbers may have a unit: "timeout_s=100 ms:2 s:40".
    Raises ValueError for an unknown parameter, a unit that does not fit, an empty range, or
    values that the parameter may not have.
    """
    name, equals, words = text("grid", said).partition("=")
    parameter = model.parameter(name.strip())
    words = words.strip()
    if not equals:
        return _all(parameter)
    parts = [part.strip() for part in words.split(":")]
    if not all(parts) or len(parts) > 3:
        raise ValueError(f"grid = {said!r}: must be {FORM}")
    if len(parts) == 1:
        return _listed(parameter, words)
    if parameter.choices:
        raise ValueError(f"grid = {said!r}: {parameter.name} is one of {parameter.choices}")
    return _range(parameter, _counted(parameter, parts) if len(parts) == 2 else parts)
