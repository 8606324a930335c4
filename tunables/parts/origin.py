"""Where a case's parameters and its form come from, and the rival that it is held against."""

from collections.abc import Mapping
from dataclasses import dataclass

from tunables.plain.arguments import choice


@dataclass(frozen=True)
class Fit:
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
            raise ValueError(
                f"{self}: must name what was fitted, and the rows that it was fitted to"
            )


@dataclass(frozen=True)
class Choice:
    """A form of the model, or an assumption, that was chosen with sight of published numbers.

    `what` says it in words that finish the sentence "Chosen with sight of the number: ...".
    `rows` are the row ids seen; `parameters` the case's parameters that express the choice, or
    none if all of the model does.
    Raises ValueError for a choice without words or rows.
    """

    what: str
    rows: tuple[str, ...]
    parameters: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.what or not self.rows:
            raise ValueError(f"{self}: must say what was chosen, and with sight of which rows")


@dataclass(frozen=True)
class Baseline:
    """The simplest rival that a sceptic would offer.

    `values`: its number for each row id it speaks of, in the unit of the case's output.
    `rows` are those that it was fitted to. `earns` says in a sentence what the model earns
    over it, where errors do not tell.
    Raises ValueError for a rival that speaks of no row.
    """

    label: str
    values: Mapping[str, float]
    rows: tuple[str, ...] = ()
    earns: str = ""

    def __post_init__(self) -> None:
        if not self.values:
            raise ValueError(f"values of baseline {self.label!r}: must have at least one row")


def check_origins(
    statuses: Mapping[str, str],
    origins: Mapping[str, str],
    fits: tuple[Fit, ...],
    choices: tuple[Choice, ...],
) -> None:
    """Raise ValueError unless statuses (by row) and origins (by parameter) follow from the rest.

    A number is calibrated only if something was fitted to it; predicted only if nothing was
    fitted to it or chosen with sight of it; consistent if something was chosen, and nothing
    fitted. A parameter is calibrated if one fit, and no other, gives it.
    """
    fitted = {row for fit in fits for row in fit.rows if not fit.rival}
    seen = {row for each in choices for row in each.rows}
    steps: list[Fit | Choice] = [*fits, *choices]
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
        }
        if not allowed.get(status, True):
            raise ValueError(
                f"status of {row} = {status!r}: must follow from what was done: "
                f"fitted to it: {row in fitted}, chosen with sight of it: {row in seen}"
            )
    given = [name for fit in fits for name in fit.parameters]
    for name, origin in origins.items():
        if statuses and given.count(name) != (origin == "calibrated"):
            raise ValueError(
                f"origin of {name} = {origin!r}: {given.count(name)} fits give it; one must, if "
                "it is calibrated, and none otherwise"
            )
