"""Chapter 4's rival structures: which published times each was fitted to, and which it predicts."""

from dataclasses import dataclass
from functools import cache

from tunables.chapters.flow_priority.calibration import calibrate, goodput_bps, users_bound
from tunables.chapters.flow_priority.predictor import CLASSES, STRUCTURE_NAMES, STRUCTURES, predict
from tunables.evidence.published import Record, published
from tunables.plain.agreement import relative_error

COLUMNS = ("without", "with")


@cache
def data() -> dict[str, Record]:
    """Return the report's numbers by row id."""
    return published("nexus-dpp")


def row_id(name: str, what: str) -> str:
    """Return the row of data/ that holds a class's number.

    >>> row_id("extra_small", "with")
    'extra-small-with'
    """
    return f"{name.replace('_', '-')}-{what}"


def published_times(column: str) -> list[float]:
    """Return a column of Table 2, "without" or "with", in seconds by class."""
    return [data()[row_id(name, column)].value for name in CLASSES]


def inferred_users() -> int:
    """Return the most users a database whose bytes the port can carry in the time of Large 2."""
    payload = goodput_bps(data()["port-traffic"].value * 1e9, int(data()["mtu-set"].value))
    return int(users_bound(payload, data()["large-2-with"].value))


@cache
def calibrated() -> dict[str, dict]:
    """Return {structure: settings of `predict`}, fitted to Table 2 as `calibrate` says."""
    users = inferred_users()
    return calibrate(published_times("without"), published_times("with"), users=users)


NAMES = dict(zip(STRUCTURES, STRUCTURE_NAMES, strict=True))

# The port's rate is fitted in every structure, to the mean of the large classes without DPP.
_LARGE = ("large_1_without_s", "large_2_without_s")
FITTED_TO = {
    "S0": _LARGE,
    "S1": (*_LARGE, "extra_small_without_s"),
    "M4": (
        *_LARGE,
        "extra_small_without_s",
        "extra_small_with_s",
        "small_with_s",
        "medium_with_s",
    ),
    "M5": (*_LARGE, "extra_small_without_s", "medium_without_s", "extra_small_with_s"),
}
FITTED_REALS = {
    "S0": ("port rate",),
    "S1": ("port rate", "wait"),
    "M4": ("port rate", "wait", "three residuals"),
    "M5": ("port rate", "wait", "residual", "medium excess"),
}


@dataclass(frozen=True)
class Time:
    """One of Table 2's times under one structure; `error` is None where it was fitted."""

    structure: str
    output: str
    published: float
    modelled: float
    status: str
    error: float | None


def times(structure: str) -> list[Time]:
    """Return the ten times of Table 2 under a structure, each with its status there."""
    outputs = predict(**calibrated()[structure])
    found = []
    for column in COLUMNS:
        for name in CLASSES:
            record = data()[row_id(name, column)]
            output = f"{name}_{column}_s"
            fitted = output in FITTED_TO[structure]
            error = relative_error(outputs[output], record.value, record.relation)
            found.append(
                Time(
                    structure,
                    output,
                    record.value,
                    outputs[output],
                    "calibrated" if fitted else "not fitted",
                    None if fitted else error,
                )
            )
    return found


def structure_rows() -> tuple[tuple[str, ...], ...]:
    """Return a row of text for each time: published, then each structure's "seconds (error)"."""

    def cell(time):
        return f"{time.modelled:.0f} " + (
            "(fitted)" if time.error is None else f"({100 * time.error:+.1f} %)"
        )

    by_structure = [times(structure) for structure in STRUCTURES]
    labels = [f"{name.replace('_', ' ')}, {c}" for c in COLUMNS for name in CLASSES]
    return tuple(
        (label.capitalize(), f"{row[0].published:.0f}", *map(cell, row))
        for label, row in zip(labels, zip(*by_structure, strict=True), strict=True)
    )
