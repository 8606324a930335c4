"""A case as plain data: what its explorer is built from."""

from dataclasses import asdict

import altair as alt

from tunables.page.formats import ends_text, published_text
from tunables.parts.case import Case, Published
from tunables.parts.model import Model, Output, Parameter, View
from tunables.parts.registry import find_allowed
from tunables.plain.arguments import choice
from tunables.plain.units import unit_text
from tunables.reader.axis import domain
from tunables.reader.charts import COLOURS, CONFIG, HEIGHT, INK, WIDTH
from tunables.reader.simulation import describe_simulation

MOST_MAIN = 3  # outputs on an explorer's first screen
MODEL = COLOURS[0]
# Of a published number that is a bound: which way the value lies.
SIGNS = {
    "at least": "triangle-up",
    "above": "triangle-up",
    "at most": "triangle-down",
    "below": "triangle-down",
}


def _numbers(model: Model) -> tuple[Published, ...]:
    """Return the published numbers beside a model; a card's has none."""
    return model.numbers if isinstance(model, Case) else ()


def _title(label: str, unit: str) -> str:
    return label + unit_text(unit, " (", ")")


def _points(model: Model, view: View) -> list[dict]:
    """Return the published numbers that the view can show: those of its output."""
    return [
        {
            "x": number.settings.get(view.x, model.parameter(view.x).default),
            "y": number.value,
            "sign": SIGNS.get(number.record.relation, "circle"),
        }
        for number in _numbers(model)
        if number.output == view.y
    ]


def view_spec(model: Model, view: View) -> dict:
    """Return the view's picture in Vega-Lite; its datasets "curve" and "here" are to be filled.

    It stands where no script draws the chart live.
    """
    parameter, output = model.parameter(view.x), model.output(view.y)
    published = _points(model, view)
    x = alt.X(
        "x:Q",
        title=_title(parameter.label, parameter.unit),
        scale=alt.Scale(type=parameter.scale, domain=[parameter.low, parameter.high]),
    )
    y = alt.Y(
        "y:Q",
        title=_title(output.label, output.unit),
        scale=alt.Scale(domain=domain(model, view)),
    )
    curve = alt.Chart(alt.NamedData("curve")).mark_line(clip=True, color=MODEL)
    here = alt.Chart(alt.NamedData("here")).mark_point(
        filled=True, size=200, color=MODEL, opacity=1
    )
    layers = [curve.encode(x=x, y=y), here.encode(x=x, y=y)]
    words = "a dot for the present setting"
    if published:  # an empty layer would be a picture without a name
        points = alt.Chart(alt.NamedData("published")).mark_point(
            size=450, color=INK, strokeWidth=1.6
        )
        sign = alt.Shape("sign:N", scale=None, legend=None)
        layers.insert(1, points.encode(x=x, y=y, shape=sign))
        words = f"a ring for each published number, a triangle for a bound, {words}"
    words += f". The {'table' if published else 'list'}"
    chart = alt.layer(*layers).properties(width=WIDTH, height=HEIGHT, title=view.title)
    spec = chart.properties(
        description=f"{view.title}: a curve of the model, {words} above gives the same numbers."
    ).to_dict()
    # The book's own looks, whichever theme altair has enabled.
    datasets = {"curve": [], "here": [], "published": published}
    return spec | {"config": CONFIG, "datasets": datasets}


def _allowed(case: Case, number: Published) -> dict:
    """Return what the digits allow of the model's number, where that is known."""
    told = find_allowed(case)
    ends = told.intervals.get(number.record.row_id) if told else None
    if ends is None:
        return {}
    # Another machine's last bit changes nothing.
    return {"allowed": [float(f"{end:.5g}") for end in ends], "allowed_text": ends_text(*ends)}


def _row(case: Case, number: Published) -> dict:
    output = case.output(number.output) if number.output else None
    return _allowed(case, number) | {
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
    names all stay. table: whether the published numbers stand in a table; without it the
    explorer is a figure, and is not simulated.
    Raises ValueError for an unknown parameter, and for one that no chart is drawn over.
    """
    names = [parameter["name"] for parameter in description["parameters"]]
    if not isinstance(only, (tuple, list)):
        raise ValueError(f"only = {only!r}: must be a tuple of parameters, of {', '.join(names)}")
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
        main = [name for name in description["main_outputs"] if name in shown]
        small["main_outputs"] = main or shown[:MOST_MAIN]
    if not table:
        small["rows"] = []
        small.pop("simulation", None)
    return small


def _described(parameter: Parameter) -> dict:
    """Return a parameter; texts for its choices only where they are others than the choices."""
    fields = asdict(parameter) | {
        "choices": list(parameter.choices),
        "title": _title(parameter.label, parameter.unit),
        "unit_text": unit_text(parameter.unit),
    }
    texts = fields.pop("choice_texts")
    return fields | ({"choice_texts": list(texts)} if texts else {})


def _shown(output: Output) -> dict:
    return asdict(output) | {"unit_text": unit_text(output.unit)}


def _main_outputs(model: Model) -> list[str]:
    """Return the names of the outputs that are told first; raises ValueError for too many."""
    if len(model.main_outputs) > MOST_MAIN:
        raise ValueError(f"main_outputs = {model.main_outputs!r}: must be at most {MOST_MAIN}")
    named = [model.output(name).name for name in model.main_outputs]
    return named or [output.name for output in model.outputs[:MOST_MAIN]]


def describe(model: Model) -> dict:
    """Return a model as JSON can hold it: parameters, outputs, rows, views with their charts.

    That of a case also says how it is simulated.
    """
    simulated = (
        {"simulation": describe_simulation(model.simulation)} if isinstance(model, Case) else {}
    )
    return simulated | {
        "name": model.name,
        "title": model.title,
        "predictor": model.predictor,
        "parameters": [_described(parameter) for parameter in model.parameters],
        "outputs": [_shown(output) for output in model.outputs],
        "rows": [_row(model, each) for each in model.numbers] if isinstance(model, Case) else [],
        "views": [
            asdict(view) | {"domain": list(domain(model, view)), "spec": view_spec(model, view)}
            for view in model.views
        ],
        "main_outputs": _main_outputs(model),
        "main_parameters": [model.parameter(name).name for name in model.main_parameters],
    }


def defaults(description: dict) -> dict:
    """Return the state in which an explorer opens."""
    return {parameter["name"]: parameter["default"] for parameter in description["parameters"]}
