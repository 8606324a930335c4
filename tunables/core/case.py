"""What is known about one published table: a model, its numbers, origins and simulation."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from tunables.base.arguments import choice, integer, refuse
from tunables.base.refusals import refusal
from tunables.base.statistics import interval
from tunables.core.model import Model, Setting
from tunables.evidence.published import Record


@dataclass(frozen=True)
class Calibration:
    """One step of a calibration: parameters of the case, fitted to published numbers.

    `rows` are row ids of the case's numbers. `inner` names the fitted values themselves where
    a parameter only sums them up (the mean of five costs), or where the case has no parameter
    for them; they are then what is counted. A fit of a `rival` hypothesis alone, which the case's
    defaults do not use, says where its parameters come from and counts for nothing else.
    Raises ValueError for a fit of nothing, or to nothing.
    """

    parameters: tuple[str, ...]
    rows: tuple[str, ...]
    inner: tuple[str, ...] = ()
    rival: bool = False

    def __post_init__(self) -> None:
        if not self.rows or not (self.parameters or self.inner):
            raise refusal(f"{self}: must name what was fitted, and the rows that it was fitted to")


@dataclass(frozen=True)
class Choice:
    """A form of the model, or an assumption, that was chosen after seeing published numbers.

    `what` completes the sentence "Chosen after seeing the number: ...".
    `rows` are the row ids seen; `parameters` the case's parameters that express the choice, or
    none if all of the model does.
    Raises ValueError for a choice without text or rows.
    """

    what: str
    rows: tuple[str, ...]
    parameters: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.what or not self.rows:
            raise refusal(f"{self}: must say what was chosen, and after seeing which rows")


@dataclass(frozen=True)
class Baseline:
    """The simplest rival that a sceptic would offer.

    `values`: its number for each row id it speaks of, in the unit of the case's output.
    `rows` are the rows that it was fitted to. `earns` is a sentence on what the model adds
    to it, where errors do not show that.
    Raises ValueError for a rival that speaks of no row.
    """

    label: str
    values: Mapping[str, float]
    rows: tuple[str, ...] = ()
    earns: str = ""

    def __post_init__(self) -> None:
        if not self.values:
            raise refusal(f"values of baseline {self.label!r}: must have at least one row")


def check_origins(
    statuses: Mapping[str, str],
    origins: Mapping[str, str],
    fits: tuple[Calibration, ...],
    choices: tuple[Choice, ...],
) -> None:
    """Raise ValueError unless statuses (by row) and origins (by parameter) follow from the rest.

    A number is calibrated only if something was fitted to it; predicted only if nothing was
    fitted to it or chosen after seeing it; consistent if something was chosen, and nothing
    fitted. A number that the model only bounds was not fitted to: a fit would move the bound to
    where it holds. A parameter is calibrated if one fit, and no other, gives it.
    """
    fitted = {row for fit in fits for row in fit.rows if not fit.rival}
    seen = {row for each in choices for row in each.rows}
    steps: list[Calibration | Choice] = [*fits, *choices]
    for row in (row for step in steps for row in step.rows):
        choice("row_id of a fit or choice", row, list(statuses))
    for step in steps:
        for name in step.parameters:
            choice("parameter of a fit or choice", name, list(origins))
    for row, status in statuses.items():
        allowed = {
            "calibrated": row in fitted,
            "predicted": row not in fitted | seen,
            "consistent": row in seen - fitted,
            "bound": row not in fitted,
        }
        if not allowed.get(status, True):
            raise refusal(
                f"status of {row} = {status!r}: must match what was done "
                f"(a parameter was fitted to it: {row in fitted}; "
                f"something was chosen after seeing it: {row in seen})"
            )
    given = [name for fit in fits for name in fit.parameters]
    for name, origin in origins.items():
        if statuses and given.count(name) != (origin == "calibrated"):
            raise refusal(
                f"origin of {name} = {origin!r}: given by {given.count(name)} of the fits, "
                "but must be given by exactly one if it is calibrated, and by none otherwise"
            )


Run = dict[str, float]
Interval = tuple[float, float]


@dataclass(frozen=True)
class Simulation:
    """One run, `run(seed, **arguments) -> {output: float}`, and how many make an interval.

    A seed s means the runs with the seeds n s, n s + 1, ..., n s + n - 1, where n is
    `replications`: settings compared under one seed have the same random numbers.
    `needed(**arguments)` says how many of these n some arguments take, where fewer do: one, if
    their run draws nothing. One run has a half-width of 0.
    """

    run: Callable[..., Run]
    replications: int = 1
    needed: Callable[..., int] | None = None

    def runs(self, seed: int, **arguments) -> list[Run]:
        """Return what each replication says; raises ValueError unless seed is whole."""
        first = self.replications * integer("seed", seed)
        count = self.needed(**arguments) if self.needed else self.replications
        return [self.run(each, **arguments) for each in range(first, first + count)]

    def intervals(self, seed: int, **arguments) -> dict[str, Interval]:
        """Return {output: (mean, half-width of its 95% interval)} over the replications."""
        runs = self.runs(seed, **arguments)
        return {output: interval([run[output] for run in runs]) for output in runs[0]}


STATUSES = ("calibrated", "predicted", "consistent", "bound", "identity", "unexplained")
# The model says that the number is at least, or at most, its output. How the output then compares
# with the number, as a relation of `tunables.base.agreement`:
SIDES = {"at least": "at most", "at most": "at least"}


@dataclass(frozen=True)
class Published:
    """A published number bound to the model: which output it is, under which settings.

    `status`: "calibrated" (a parameter was fitted to it), "predicted" (another value of it would
    have changed no parameter, hypothesis or assumption), "consistent" (nothing was fitted to it,
    but the model's form or an assumption was chosen after seeing it), "bound" (the model only
    says that it is at least, or at most, the output: `side` says which), "identity" (it follows
    from other published numbers by arithmetic, whatever the model) or "unexplained" (no model
    here gives it: `output` is then empty).
    `factor` turns the document's unit into that of the output (1e-3 from ms to s).
    `rests_on`: rows that enter by the number's settings or by arithmetic; rows that enter by
    the case's fits and choices are found by `tunables.core.ledger.rests_on`.
    """

    record: Record
    label: str
    status: str
    output: str = ""
    settings: Mapping[str, Setting] = field(default_factory=dict)
    factor: float = 1.0
    remark: str = ""
    rests_on: tuple[str, ...] = ()
    side: str = ""

    def __post_init__(self) -> None:
        choice(f"status of {self.record.row_id}", self.status, STATUSES)
        if self.side or self.status == "bound":
            choice(f"side of {self.record.row_id}", self.side, list(SIDES))
        if self.side and self.status != "bound":
            raise refusal(
                f"side = {self.side!r}: must be empty for {self.record.row_id}, whose status is "
                f"{self.status}; only a bound has a side"
            )
        if (self.output == "") != (self.status == "unexplained"):
            raise refusal(
                f"output = {self.output!r}: must be empty for {self.record.row_id} if its status "
                "is unexplained, and must be given otherwise"
            )

    @property
    def relation(self) -> str:
        """How an output that agrees compares with the number: "=", "about", "at most" and so on.

        It is the document's relation, unless the model only bounds the number.
        """
        return SIDES.get(self.side, self.record.relation)

    @property
    def value(self) -> float:
        """The number in the unit of the output."""
        return self.record.value * self.factor

    @property
    def resolution(self) -> float:
        """Width of the interval that rounds to the number, in the unit of the output."""
        return self.record.resolution * self.factor


@dataclass(frozen=True, kw_only=True, repr=False)
class Case(Model):
    """A model beside the numbers that one document prints, and how the model was made.

    `simulation` may leave out an output that it has nothing for. `fits` and `choices` say what
    was fitted to, or chosen after seeing, which numbers; `baseline` is the simplest rival.
    Raises ValueError where a number names an output or a parameter that the model does not have,
    and where a status, a fit or a choice contradict each other.
    """

    numbers: tuple[Published, ...]
    simulation: Simulation
    fits: tuple[Calibration, ...] = ()
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

    def __repr__(self) -> str:
        settings = ", ".join(f"{each.name}={each.default!r}" for each in self.parameters)
        outputs = ", ".join(f"{each.name} ({each.unit})" for each in self.outputs)
        return (
            f"Case {self.name!r}: {self.title}\n"
            f"  predict({settings})\n"
            f"  gives {outputs}\n"
            f"  compared with {len(self.numbers)} published numbers"
        )

    @property
    def by_row(self) -> dict[str, Published]:
        """The published numbers by their row ids."""
        return {number.record.row_id: number for number in self.numbers}

    def answer(self, number: Published, **changes: Setting) -> float:
        """Return what the closed form says of a number, with some parameters changed.

        Raises ValueError for what is no published number, and for an unknown parameter.
        """
        if not isinstance(number, Published):
            refuse("number", number, "one of the values of by_row")
        for name in changes:
            self.parameter(name)
        settings = self.settings(**number.settings) | changes
        return _predict(self.predict, tuple(settings.items()))[number.output]

    def simulate(self, seed: int, **settings: Setting) -> dict[str, Interval]:
        """Return {output: (mean, half-width of its 95% interval)}; the same for the same seed.

        A parameter that is not given has its default. Raises ValueError for an unknown one.
        """
        return self.simulation.intervals(seed, **self._with_defaults(settings))


@lru_cache(maxsize=2048)  # numbers share their settings, and a ledger asks for each many times
def _predict(
    predict: Callable[..., dict[str, float]], settings: tuple[tuple[str, Setting], ...]
) -> dict[str, float]:
    return predict(**dict(settings))
