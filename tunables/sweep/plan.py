"""A sweep: its axes as a command line names them, and its points by their numbers.

No point is kept in memory.
"""

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from tunables import __version__
from tunables.base.arguments import integer, number, text
from tunables.base.numbers_as_text import parse_number
from tunables.base.units import canonical, in_unit, unit_text
from tunables.core.case import Case
from tunables.core.model import Model, Parameter, Setting
from tunables.core.registry import find_case
from tunables.options import FORM, parse_integer
from tunables.page.formats import shortest

MOST_VALUES = 1_000_000
MOST_SHOWN = 8  # values of a parameter, in words


@dataclass(frozen=True)
class Axis:
    """A parameter and its values: `count` of them from low to high, or those that are listed.

    count 0: any value from low to high, for a sweep that draws its points.
    Raises ValueError if the parameter may not have these values, or if there are none.
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
            raise ValueError(f"{name} = {list(self.values)!r}: the values must all be different")
        if not self.values and not self.low < self.high:
            raise ValueError(f"{name} = {self.low:g}:{self.high:g}: must go from low to high")
        integer(f"count of {name}", self.count, at_most=MOST_VALUES)

    @property
    def is_open(self) -> bool:
        """Whether it is a range without values."""
        return not self.values and not self.count

    def __len__(self) -> int:
        return len(self.values) or self.count

    def __getitem__(self, index: int) -> Setting:
        """Return a value by its number, from 0; evenly spaced on the parameter's scale."""
        if self.values:
            return self.values[index]
        return self.at(index / (self.count - 1))

    def at(self, share: float) -> Setting:
        """Return the value at a share of the range, from 0 to 1."""
        if self.values:
            return self.values[min(len(self.values) - 1, int(share * len(self.values)))]
        if self.parameter.integer:
            return min(int(self.high), int(self.low + share * (self.high - self.low + 1)))
        if share in (0.0, 1.0):
            return (self.low, self.high)[int(share)]
        if self.parameter.scale == "log":
            return math.exp((1 - share) * math.log(self.low) + share * math.log(self.high))
        return (1 - share) * self.low + share * self.high

    def words(self) -> str:
        """Return what was understood, with units: "timeout_s: from 0.1 s to 2 s"."""
        unit = unit_text(self.parameter.unit)
        shown = [
            value if isinstance(value, str) else shortest(value) + unit
            for value in self.values or (self.low, self.high)
        ]
        listed = self.values and len(shown) <= MOST_SHOWN
        words = ", ".join(shown) if listed else f"from {shown[0]} to {shown[-1]}"
        return f"{self.parameter.name}: {words}"

    def describe(self) -> dict:
        """Return it as JSON can hold it."""
        if self.values:
            return {"name": self.parameter.name, "values": list(self.values)}
        ends = {"low": self.low, "high": self.high, "count": self.count}
        return {"name": self.parameter.name} | ends


def _value(parameter: Parameter, words: str) -> float:
    try:
        value, word = parse_number(words)
        return float(f"{in_unit(value, word, canonical(parameter.unit)):.15g}")
    except ValueError as error:
        raise ValueError(f"{parameter.name} = {words!r}: {error}") from None


def _add_count(parameter: Parameter, ends: list[str]) -> list[str]:
    """Return the ends of a range of whole numbers with their count, other ends as they are."""
    if not parameter.integer:
        return ends
    first, last = (integer(parameter.name, _value(parameter, end)) for end in ends)
    return [*ends, str(last - first + 1)] if last > first else ends


def _range(parameter: Parameter, parts: list[str]) -> Axis:
    low, high = (_value(parameter, part) for part in parts[:2])
    if len(parts) == 2:
        return Axis(parameter, low=low, high=high)
    count = parse_integer(f"count of {parameter.name}", parts[2], at_least=2, at_most=MOST_VALUES)
    if not parameter.integer:
        return Axis(parameter, low=low, high=high, count=count)
    return Axis(parameter, tuple(_whole_values(parameter, low, high, count)))


def _whole_values(parameter: Parameter, low: float, high: float, count: int) -> list[int]:
    first, last = (integer(parameter.name, end) for end in (low, high))
    if count > last - first + 1:
        raise ValueError(
            f"count of {parameter.name} = {count}: must be at most {last - first + 1}, since "
            f"there are no more whole numbers from {first} to {last}"
        )
    return [first + round(n * (last - first) / (count - 1)) for n in range(count)]


def _all(parameter: Parameter) -> Axis:
    if parameter.choices:
        return Axis(parameter, parameter.choices)
    ends = [str(end) for end in (parameter.low, parameter.high)]
    return _range(parameter, _add_count(parameter, ends))


def _list_values(parameter: Parameter, words: str) -> Axis:
    if words in parameter.choices:  # one with a comma in it
        return Axis(parameter, (words,))
    texts = [each.strip() for each in words.split(",")]
    if parameter.choices:
        return Axis(parameter, tuple(texts))
    kind: Callable = integer if parameter.integer else number
    return Axis(parameter, tuple(kind(parameter.name, _value(parameter, each)) for each in texts))


def parse_axis(model: Model, given: str) -> Axis:
    """Return what a text says of one parameter of a model.

    "timeout_s=0.1:2:40" is 40 values from 0.1 to 2, evenly spaced, or by equal factors where the
    parameter has a logarithmic scale and is no whole number; "retries=0:4" every whole number,
    or, for other parameters, a range to draw from; "scheme=lru,mru" these; "scheme" all
    that it may be. Numbers may have a unit: "timeout_s=100 ms:2 s:40". A number without one has the
    unit that is beside it: here in the parameter's name, on the page in the field.
    Raises ValueError for an unknown parameter, a unit that does not fit, an empty range, or
    values that the parameter may not have.

    >>> from tunables.core.registry import find_case
    >>> parse_axis(find_case("rrd"), "graphs=1000:45000:5").values
    (1000, 12000, 23000, 34000, 45000)
    """
    name, equals, words = text("grid", given).partition("=")
    parameter = model.parameter(name.strip())
    words = words.strip()
    if not equals:
        return _all(parameter)
    parts = [part.strip() for part in words.split(":")]
    if not all(parts) or len(parts) > 3:
        raise ValueError(f"grid = {given!r}: must be {FORM}")
    if len(parts) == 1:
        return _list_values(parameter, words)
    if parameter.choices:
        raise ValueError(f"grid = {given!r}: {parameter.name} must be one of {parameter.choices}")
    return _range(parameter, _add_count(parameter, parts) if len(parts) == 2 else parts)


MOST_ROWS = 100_000_000
MOST_DRAWN = 10_000_000  # a worker goes through the sequence up to its chunk
MOST_FILES = 1_000_000  # in one folder
FILE_FORM = 1  # the version of the files


@dataclass(frozen=True)
class Plan:
    """A case at every combination of its axes' values, the last axis running fastest.

    drawn: how many points replace all combinations, from a scrambled Sobol sequence (Sobol
    1967; Owen 1998), the same each time. seeds: how many simulated runs at each point, with the
    seeds 1, 2, ...; 0 for the closed form alone. chunk: points that are one file, and one task.
    Raises ValueError for a sweep without points, with more than 10^8 rows, 10^6 files or 10^7
    points drawn,
    with an axis twice, or with a range without a number of values.
    """

    case: str
    axes: tuple[Axis, ...]
    drawn: int = 0
    seeds: int = 0
    chunk: int = 512

    def __post_init__(self) -> None:
        names = [axis.parameter.name for axis in self.axes]
        if not names or len(set(names)) < len(names):
            raise ValueError(f"grid = {names}: must name one or more parameters, each once")
        for axis in self.axes:
            if axis.is_open and not self.drawn:
                raise ValueError(
                    f"grid of {axis.parameter.name} = {axis.low:g}:{axis.high:g}: must say how "
                    "many values to use (LOW:HIGH:COUNT), unless you draw the points with sobol"
                )
        integer("sobol", self.drawn, at_most=MOST_DRAWN)
        integer("seeds", self.seeds)
        integer("chunk", self.chunk, at_least=1, at_most=MOST_ROWS)
        integer("rows of the sweep", self.rows, at_least=1, at_most=MOST_ROWS)
        integer("number of files (points / chunk)", self.chunks, at_most=MOST_FILES)
        self.settings(0)

    @cached_property
    def model(self) -> Case:
        """The case itself, found once: a sweep asks it for the settings of each point."""
        return find_case(self.case)

    @property
    def points(self) -> int:
        """How many settings there are."""
        return self.drawn or math.prod(len(axis) for axis in self.axes)

    @property
    def rows(self) -> int:
        """How many rows there are: of each point one, or one a seed."""
        return self.points * max(1, self.seeds)

    @property
    def chunks(self) -> int:
        """How many files there are."""
        return -(-self.points // self.chunk)

    def settings(self, point: int) -> dict[str, Setting]:
        """Return all parameters of the case at one point of a grid."""
        changes: dict[str, Setting] = {}
        for axis in reversed(self.axes):
            point, here = divmod(point, max(1, len(axis)))
            changes[axis.parameter.name] = axis.at(0.5) if self.drawn else axis[here]
        return self.model.settings(**changes)

    def chunk_settings(self, chunk: int) -> Iterator[dict[str, Setting]]:
        """Yield the settings of a chunk's points, in their order."""
        first = chunk * self.chunk
        last = min(self.points, first + self.chunk)
        if not self.drawn:
            yield from (self.settings(point) for point in range(first, last))
            return
        for shares in _sobol(len(self.axes), first, last):
            changes = {
                axis.parameter.name: axis.at(float(share))
                for axis, share in zip(self.axes, shares, strict=True)
            }
            yield self.model.settings(**changes)

    def describe(self) -> dict[str, Any]:
        """Return the sweep for JSON: equal descriptions mean equal files."""
        swept = {axis.parameter.name for axis in self.axes}
        others = self.model.settings().items()
        return {
            "form": FILE_FORM,
            "tunables": __version__,
            "case": self.case,
            "axes": [axis.describe() for axis in self.axes],
            "fixed": {name: value for name, value in others if name not in swept},
            "sobol": self.drawn,
            "seeds": self.seeds,
            "chunk": self.chunk,
        }


def _sobol(dimensions: int, first: int, last: int) -> Sequence[Sequence[float]]:
    """Return the points of the sequence with these numbers."""
    from scipy.stats.qmc import Sobol

    sequence = Sobol(dimensions, scramble=True, rng=1)
    whole_chunk = 1 << max(0, last - first - 1).bit_length()  # a power of two, as it wants
    if first:
        sequence.fast_forward(first)
    return sequence.random(whole_chunk)[: last - first]


@lru_cache(maxsize=4)
def plan_of(text: str) -> Plan:
    """Return the plan that `describe` gave, as JSON."""
    described = json.loads(text)
    case = find_case(described["case"])
    axes = []
    for each in described["axes"]:
        fields = {**each, "values": tuple(each.get("values", ()))}
        axes.append(Axis(case.parameter(fields.pop("name")), **fields))
    return Plan(case.name, tuple(axes), described["sobol"], described["seeds"], described["chunk"])
