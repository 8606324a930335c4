"""A sweep: its points, by their numbers; nothing of it is kept in memory."""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from tunables import __version__
from tunables.parts.case import Case
from tunables.parts.model import Setting
from tunables.parts.registry import find_case
from tunables.plain.arguments import whole
from tunables.sweep.axes import Axis

MOST_ROWS = 100_000_000
MOST_DRAWN = 10_000_000  # a worker goes through the sequence up to its chunk
MOST_FILES = 1_000_000  # of a folder
FORM = 1  # of the files


@dataclass(frozen=True)
class Plan:
    """A case at every combination of its axes' values, the last axis running fastest.

    drawn: so many points in place of all combinations, from a scrambled Sobol sequence (Sobol
    1967; Owen 1998), the same each time. seeds: so many simulated runs at each point, with the
    seeds 1, 2, ...; 0 for the closed form alone. chunk: points that are one file, and one task.
    Raises ValueError for a sweep without points, with more than 10^8 rows, 10^6 files or 10^7
    points drawn,
    with an axis twice, or with a range of which nobody says how many values it has.
    """

    case: str
    axes: tuple[Axis, ...]
    drawn: int = 0
    seeds: int = 0
    chunk: int = 512

    def __post_init__(self) -> None:
        names = [axis.parameter.name for axis in self.axes]
        if not names or len(set(names)) < len(names):
            raise ValueError(f"grid = {names}: must be one or more parameters, each once")
        for axis in self.axes:
            if axis.is_open and not self.drawn:
                raise ValueError(
                    f"grid of {axis.parameter.name} = {axis.low:g}:{axis.high:g}: must say how "
                    "many values, as LOW:HIGH:COUNT, or draw points with sobol"
                )
        whole("sobol", self.drawn, at_most=MOST_DRAWN)
        whole("seeds", self.seeds)
        whole("chunk", self.chunk, at_least=1, at_most=MOST_ROWS)
        whole("rows of the sweep", self.rows, at_least=1, at_most=MOST_ROWS)
        whole("files of the sweep, points / chunk", self.chunks, at_most=MOST_FILES)
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

    def described(self) -> dict[str, Any]:
        """Return the sweep as JSON can hold it: who has the same has the same files."""
        swept = {axis.parameter.name for axis in self.axes}
        others = self.model.settings().items()
        return {
            "form": FORM,
            "tunables": __version__,
            "case": self.case,
            "axes": [axis.described() for axis in self.axes],
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
    """Return the plan that `described` told, as JSON."""
    told = json.loads(text)
    case = find_case(told["case"])
    axes = []
    for each in told["axes"]:
        fields = {**each, "values": tuple(each.get("values", ()))}
        axes.append(Axis(case.parameter(fields.pop("name")), **fields))
    return Plan(case.name, tuple(axes), told["sobol"], told["seeds"], told["chunk"])
