"""`validity_map(case)`: where closed form and simulation part, as Jupyter widgets and as markup."""

from dataclasses import asdict
from html import escape

import ipywidgets as widgets

from tunables.reader.charts import script_json
from tunables.reader.verdict import (
    HIGHEST_PERCENT,
    LOWEST_PERCENT,
    SIGNS,
    USUAL_PERCENT,
    judge,
    plain,
)
from tunables.validity.map import Cell, ValidityMap, sweep
from tunables.validity.registry import find_map

ASLEEP = (
    "The map shows a tolerance of 5 %. To change it, and to read a cell's numbers, open this page "
    "from a web server (make serve) with scripts on, or the notebook in Jupyter."
)
# The page has its own style sheet; in Jupyter the map needs this much.
STYLE = """<style>
.validity-grid { border-collapse: collapse; font-size: 0.8em }
.validity-grid td { width: 2em; text-align: center; border: 1px solid #999 }
.validity-grid td[data-verdict="too high"] { background: #e69f00; color: #000 }
.validity-grid td[data-verdict="too low"] { background: #0072b2; color: #fff }
.validity-grid td[data-verdict="undecided"] { background: #ddd; color: #000 }
</style>"""
LEGEND = {
    "agrees": "within the tolerance",
    "too high": "closed form too high",
    "too low": "closed form too low",
    "undecided": "undecided: too noisy to say",
}


def _number(cell: Cell) -> list[float]:
    # Another machine's last bit changes nothing.
    values = (cell.closed, cell.simulated, cell.half_width)
    return [float(f"{value:.5g}") for value in values]


def describe_map(validity: ValidityMap) -> dict:
    """Return the map, simulated, as JSON can hold it; `settings` are those off its axes."""
    case, output = validity.case, validity.case.output(validity.output)
    axes = {axis.name for axis in (validity.x, validity.y)}
    settings = case.settings(**validity.settings)
    return {
        "name": case.name,
        "title": validity.title,
        "x": asdict(validity.x) | {"texts": [plain(x) for x in validity.x.values]},
        "y": asdict(validity.y) | {"texts": [plain(y) for y in validity.y.values]},
        "output": output.label,
        "unit": output.unit,
        "digits": output.digits,
        "settings": {name: value for name, value in settings.items() if name not in axes},
        "cells": [[_number(cell) for cell in row] for row in sweep(validity)],
        "seed": validity.seed,
    }


def _with_unit(label: str, unit: str) -> str:
    return label if unit in ("", "1") else f"{label}, {unit}"


def _cell_html(verdict: str, text: str, hint: str) -> str:
    sign = SIGNS[verdict]
    return f'<td data-verdict="{verdict}" {hint}="{escape(text)}">{sign}</td>'


def grid_html(validity: ValidityMap, judged: dict, hint: str = "aria-label") -> str:
    """Return the map as a table, high values of y on top; hint is what holds a cell's text."""
    columns = "".join(f'<th scope="col">{plain(x)}</th>' for x in validity.x.values)
    rows = zip(validity.y.values, judged["verdicts"], judged["texts"], strict=True)
    body = "".join(
        f'<tr><th scope="row">{plain(y)}</th>'
        + "".join(
            _cell_html(verdict, text, hint) for verdict, text in zip(verdicts, texts, strict=True)
        )
        + "</tr>"
        for y, verdicts, texts in reversed(list(rows))
    )
    output = validity.case.output(validity.output)
    return (
        f'<table class="validity-grid"><caption><strong>{escape(validity.title)}</strong> '
        f"({escape(_with_unit(output.label, output.unit))}). "
        f"Across: {escape(_with_unit(validity.x.label, validity.x.unit))}. "
        f"Down: {escape(_with_unit(validity.y.label, validity.y.unit))}."
        f"</caption><thead><tr><td></td>{columns}</tr></thead><tbody>{body}</tbody></table>"
    )


def _legend_html() -> str:
    items = "".join(
        f'<li><span class="validity-key" data-verdict="{verdict}" aria-hidden="true">'
        f"{SIGNS[verdict]}</span> {words}</li>"
        for verdict, words in LEGEND.items()
    )
    return f'<ul class="validity-legend">{items}</ul>'


def map_html(validity: ValidityMap, description: dict, judged: dict) -> str:
    """Return the whole map, asleep: the page's script wakes it."""
    name, title = description["name"], escape(f"Where it breaks: {description['title']}")
    page = description | {
        "signs": SIGNS,
        "tolerance": {"low": LOWEST_PERCENT, "high": HIGHEST_PERCENT, "usual": USUAL_PERCENT},
    }
    return (
        f'<section class="tunables-validity" id="validity-{name}" aria-label="{title}">'
        '<script type="application/json" class="validity-description">'
        f"{script_json(page)}</script>"
        f'<p class="validity-why">{escape(validity.why)}</p>'
        '<div class="validity-controls"></div>'
        f'<p class="validity-summary" role="status">{escape(judged["summary"])}</p>'
        f'<div class="table-scroll" role="region" tabindex="0" aria-label="The map">'
        f"{grid_html(validity, judged)}</div>{_legend_html()}"
        '<p class="validity-here"></p>'
        f'<p class="validity-cell">{ASLEEP}</p></section>'
    )


class ValidityView(widgets.VBox):
    """The widgets of one validity map: a tolerance, the map, and its region in words.

    Shown outside Jupyter (on the book's static page) it is the markup that the page's own
    script brings to life.
    """

    def __init__(self, validity: ValidityMap):
        self._validity = validity
        self._description = describe_map(validity)
        self._shown = widgets.HTML()
        self.tolerance = widgets.IntSlider(
            value=USUAL_PERCENT, min=LOWEST_PERCENT, max=HIGHEST_PERCENT, description="Tolerance, %"
        )
        self.tolerance.observe(lambda _: self._show(), names="value")
        why = widgets.HTML(f"<p>{escape(validity.why)}</p>")
        super().__init__([why, self.tolerance, self._shown])
        self._show()

    def _show(self) -> None:
        judged = judge(self._description, self.tolerance.value)
        grid = grid_html(self._validity, judged, hint="title")
        summary = f"<p>{escape(judged['summary'])}</p>"
        self._shown.value = STYLE + summary + grid + _legend_html()

    def _repr_mimebundle_(self, **kwargs):
        bundle = super()._repr_mimebundle_(**kwargs)
        judged = judge(self._description, USUAL_PERCENT)
        return bundle | {
            "text/plain": judged["summary"],
            "text/html": map_html(self._validity, self._description, judged),
        }


def validity_map(name: str) -> ValidityView:
    """Return the validity map of a case, simulated now (one to three seconds).

    Raises ValueError for a case that has no map.
    """
    return ValidityView(find_map(name))
