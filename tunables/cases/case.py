"""What is known about one published table, once: parameters, numbers, closed form, simulation."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from tunables.arguments import choice, number, whole
from tunables.evidence.published import Record

Setting = float | str
Scale = Literal["linear", "log"]
Interval = tuple[float, float]

ORIGINS = ("published", "calibrated", "assumed")
STATUSES = ("calibrated", "predicted", "identity", "unexplained")


@dataclass(frozen=True)
class Parameter:
    """One argument of the case's `predict`.

    `origin` says how its default is known and `source` where: "published" (the place in the
    document), "calibrated" (the number that it was fitted to) or "assumed" (why).
    A parameter has either a range (`low` to `high`, on a "linear" or "log" scale, in whole
    numbers if `whole`) or `choices`.
    Raises ValueError for an unknown origin or scale, or a default outside the range.
    """

    name: str
    label: str
    unit: str
    default: Setting
    origin: str
    source: str
    low: float = 0.0
    high: float = 1.0
    scale: Scale = "linear"
    whole: bool = False
    choices: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        choice(f"origin of {self.name}", self.origin, ORIGINS)
        choice(f"scale of {self.name}", self.scale, get_args(Scale))
        self.check(self.default)

    def check(self, value: Setting) -> Setting:
        """Return value, or raise ValueError if this parameter may not have it."""
        if self.choices:
            return choice(self.name, value, self.choices)
        kind = whole if self.whole else number
        return kind(self.name, value, at_least=self.low, at_most=self.high)


@dataclass(frozen=True)
class Output:
    """One entry of what `predict` returns, and how many decimals of it are worth showing.

    `digits` None means three significant digits, where a reader's numbers may be of any size.
    """

    name: str
    label: str
    unit: str
    digits: int | None


@dataclass(frozen=True)
class Published:
    """A published number bound to the model: which output it is, under which settings.

    `status`: "calibrated" (a parameter was fitted to it), "predicted", "identity" (it follows
    from other numbers) or "unexplained" (no model here gives it: `output` is then empty).
    `factor` turns the document's unit into that of the output (1e-3 from ms to s).
    """

    record: Record
    label: str
    status: str
    output: str = ""
    settings: Mapping[str, Setting] = field(default_factory=dict)
    factor: float = 1.0
    remark: str = ""

    def __post_init__(self) -> None:
        choice(f"status of {self.record.row_id}", self.status, STATUSES)
        if (self.output == "") != (self.status == "unexplained"):
            raise ValueError(
                f"output = {self.output!r}: must be given for {self.record.row_id}, unless its "
                "status is unexplained"
            )

    @property
    def value(self) -> float:
        """The number in the unit of the output."""
        return self.record.value * self.factor

    @property
    def resolution(self) -> float:
        """Width of the interval that rounds to the number, in the unit of the output."""
        return self.record.resolution * self.factor


@dataclass(frozen=True)
class View:
    """A chart of the explorer: output `y` over parameter `x`, on a grid of `points`."""

    x: str
    y: str
    title: str
    points: int = 81


@dataclass(frozen=True)
class Case:
    """All that is known about one published table.

    `predict(**parameters) -> {output: float}` is the closed form, the function `predict` of the
    module named `predictor`. `simulate(seed, **parameters) -> {output: (mean, half-width)}`
    may leave out an output that it has no simulation for.
    Raises ValueError where a number names an output or a parameter that the case has not.
    """

    name: str
    chapter: int
    title: str
    document: str
    predictor: str
    parameters: tuple[Parameter, ...]
    outputs: tuple[Output, ...]
    numbers: tuple[Published, ...]
    views: tuple[View, ...]
    predict: Callable[..., dict[str, float]]
    simulate: Callable[..., dict[str, Interval]]

    def __post_init__(self) -> None:
        outputs = [output.name for output in self.outputs]
        for published in self.numbers:
            if published.output:
                choice(f"output of {published.record.row_id}", published.output, outputs)
            self.settings(**published.settings)

    def settings(self, **changes: Setting) -> dict[str, Setting]:
        """Return all parameters at their defaults but for the changes given.

        Raises ValueError for an unknown name or a value out of range.
        """
        by_name = {parameter.name: parameter for parameter in self.parameters}
        for name in changes:
            choice("parameter", name, list(by_name))
        return {name: p.check(changes.get(name, p.default)) for name, p in by_name.items()}

    def output(self, name: str) -> Output:
        """Return the output of that name; raises ValueError for an unknown one."""
        by_name = {output.name: output for output in self.outputs}
        return by_name[choice("output", name, list(by_name))]
