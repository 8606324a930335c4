"""A validity map: closed form and simulation over a grid of two parameters."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from tunables.base.arguments import choice, number, numbers, text
from tunables.core.case import Case, Simulation
from tunables.core.model import Setting


@dataclass(frozen=True)
class MapAxis:
    """One side of the grid.

    `name` is a parameter of the case, or an assumption that the closed form makes silently and
    the simulation can drop. The closed form then is the entry `assumed` of `values`;
    for a parameter of the case `assumed` is None. `short` is the label within a sentence.
    Raises ValueError for fewer than two values, or values that do not rise.
    """

    name: str
    label: str
    short: str
    unit: str
    values: tuple[float, ...]
    assumed: float | None = None

    def __post_init__(self) -> None:
        for part in ("name", "label", "short", "unit"):
            text(f"{part} of {self.name}", getattr(self, part))
        values = numbers(f"values of {self.name}", self.values)
        if len(values) < 2 or any(b <= a for a, b in pairwise(values)):
            raise ValueError(
                f"values of {self.name} = {values!r}: must be two or more in ascending order"
            )
        if self.assumed is not None and number("assumed", self.assumed) not in values:
            raise ValueError(f"assumed = {self.assumed!r}: must be one of {values!r}")


@dataclass(frozen=True)
class Cell:
    """Closed form and simulation (mean and half-width of its 95% interval), in one unit."""

    closed: float
    simulated: float
    half_width: float


@dataclass(frozen=True)
class ValidityMap:
    """A declared map: what is varied, what is compared, and why the two part.

    `settings` are the case's parameters that are not at their defaults. A run of `simulation`
    takes all parameters of the case, and the other axes as further arguments.
    Raises ValueError for an output, parameter or setting that the case does not have.
    """

    case: Case
    title: str
    x: MapAxis
    y: MapAxis
    output: str
    simulation: Simulation
    why: str
    settings: Mapping[str, Setting] = field(default_factory=dict)
    seed: int = 1

    def __post_init__(self) -> None:
        self.case.output(self.output)
        names = [parameter.name for parameter in self.case.parameters]
        for axis in (self.x, self.y):
            if axis.assumed is None:
                choice("name of an axis", axis.name, names)
                for value in axis.values:
                    self.case.settings(**{**self.settings, axis.name: value})

    def split(self, x: float, y: float) -> tuple[dict[str, Setting], dict[str, float]]:
        """Return all parameters of the case, and the assumptions, at one point of the map."""
        changes: dict[str, Setting] = dict(self.settings)
        assumptions: dict[str, float] = {}
        for axis, value in ((self.x, x), (self.y, y)):
            if axis.assumed is None:
                changes[axis.name] = value
            else:
                assumptions[axis.name] = number(axis.name, value)
        return self.case.settings(**changes), assumptions


def sweep(validity: ValidityMap) -> list[list[Cell]]:
    """Return the cells of a map: a row for each value of y, a column for each value of x.

    The closed form is asked once for cells that differ in an assumption alone.
    Raises ValueError where the simulation gives nothing above 0 to compare with.
    """
    known: dict[tuple, float] = {}

    def cell(x: float, y: float) -> Cell:
        settings, assumptions = validity.split(x, y)
        key = tuple(settings.values())
        if key not in known:
            known[key] = validity.case.predict(**settings)[validity.output]
        simulated = validity.simulation.intervals(validity.seed, **settings, **assumptions)
        mean, half_width = simulated[validity.output]
        return Cell(known[key], number(validity.output, mean, above=0), half_width)

    return [[cell(x, y) for x in validity.x.values] for y in validity.y.values]
