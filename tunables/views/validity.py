"""`validity_map(case)`: where closed form and simulation part, in a notebook and a page."""

import json
from dataclasses import asdict
from html import escape

from tunables.base.units import unit_text
from tunables.core.model import Output
from tunables.core.registry import find_map
from tunables.core.validity import Cell, MapAxis, ValidityMap, sweep
from tunables.page.validity import (
    HIGHEST_PERCENT,
    LOWEST_PERCENT,
    SIGNS,
    USUAL_PERCENT,
    ValiditySession,
    judge,
    plain,
)
from tunables.views.charts import script_json
from tunables.views.live import Live, static_text
from tunables.views.simulation import WithSimulation, simulable

STATIC_TEXT = static_text("The map shows a tolerance of 5%.", "change it and read a cell's numbers")
LEGEND = {
    "agrees": "within the tolerance",
    "too high": "closed form too high",
    "too low": "closed form too low",
    "undecided": "undecided: too noisy to say",
}
SHADES = "The darker the cell, the larger the error: up to 10%, up to 30%, above 30%."


def _number(cell: Cell) -> list[float]:
    # Another machine's last bit changes nothing.
    values = (cell.closed, cell.simulated, cell.half_width)
    return [float(f"{value:.5g}") for value in values]


def _axis(axis: MapAxis) -> dict:
    texts = {"texts": [plain(value) for value in axis.values], "unit_text": unit_text(axis.unit)}
    return asdict(axis) | texts


def describe_map(validity: ValidityMap) -> dict:
    """Return the map, simulated, as JSON can hold it; `settings` are those off its axes."""
    case, output = validity.case, validity.case.output(validity.output)
    axes = {axis.name for axis in (validity.x, validity.y)}
    settings = case.settings(**validity.settings)
    simulated = simulable(case, validity.simulation, [output.name], validity.seed)
    return simulated | {
        "title": validity.title,
        "x": _axis(validity.x),
        "y": _axis(validity.y),
        "output": output.label,
        "unit": output.unit,
        "digits": output.digits,
        "settings": {name: value for name, value in settings.items() if name not in axes},
        "cells": [[_number(cell) for cell in row] for row in sweep(validity)],
    }


def _title(shown: MapAxis | Output) -> str:
    return shown.label + unit_text(shown.unit, ", ")


def _cell_html(verdict: str, size: int, text: str) -> str:
    sign = SIGNS[verdict]
    label = escape(text)
    return f'<td data-verdict="{verdict}" data-size="{size}" aria-label="{label}">{sign}</td>'


def grid_html(validity: ValidityMap, judged: dict) -> str:
    """Return the map as a table, high values of y on top."""
    columns = "".join(f'<th scope="col">{plain(x)}</th>' for x in validity.x.values)
    rows = zip(validity.y.values, judged["verdicts"], judged["sizes"], judged["texts"], strict=True)
    body = "".join(
        f'<tr><th scope="row">{plain(y)}</th>' + "".join(map(_cell_html, *line)) + "</tr>"
        for y, *line in reversed(list(rows))
    )
    output = validity.case.output(validity.output)
    return (
        f'<table class="validity-grid"><caption><strong>{escape(validity.title)}</strong> '
        f"({escape(_title(output))}). Across: {escape(_title(validity.x))}. "
        f"Down: {escape(_title(validity.y))}."
        f"</caption><thead><tr><td></td>{columns}</tr></thead><tbody>{body}</tbody></table>"
    )


def _legend_html() -> str:
    items = "".join(
        f'<li><span class="validity-key" data-verdict="{verdict}" aria-hidden="true">'
        f"{SIGNS[verdict]}</span> {words}</li>"
        for verdict, words in LEGEND.items()
    )
    return f'<ul class="validity-legend">{items}<li>{SHADES}</li></ul>'


def map_html(validity: ValidityMap, description: dict, judged: dict) -> str:
    """Return the whole map, static until the page's script mounts it."""
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
        f'<p class="validity-cell">{STATIC_TEXT}</p></section>'
    )


class ValidityView(Live):
    """One validity map: a tolerance, the map, and its region as a sentence."""

    def __init__(self, validity: ValidityMap):
        description = describe_map(validity)
        judged = judge(description, USUAL_PERCENT)
        html = map_html(validity, description, judged)
        page = ValiditySession(json.dumps(description))
        predict = validity.case.predict
        simulated = WithSimulation(page, description, validity.simulation, predict)
        super().__init__(html, judged["summary"], simulated)


def validity_map(name: str) -> ValidityView:
    """Return the validity map of a case, simulated now (one to three seconds).

    Raises ValueError for a case that has no map.
    """
    return ValidityView(find_map(name))
