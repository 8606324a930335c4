"""A fit to a reader's own numbers as tables: in the terminal and in a notebook."""

from html import escape

from tunables.own.fit import Fit
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
            ("Parameter", "Value", "Origin"),
            tuple(
                (f"{p.name}, {p.what}", f"{_number(p.value)} {p.unit}".strip(), p.origin)
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
