"""Fits to a user's own numbers: tables, a chart, and boxes to paste or upload the numbers."""

from collections.abc import Callable
from html import escape

import altair as alt
import ipywidgets as widgets

from tunables.core.fit import Fit
from tunables.core.registry import find_fit, fits
from tunables.page.chapters import find_chapter
from tunables.page.labs.your_numbers import fit_rows, fit_sentences
from tunables.views.charts import COLOURS
from tunables.views.tables import Table


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


def verdict_chart(fits: dict[str, Fit]) -> alt.LayerChart | alt.FacetChart:
    """Return a chart of each fit's error and its baseline's, over the band; names label rows."""
    marks = [
        {"fit": name, "share": error / fit.model.band, "what": what}
        for name, fit in fits.items()
        for what, error in (("model", fit.error), ("baseline", fit.baseline_error))
    ]
    told = "; ".join(f"{name} {fit.error / fit.model.band:.2f}" for name, fit in fits.items())
    order = list(fits)
    both = alt.Scale(domain=["model", "baseline"])  # with sort in its place the legend doubles
    title = "error on the rows held out, as a multiple of the band (log scale)"
    x = alt.X("share:Q", title=title).scale(type="log")
    points = (
        alt.Chart(alt.Data(values=marks))
        .mark_point(filled=True, size=80, opacity=1)
        .encode(
            x=x,
            y=alt.Y("fit:N", title=None, sort=order),
            color=alt.Color("what:N", title=None, scale=both),
            shape=alt.Shape("what:N", title=None, scale=both),
        )
    )
    band = alt.Chart(alt.Data(values=[{"share": 1}])).mark_rule(strokeDash=[6, 4], color=COLOURS[6])
    return alt.layer(band.encode(x=x), points).properties(
        description=f"Mean error on the rows held out, as a multiple of the band. {told}.",
    )


class TextBox(widgets.VBox):
    """A widget whose button calls show(source).

    source is what came last, the bytes uploaded or the text pasted. What show prints or
    displays appears below the button, and so does the message of a ValueError. sample: the
    text in the box to begin with; kind: what the text is, for the reader; action: what the
    button says.
    """

    def __init__(self, show: Callable[..., object], sample="", kind="a text", action="Show"):
        self._show = show
        self._kind = kind
        wide = widgets.Layout(width="32rem", height="8rem")
        self.text = widgets.Textarea(sample, placeholder=kind, tooltip=kind, layout=wide)
        self.upload = widgets.FileUpload(accept=".csv,.txt", description="or upload a file")
        self.button = widgets.Button(description=action, button_style="primary")
        self.output = widgets.Output()
        super().__init__([self.text, self._choices(), self.button, self.output])
        self.text.observe(self._drop_upload, "value")
        self.button.on_click(self._fit_source)

    def _choices(self) -> widgets.Widget:
        return self.upload

    def _arguments(self) -> dict:
        return {}

    def _repr_mimebundle_(self, **kwargs):
        """Return a bundle with a sentence for pages without a kernel."""
        static = f"<p>In Jupyter, this is a box in which you paste or upload {self._kind}.</p>"
        return {**super()._repr_mimebundle_(**kwargs), "text/html": static}

    def _drop_upload(self, _):
        self.upload.value = ()

    def _fit_source(self, _):
        uploaded = self.upload.value
        self.output.clear_output(wait=True)
        with self.output:
            try:
                source = uploaded[0]["content"] if uploaded else self.text.value + "\n"
                self._show(source, **self._arguments())
            except ValueError as error:
                print(error)


class PasteBox(TextBox):
    """A box for a CSV of keys, whose button calls show(source, column=..., capacity=...).

    column None where the field is empty, an index where it is a number, else a name; capacity
    None where it is 0.
    """

    def __init__(self, show: Callable[..., object], sample=""):
        self.column = widgets.Text(description="column", placeholder="name, or index from 0")
        self.capacity = widgets.BoundedIntText(description="capacity", min=0, max=2**31 - 1)
        super().__init__(show, sample, "a trace", "Show its curve")
        self.text.placeholder = "one request per line"

    def _choices(self) -> widgets.Widget:
        return widgets.HBox([self.upload, self.column, self.capacity])

    def _arguments(self) -> dict:
        column = self.column.value.strip()
        return {
            "column": int(column) if column.isdecimal() else column or None,
            "capacity": self.capacity.value or None,
        }


class FitBox(TextBox):
    """A box for numbers of any chapter, whose button calls show(source, chapter=...).

    A line under the choice of the chapter says which columns its fit wants.
    """

    def __init__(self, show: Callable[..., object], sample="", chapter: str | int = 1):
        options = [
            (f"Chapter {find_chapter(slug).number}: {fit.bring}", slug)
            for slug, fit in fits().items()
        ]
        first = find_chapter(chapter).slug
        self.chapter = widgets.Dropdown(options=options, value=first, description="fit")
        self.columns = widgets.HTML()
        super().__init__(show, sample, "your own numbers", "Fit the model")
        self.chapter.observe(self._tell_columns, "value")
        self._tell_columns(None)

    def _choices(self) -> widgets.Widget:
        return widgets.VBox([self.upload, self.chapter, self.columns])

    def _arguments(self) -> dict:
        return {"chapter": self.chapter.value}

    def _tell_columns(self, _):
        self.columns.value = f"Columns: {find_fit(self.chapter.value).columns}."
