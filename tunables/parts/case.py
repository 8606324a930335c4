"""What is known about one published table, once: a model, its numbers, its simulation."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from tunables.evidence.published import Record
from tunables.parts.model import Model, Setting
from tunables.parts.origin import Baseline, Choice, Fit, check_origins
from tunables.parts.replication import Interval, Simulation
from tunables.plain.arguments import choice

STATUSES = ("calibrated", "predicted", "consistent", "identity", "unexplained")


@dataclass(frozen=True)
class Published:
    """A published number bound to the model: which output it is, under which settings.

    `status`: "calibrated" (a parameter was fitted to it), "predicted" (another value of it would
    have changed no parameter, hypothesis or assumption), "consistent" (nothing was fitted to it,
    but the model's form or an assumption was chosen with sight of it), "identity" (it follows
    from other numbers) or "unexplained" (no model here gives it: `output` is then empty).
    `factor` turns the document's unit into that of the output (1e-3 from ms to s).
    `rests_on`: rows that enter by the number's own settings or by arithmetic; those that enter
    by the case's fits and choices are found by `tunables.parts.freedom.rests_on`.
    """

    record: Record
    label: str
    status: str
    output: str = ""
    settings: Mapping[str, Setting] = field(default_factory=dict)
    factor: float = 1.0
    remark: str = ""
    rests_on: tuple[str, ...] = ()

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


@dataclass(frozen=True, kw_only=True)
class Case(Model):
    """A model beside the numbers that one document prints, and what was done to make it.

    `simulation` may leave out an output that it has nothing for. `fits` and `choices` say what
    was fitted to, or chosen with sight of, which numbers; `baseline` is the simplest rival.
    Raises ValueError where a number names an output or a parameter that the model has not, and
    where a status, a fit or a choice contradict each other.
    """

    numbers: tuple[Published, ...]
    simulation: Simulation
    fits: tuple[Fit, ...] = ()
    choices: tuple[Choice, ...] = ()
    baseline: Baseline | None = None

    def __post_init__(self) -> None:
        outputs = [output.name for output in self.outputs]
        for published in self.numbers:
            if published.output:
                choice(f"output of {published.record.row_id}", published.output, outputs)
            self.settings(**published.settings)
        check_origins(
            {number.record.row_id: number.status for number in self.numbers},
            {parameter.name: parameter.origin for parameter in self.parameters},
            self.fits,
            self.choices,
        )
        rows = [published.record.row_id for published in self.numbers]
        for row in (
            *(row for published in self.numbers for row in published.rests_on),
            *(self.baseline.values if self.baseline else ()),
        ):
            choice("row_id", row, rows)

    @property
    def by_row(self) -> dict[str, Published]:
        """The published numbers by their row ids."""
        return {number.record.row_id: number for number in self.numbers}

    def answer(self, number: Published, **changes: Setting) -> float:
        """Return what the closed form says of a number, with some parameters changed."""
        settings = self.settings(**number.settings) | changes
        return _predicted(self.predict, tuple(settings.items()))[number.output]

    def simulate(self, seed: int, **settings: Setting) -> dict[str, Interval]:
        """Return {output: (mean, half-width of its 95 % interval)}; the same for the same seed."""
        return self.simulation.intervals(seed, **settings)


@lru_cache(maxsize=2048)  # numbers share their settings, and a ledger asks for each many times
def _predicted(
    predict: Callable[..., dict[str, float]], settings: tuple[tuple[str, Setting], ...]
) -> dict[str, float]:
    return predict(**dict(settings))
