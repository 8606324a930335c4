"""A case as plain data: what both fronts of its explorer are built from."""

from dataclasses import asdict

import altair as alt

from tunables.cases.case import Case, Parameter, Published, View
from tunables.reader.charts import COLOURS, CONFIG, HEIGHT, WIDTH
from tunables.reader.formats import published_text

CURVE, HERE, PUBLISHED = COLOURS[0], COLOURS[1], COLOURS[6]


def _parameter(case: Case, name: str) -> Parameter:
    return next(parameter for parameter in case.parameters if parameter.name == name)


def axis_title(label: str, unit: str) -> str:
    """Return the label with its unit, if it has one."""
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
        title=axis_title(parameter.label, parameter.unit),
        scale=alt.Scale(type=parameter.scale, domain=[parameter.low, parameter.high]),
        axis=alt.Axis(tickCount=6, labelOverlap="greedy", labelSeparation=8, labelFlush=False),
    )
    y = alt.Y("y:Q", title=axis_title(output.label, output.unit))
    tooltip = [alt.Tooltip("x:Q", title=parameter.label), alt.Tooltip("y:Q", title=output.label)]
    curve = alt.Chart(alt.NamedData("curve")).mark_line(clip=True, color=CURVE)
    here = alt.Chart(alt.NamedData("here")).mark_point(
        filled=True, size=140, color=HERE, clip=True, shape="diamond"
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
