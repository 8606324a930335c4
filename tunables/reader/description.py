"""A case as plain data: what both fronts of its explorer are built from."""

from dataclasses import asdict

import altair as alt

from tunables.arguments import choice
from tunables.cases.case import Case, Parameter, Published, View
from tunables.reader.charts import COLOURS, CONFIG, HEIGHT, WIDTH
from tunables.reader.formats import published_text

CURVE, HERE, PUBLISHED = COLOURS[0], COLOURS[1], COLOURS[6]


def _parameter(case: Case, name: str) -> Parameter:
    return next(parameter for parameter in case.parameters if parameter.name == name)


def _axis_title(label: str, unit: str) -> str:
    return label if unit in ("", "1") else f"{label} ({unit})"


def _points(case: Case, view: View) -> list[dict]:
    """Return the published numbers that the view can show: those of its output."""
    return [
        {
            "x": number.settings.get(view.x, _parameter(case, view.x).default),
            "y": number.value,
            "label": number.label,
        }
        for number in case.numbers
        if number.output == view.y
    ]


def view_spec(case: Case, view: View) -> dict:
    """Return the view's Vega-Lite chart; datasets "curve" and "here" are left to fill."""
    parameter, output = _parameter(case, view.x), case.output(view.y)
    published = _points(case, view)
    x = alt.X(
        "x:Q",
        title=_axis_title(parameter.label, parameter.unit),
        scale=alt.Scale(type=parameter.scale, domain=[parameter.low, parameter.high]),
        axis=alt.Axis(tickCount=6, labelOverlap="greedy", labelSeparation=8),
    )
    y = alt.Y("y:Q", title=_axis_title(output.label, output.unit))
    tooltip = [alt.Tooltip("x:Q", title=parameter.label), alt.Tooltip("y:Q", title=output.label)]
    curve = alt.Chart(alt.NamedData("curve")).mark_line(clip=True, color=CURVE)
    here = alt.Chart(alt.NamedData("here")).mark_point(
        filled=True, size=140, color=HERE, shape="diamond"
    )
    points = alt.Chart(alt.NamedData("published")).mark_point(
        size=90, color=PUBLISHED, strokeWidth=2.5
    )
    layers = [
        curve.encode(x=x, y=y),
        points.encode(x=x, y=y, tooltip=[alt.Tooltip("label:N", title="published"), *tooltip]),
        here.encode(x=x, y=y, tooltip=tooltip),
    ]
    if not published:  # an empty layer would be a picture without a name
        layers.pop(1)
    words = "a ring for each published number, a diamond for the present setting. The table"
    if not published:
        words = "a diamond for the present setting. The list"
    chart = alt.layer(*layers).properties(width=WIDTH, height=HEIGHT, title=view.title)
    spec = chart.properties(
        description=f"{view.title}: a curve of the model, {words} above gives the same numbers."
    ).to_dict()
    # The book's own looks, whichever theme altair has enabled.
    return spec | {
        "config": CONFIG,
        "datasets": {"curve": [], "here": [], "published": published},
    }


def _row(case: Case, number: Published) -> dict:
    output = case.output(number.output) if number.output else None
    return {
        "label": number.label,
        "output": number.output,
        "settings": dict(number.settings),
        "value": number.value,
        "resolution": number.resolution,
        "relation": number.record.relation,
        "published_text": published_text(number.value, number.record.relation),
        "unit": output.unit if output else number.record.unit,
        "digits": output.digits if output else 0,
        "status": number.status,
        "remark": number.remark,
    }


def compact(description: dict, only: tuple[str, ...], table: bool) -> dict:
    """Return the description of a smaller explorer.

    only: names of the parameters that get a control; the rest stay at their values ("hidden").
    Then only the charts over these parameters stay, and the outputs that they show. With no
    names all stay. table: whether the published numbers stand in a table.
    Raises ValueError for an unknown parameter, and for one that no chart is drawn over.
    """
    names = [parameter["name"] for parameter in description["parameters"]]
    for name in only:
        choice("only", name, names)
    small = dict(description)
    if only:
        small["parameters"] = [
            parameter if parameter["name"] in only else parameter | {"hidden": True}
            for parameter in description["parameters"]
        ]
        small["views"] = [view for view in description["views"] if view["x"] in only]
        if not small["views"]:
            over = ", ".join(dict.fromkeys(view["x"] for view in description["views"]))
            raise ValueError(f"only = {only!r}: must hold a parameter with a chart ({over})")
        shown = [view["y"] for view in small["views"]]
        small["outputs"] = [each for each in description["outputs"] if each["name"] in shown]
    if not table:
        small["rows"] = []
    return small


def describe(case: Case) -> dict:
    """Return the case as JSON can hold it: parameters, outputs, rows, views with their charts."""
    return {
        "name": case.name,
        "title": case.title,
        "predictor": case.predictor,
        "parameters": [asdict(p) | {"choices": list(p.choices)} for p in case.parameters],
        "outputs": [asdict(output) for output in case.outputs],
        "rows": [_row(case, number) for number in case.numbers],
        "views": [asdict(view) | {"spec": view_spec(case, view)} for view in case.views],
    }


def defaults(description: dict) -> dict:
    """Return the state in which an explorer opens."""
    return {parameter["name"]: parameter["default"] for parameter in description["parameters"]}
