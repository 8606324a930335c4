"""What a fit says: parameters, rows held out, the rule it is judged by, its sensitivity.

One rule for all chapters, stated before any data is seen: a model fits if its mean error on
the rows held out is within the chapter's band, and not above that of a naive baseline, if it
misses no row by far more than the band, and if its errors on the fitted rows show no plain trend.
The page judges with this file too, in MicroPython.
"""

import math
from collections import namedtuple

from tunables.base.portable import plain_sum
from tunables.base.user_data.numerics import correlation, line

# Where a parameter comes from: least squares, a count of the rows fitted, the reader, or us.
FITTED, COUNTED, GIVEN, ASSUMED = "fitted", "counted", "given", "assumed"
_STEP = 0.01  # relative step of the central differences
_ALMOST = 1 + 1e-9  # rounding must not tip a verdict
_FAR = 3  # times the band: no row may be missed by more
_PLAIN = 0.8  # correlation of a plain trend
_FEWEST_FOR_TREND = 4  # rows: any three numbers may happen to rise


# A number that the fit did not see, what the model says, and what the baseline says.
HeldOut = namedtuple("HeldOut", ["what", "unit", "measured", "predicted", "baseline"])

# The fitted rows: the one that the model misses most, and the trend of its errors (see `trend`).
FittedRows = namedtuple("FittedRows", ["worst", "trend"])


class FittedParameter:
    """A parameter of the model: its symbol, what it is, and where its value comes from."""

    def __init__(self, name: str, what: str, value: float, unit: str, origin: str = FITTED):
        self.name, self.what, self.value, self.unit, self.origin = name, what, value, unit, origin


class FittedModel:
    """What is known of a chapter's model before any data: the law, the baseline, the band.

    chapter: its slug.
    error: "relative" for |predicted/measured - 1|, "difference" for |predicted - measured|.
    along: what the errors on the fitted rows must not rise or fall with; "" if there are no such
    rows, because the parameters are counted.
    """

    def __init__(
        self, chapter: str, law: str, baseline: str, band: float, error="relative", along=""
    ):
        self.chapter, self.law, self.baseline = chapter, law, baseline
        self.band, self.error, self.along = band, error, along

    def rule(self) -> str:
        """Return the rule of the verdict, in words."""
        kind = "relative error" if self.error == "relative" else "difference"
        rule = (
            f"fits if the mean {kind} on the rows held out is at most {_percent(self, self.band)} "
            f"and not above the baseline's ({self.baseline})"
        )
        if self.error != "relative":
            return rule
        if not self.along:
            return f"{rule}, and no held-out row is off by more than a factor of {self.far():g}"
        return (
            f"{rule}, no row, fitted or held out, is off by more than a factor of {self.far():g}, "
            f"and the errors don't rise or fall steadily with {self.along}"
        )

    def far(self) -> float:
        """Return the factor by which a row is missed far, for relative errors."""
        return 1 + _FAR * self.band

    def misses_far(self, row) -> bool:
        """Return whether the model misses a row far.

        Differences have no such limit: next to a cliff in a curve, the least shift of it is a
        large difference.
        """
        far = self.far() * _ALMOST
        return self.error == "relative" and _factor(row.measured, row.predicted) > far

    def has_trend(self, rise) -> bool:
        """Return whether such a trend exceeds the band from its middle to both ends."""
        return abs(rise) > 2 * math.log(1 + self.band)


class Fit:
    """A model fitted to a reader's numbers and judged on those it did not see.

    parameters: each with its name, value and unit, and whether it was fitted
    held_out: the numbers that the fit did not see, each with the model's and the baseline's
    sensitivity: by how many percent the result changes for 1% more of each parameter
    fitted: the FittedRows, or None
    """

    def __init__(
        self,
        model: FittedModel,
        parameters: list[FittedParameter] | tuple[FittedParameter, ...],
        held_out: list[HeldOut] | tuple[HeldOut, ...],
        result: str,
        sensitivity: list[tuple[str, float]] | tuple[tuple[str, float], ...],
        notes: list[str] | tuple[str, ...] = (),
        fitted: FittedRows | None = None,
    ):
        self.model, self.parameters, self.held_out = model, tuple(parameters), tuple(held_out)
        self.result, self.sensitivity, self.notes = result, tuple(sensitivity), tuple(notes)
        self.error = mean_error(held_out, model.error)
        self.baseline_error = mean_error(held_out, model.error, "baseline")
        self.in_band = self.error <= model.band * _ALMOST
        rows = tuple(held_out) + ((fitted.worst,) if fitted else ())
        self.missed = [row for row in rows if model.misses_far(row)]
        self.trend = fitted.trend if fitted and model.has_trend(fitted.trend) else 0.0
        self.better = self.error <= self.baseline_error * _ALMOST
        self.fits = self.in_band and self.better and not self.missed and not self.trend
        self.verdict = ""

    def __repr__(self) -> str:
        lines = [self.verdict or "A fit without a verdict."]
        for each in self.parameters:
            unit = f" {each.unit}" if each.unit else ""
            lines.append(f"{each.name} = {each.value:.4g}{unit} ({each.origin})")
        return "\n  ".join(lines)

    def value(self, name: str) -> float:
        """Return the value of a parameter; raises KeyError for a name that is not there."""
        return {parameter.name: parameter.value for parameter in self.parameters}[name]


def held_out_rows(count: int, first: int = 2) -> list[int]:
    """Return every third row from first on: held out, whatever it shows.

    >>> held_out_rows(3), held_out_rows(9)
    ([2], [2, 5, 8])
    """
    return list(range(first, count, 3))


def _factor(one, other):
    """Return by which factor two numbers differ, 1 or more."""
    if one == other:
        return 1.0
    return max(one / other, other / one) if one > 0 and other > 0 else math.inf


def worst_of(rows) -> list:
    """Return the row [..., measured, predicted] whose last two numbers differ by most.

    >>> worst_of([["a", 2.0, 1.9], ["b", 1.0, 3.0], ["c", 2.0, 1.0]])
    ['b', 1.0, 3.0]
    """
    return max(rows, key=lambda row: _factor(row[-2], row[-1]))


def errors_on(places, rows) -> dict:
    """Return what `fitted_rows` reads of the rows that were fitted: see `worst_of` and `trend`."""
    return {"worst": worst_of(rows), "trend": trend(places, rows)}


def fitted_rows(result, held_out):
    """Return the FittedRows of a result; None for one from a link made before November 2026.

    held_out: makes a HeldOut of the row that is missed most.
    """
    return FittedRows(held_out(result["worst"]), result["trend"]) if "worst" in result else None


def share_held_out(rows, result) -> str:
    """Return how many of a result's runs were held out; "" for one from such an old link.

    >>> share_held_out(["one row"], {"runs": 5}), share_held_out(["one row"], {})
    ('1 of 5 rows held out', '')
    """
    return f"{len(rows)} of {result['runs']} rows held out" if "runs" in result else ""


def trend(places, rows) -> float:
    """Return by how much log(predicted/measured) changes from the first to the last place.

    It is the change of the least squares line through the logarithms, and 0 where that is no plain
    trend: for fewer than four rows, or a correlation below 0.8.
    rows: each [..., measured, predicted]; places: positive, of which the logarithms are taken.

    >>> round(trend([1, 2, 4, 8], [[1.0, 8.0], [2.0, 8.0], [4.0, 8.0], [8.0, 8.0]]), 6)
    -2.079442
    """
    at = [math.log(place) for place in places]
    errors = [math.log(row[-1] / row[-2]) for row in rows]
    if len(rows) < _FEWEST_FOR_TREND or abs(correlation(at, errors)) < _PLAIN:
        return 0.0
    return line(at, errors)[1] * (max(at) - min(at))


def mean_error(rows, kind, of="predicted") -> float:
    """Return the mean error of the rows' predicted or baseline numbers.

    A relative error is of the measured number; where that is 0, any other number counts as 1.
    """
    errors = []
    for row in rows:
        gap = abs(getattr(row, of) - row.measured)
        if kind == "relative":
            gap = gap / abs(row.measured) if row.measured else float(gap > 0)
        errors.append(gap)
    return plain_sum(errors) / len(errors)


def elasticities(result, parameters) -> tuple[tuple[str, float], ...]:
    """Return (name, e) of each parameter x: e = d ln result / d ln x, by central differences.

    parameters: a dict, or [(name, value), ...], which keeps its order in MicroPython too.
    e = -1: one per cent more of x makes the result one per cent less. A parameter at 0 has
    no relative step and is left out.

    >>> [(name, round(e, 4)) for name, e in elasticities(lambda w, t: w / t, {"w": 8, "t": 2})]
    [('w', 1.0), ('t', -1.0)]
    """
    found = []
    for name, value in parameters.items() if isinstance(parameters, dict) else parameters:
        if value == 0:
            continue
        changed = dict(parameters)  # MicroPython has no {**parameters, ...}
        changed[name] = value * (1 + _STEP)
        more = result(**changed)
        changed[name] = value * (1 - _STEP)
        less = result(**changed)
        if more > 0 and less > 0 and math.isfinite(more) and math.isfinite(less):
            found.append((name, math.log(more / less) / math.log((1 + _STEP) / (1 - _STEP))))
    return tuple(found)


def judge(
    model, parameters, held_out, reason, result, sensitivity, notes=(), fitted=None, held=""
) -> Fit:
    """Return the Fit with its verdict by the model's rule; reason is given if it does not fit.

    parameters: each a FittedParameter; held_out: each a HeldOut; sensitivity: of `elasticities`;
    fitted: the FittedRows, or None; held: what was held out, in words: "1 of 5 rows held out".
    """
    fit = Fit(model, parameters, held_out, result, sensitivity, notes, fitted)
    error, baseline = _percent(model, fit.error), _percent(model, fit.baseline_error)
    shown = f"its mean error on the {held or 'rows held out'} is {error}"
    if fit.fits:
        fit.verdict = f"This model fits: {shown}, the baseline's {baseline}."
    elif not fit.in_band:
        band = _percent(model, model.band)
        fit.verdict = f"This model does not fit: {shown}, more than {band}. {reason}"
    elif not fit.better:
        fit.verdict = (
            f"This model does not fit better than {model.baseline}: {shown}, "
            f"the baseline's {baseline}. These numbers do not need the model."
        )
    else:
        fit.verdict = f"This model does not fit: {shown}, but {_flaw(fit)}. {reason}"
    return fit


def _flaw(fit):
    """Return in words why a model whose mean error is small does not fit."""
    if not fit.missed:
        return (
            f"over the fitted rows, its error changes steadily with {fit.model.along}, "
            f"by a factor of {math.exp(abs(fit.trend)):.1f}"
        )
    row = max(fit.missed, key=lambda row: _factor(row.measured, row.predicted))
    return (
        f"it is off by a factor of {_factor(row.measured, row.predicted):.1f} for one row "
        f"({row.what}: measured {_short(row.measured, row.unit)}, model "
        f"{_short(row.predicted, row.unit)})"
    )


def _short(value, unit):
    return f"{value:.3g} {unit}".strip()


def _percent(model: FittedModel, error: float) -> str:
    return f"{100 * error:.1f}%" if model.error == "relative" else f"{error:.3f}"


# A chapter's fit, its model, and for a reader: what to bring, and in which columns.
FitRequest = namedtuple("FitRequest", ["fit", "model", "bring", "columns"])
