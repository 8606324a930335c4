"""What a fit says: parameters, rows held out, the rule it is judged by, its sensitivity.

One rule for all chapters, stated before any data is seen: a model fits if its mean error on
the rows held out is within the chapter's band, and not above that of a naive baseline.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

# Where a parameter comes from: least squares, a count of the rows fitted, the reader, or us.
FITTED, COUNTED, GIVEN, ASSUMED = "fitted", "counted", "given", "assumed"
_STEP = 0.01  # relative step of the central differences
_ALMOST = 1 + 1e-9  # rounding must not tip a verdict


@dataclass(frozen=True)
class Parameter:
    """A parameter of the model: its symbol, what it is, and where its value comes from."""

    name: str
    what: str
    value: float
    unit: str
    origin: str = FITTED


@dataclass(frozen=True)
class HeldOut:
    """A number that the fit did not see, what the model says, and what the baseline says."""

    what: str
    unit: str
    measured: float
    predicted: float
    baseline: float


@dataclass(frozen=True)
class Model:
    """What is known of a chapter's model before any data: the law, the baseline, the band.

    error: "relative" for |predicted/measured - 1|, "difference" for |predicted - measured|.
    """

    chapter: int
    law: str
    baseline: str
    band: float
    error: str = "relative"

    def rule(self) -> str:
        """Return the rule of the verdict, in words."""
        kind = "relative error" if self.error == "relative" else "difference"
        return (
            f"fits if the mean {kind} on the rows held out is at most {_percent(self, self.band)} "
            f"and not above that of the baseline ({self.baseline})"
        )


@dataclass(frozen=True)
class Fit:
    """A model fitted to a reader's numbers and judged on those it did not see."""

    model: Model
    parameters: tuple[Parameter, ...]
    held_out: tuple[HeldOut, ...]
    error: float
    baseline_error: float
    fits: bool
    verdict: str
    result: str
    sensitivity: tuple[tuple[str, float], ...]
    notes: tuple[str, ...] = ()

    def value(self, name: str) -> float:
        """Return the value of a parameter; raises KeyError for a name that is not there."""
        return {parameter.name: parameter.value for parameter in self.parameters}[name]


def held_out_rows(count: int, first: int = 2) -> list[int]:
    """Return every third row from first on: held out, whatever it shows.

    >>> held_out_rows(3), held_out_rows(9)
    ([2], [2, 5, 8])
    """
    return list(range(first, count, 3))


def mean_error(rows: Sequence[HeldOut], kind: str, of: str = "predicted") -> float:
    """Return the mean error of the rows' predicted or baseline numbers.

    A relative error is of the measured number; where that is 0, any other number counts as 1.
    """
    errors = []
    for row in rows:
        gap = abs(getattr(row, of) - row.measured)
        if kind == "relative":
            gap = gap / abs(row.measured) if row.measured else float(gap > 0)
        errors.append(gap)
    return sum(errors) / len(errors)


def elasticities(
    result: Callable[..., float], parameters: Mapping[str, float]
) -> tuple[tuple[str, float], ...]:
    """Return (name, e) of each parameter x: e = d ln result / d ln x, by central differences.

    e = -1: one per cent more of x makes the result one per cent less. A parameter at 0 has
    no relative step and is left out.

    >>> [(name, round(e, 4)) for name, e in elasticities(lambda w, t: w / t, {"w": 8, "t": 2})]
    [('w', 1.0), ('t', -1.0)]
    """
    found = []
    for name, value in parameters.items():
        if value == 0:
            continue
        more, less = (
            result(**{**parameters, name: value * (1 + sign * _STEP)}) for sign in (1, -1)
        )
        if more > 0 and less > 0 and math.isfinite(more) and math.isfinite(less):
            found.append((name, math.log(more / less) / math.log((1 + _STEP) / (1 - _STEP))))
    return tuple(found)


def judged(
    model: Model,
    parameters: Sequence[Parameter],
    held_out: Sequence[HeldOut],
    reason: str,
    result: str,
    sensitivity: Sequence[tuple[str, float]],
    notes: Sequence[str] = (),
) -> Fit:
    """Return the Fit with its verdict by the model's rule; reason is given if it does not fit."""
    error = mean_error(held_out, model.error)
    baseline_error = mean_error(held_out, model.error, "baseline")
    in_band = error <= model.band * _ALMOST
    better = error <= baseline_error * _ALMOST
    shown = f"mean error {_percent(model, error)} on the rows held out"
    if in_band and better:
        verdict = f"This model fits: {shown}, baseline {_percent(model, baseline_error)}."
    elif in_band:
        verdict = (
            f"This model does not fit better than {model.baseline}: {shown}, "
            f"baseline {_percent(model, baseline_error)}. These numbers do not need the model."
        )
    else:
        verdict = (
            f"This model does not fit: {shown}, more than {_percent(model, model.band)}. {reason}"
        )
    return Fit(
        model=model,
        parameters=tuple(parameters),
        held_out=tuple(held_out),
        error=error,
        baseline_error=baseline_error,
        fits=in_band and better,
        verdict=verdict,
        result=result,
        sensitivity=tuple(sensitivity),
        notes=tuple(notes),
    )


def _percent(model: Model, error: float) -> str:
    return f"{100 * error:.1f} %" if model.error == "relative" else f"{error:.3f}"
