"""A fit to a reader's own numbers as tables: in the terminal, in a notebook, as a chart."""

from html import escape

import altair as alt

from tunables.own.fit import Fit
from tunables.reader.charts import COLOURS
from tunables.reader.formats import shortest
from tunables.reader.tables import Table


def _number(value: float) -> str:
    """Return four significant digits, in full: 396,400,000 and not 3.964e+08."""
    return shortest(float(f"{value:.4g}")) if abs(value) < float("inf") else "∞"


def fit_tables(fit: Fit) -> list[Table]:
    """Return three tables: parameters, rows held out, sensitivity."""
    chapter = fit.model.chapter
    difference = fit.model.error == "difference"

    def error(measured, predicted):
        if difference:
            return f"{predicted - measured:+.3f}"
        return f"{100 * (predicted / measured - 1):+.1f} %" if measured else "–"

    rows = (
        (
            f"{row.what} ({row.unit})" if row.unit else row.what,
            _number(row.measured),
            _number(row.predicted),
            error(row.measured, row.predicted),
            _number(row.baseline),
        )
        for row in fit.held_out
    )
    return [
        Table(
            f"Chapter {chapter}: parameters",
            ("Parameter", "Value", "Unit", "Origin"),
            tuple(
                (f"{p.name}, {p.what}", _number(p.value), p.unit or "–", p.origin)
                for p in fit.parameters
            ),
        ),
        Table(
            f"Chapter {chapter}: rows held out, which the fit has not seen",
            ("What", "Measured", "Model", "Error", "Baseline"),
            tuple(rows),
        ),
        Table(
            f"Chapter {chapter}: one per cent more of a parameter changes the {fit.result} by",
            ("Parameter", "Per cent"),
            tuple((name, f"{value:+.2f}") for name, value in fit.sensitivity),
        ),
    ]


class FitReport:
    """The verdict, the rule that it follows, and the tables of a fit, for terminal and notebook."""

    def __init__(self, fit: Fit):
        self.fit = fit
        self.tables = fit_tables(fit)

    def _sentences(self) -> list[str]:
        model = self.fit.model
        return [
            self.fit.verdict,
            f"Law: {model.law}. The rule, set beforehand: it {model.rule()}.",
            *self.fit.notes,
        ]

    def __str__(self) -> str:
        return "\n\n".join([*self._sentences(), *map(str, self.tables)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        verdict, *others = map(escape, self._sentences())
        words = [f"<p><strong>{verdict}</strong></p>", *(f"<p>{other}</p>" for other in others)]
        return "".join([*words, *(table._repr_html_() for table in self.tables)])


def verdict_chart(fits: dict[str, Fit]) -> alt.LayerChart | alt.FacetChart:
    """Return a chart of each fit's error and its baseline's, over the band; names label rows."""
    marks = [
        {"fit": name, "share": error / fit.model.band, "what": what}
        for name, fit in fits.items()
        for what, error in (("model", fit.error), ("baseline", fit.baseline_error))
    ]
    told = "; ".join(f"{name} {fit.error / fit.model.band:.2f}" for name, fit in fits.items())
    order = list(fits)
    points = (
        alt.Chart(alt.Data(values=marks))
        .mark_point(filled=True, size=80)
        .encode(
            x=alt.X("share:Q", title="error on the rows held out, in bands (log scale)").scale(
                type="log"
            ),
            y=alt.Y("fit:N", title=None, sort=order),
            color=alt.Color("what:N", title=None, sort=["model", "baseline"]),
            shape=alt.Shape("what:N", title=None, sort=["model", "baseline"]),
        )
    )
    band = alt.Chart(alt.Data(values=[{"share": 1}])).mark_rule(strokeDash=[6, 4], color=COLOURS[6])
    return alt.layer(band.encode(x="share:Q"), points).properties(
        description=f"Mean error on the rows held out, as a multiple of the band. {told}.",
    )
