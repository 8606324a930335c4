"""A fit to a reader's own numbers as tables: in the terminal and in a notebook."""

from html import escape

from tunables.page.labs.fit_text import fit_rows, fit_sentences
from tunables.parts.fit import Fit
from tunables.reader.tables import Table


def fit_tables(fit: Fit) -> list[Table]:
    """Return three tables: parameters, rows held out, sensitivity."""
    return [Table(caption, columns, tuple(rows)) for caption, columns, rows in fit_rows(fit)]


class FitReport:
    """The verdict, the rule that it follows, and the tables of a fit, for terminal and notebook."""

    def __init__(self, fit: Fit):
        self.fit = fit
        self.tables = fit_tables(fit)

    def __str__(self) -> str:
        return "\n\n".join([*fit_sentences(self.fit), *map(str, self.tables)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        verdict, *others = map(escape, fit_sentences(self.fit))
        words = [f"<p><strong>{verdict}</strong></p>", *(f"<p>{other}</p>" for other in others)]
        return "".join([*words, *(table._repr_html_() for table in self.tables)])
