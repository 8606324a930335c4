"""`explore(case)`: a case under the reader's hands, in a notebook and in a page.

A case becomes a description, plain data that its explorer is built from; the description becomes
HTML, which is what readers see without scripts and what the page's script starts from.
"""

import json
import math
from dataclasses import asdict
from functools import lru_cache
from html import escape

import altair as alt

from tunables.base.arguments import choice
from tunables.base.refusals import refusal
from tunables.base.units import unit_text
from tunables.core.case import Case, Published
from tunables.core.model import Model, Output, Parameter, Setting, View
from tunables.core.registry import find_allowed, find_case
from tunables.page.explorer import ExplorerSession, answer, numbers
from tunables.page.formats import ends_text, published_text
from tunables.page.sampling import beginning
from tunables.views.charts import COLOURS, CONFIG, HEIGHT, INK, WIDTH, picture_html, script_json
from tunables.views.live import Live, static_text
from tunables.views.live import Responder as AnyPage
from tunables.views.simulation import WithSimulation, describe_simulation

STEPS = 5  # steps of an axis, about
POINTS = 41  # points of a curve that find its range
MOST = 5  # an axis holds curves up to this many times as high as at the defaults
FULL = 1 / 3  # values that fill less of an axis from 0 get an axis that does not start at 0


@lru_cache(maxsize=256)
def _curve(predict, x: Parameter, y: str, state: tuple) -> list[float]:
    """Return what a curve over x goes through at a state, given as pairs."""
    bounds = {"low": x.low, "high": x.high, "integer": x.integer, "scale": x.scale}
    xs = beginning(bounds, POINTS)
    values = (predict(**dict(state) | {x.name: at})[y] for at in xs[:: -(-len(xs) // POINTS)])
    return [value for value in values if math.isfinite(value)]


def _values(model: Model, view: View) -> list[float]:
    """Return the values that the axis must hold."""
    start, x = model.settings(), model.parameter(view.x)
    numbers = model.numbers if isinstance(model, Case) else ()
    found = _curve(model.predict, x, view.y, tuple(start.items()))
    found = found + [number.value for number in numbers if number.output == view.y]
    others = [{p.name: each} for p in model.parameters for each in p.choices if each != p.default]
    curves = [_curve(model.predict, x, view.y, tuple((start | other).items())) for other in others]
    most = MOST * max(found)
    return found + [value for curve in curves if max(curve) <= most for value in curve]


def nice_step(width: float) -> float:
    """Return 1, 2 or 5 times a power of ten, of which about five make up the width.

    >>> nice_step(20), nice_step(17.3), nice_step(90_000)
    (5.0, 5.0, 20000.0)
    """
    power = 10.0 ** math.floor(math.log10(width / STEPS))
    return power * min(
        (1, 2, 5, 10), key=lambda times: abs(math.log(width / STEPS / power / times))
    )


def domain(model: Model, view: View) -> tuple[float, float]:
    """Return the ends of a view's y-axis.

    It holds the curve at the defaults, and at each choice unless that goes far higher, and the
    published numbers; and 0, unless all of them are far from it and close together.
    """
    values = _values(model, view)
    low, high = min(values), max(values)
    if high - low >= FULL * high or high == low:
        low = min(low, 0.0)
    step = nice_step((high - low) or 1.0)
    return step * math.floor(low / step), step * math.ceil(high / step)


MOST_MAIN = 3  # outputs on an explorer's first screen
MODEL = COLOURS[0]
# For a published number that is a bound: on which side the value is.
SIGNS = {
    "at least": "triangle-up",
    "above": "triangle-up",
    "at most": "triangle-down",
    "below": "triangle-down",
}


def _numbers(model: Model) -> tuple[Published, ...]:
    """Return the published numbers of a model; a card's model has none."""
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

    It is shown where no script draws the chart live.
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
    # The book's theme, whichever theme altair has enabled.
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
        "compared": number.relation,
        "side": number.side,
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
    names all stay. table: whether the published numbers are in a table; without it the
    explorer is a figure, and is not simulated.
    Raises ValueError for an unknown parameter, and for one that no chart is drawn over.
    """
    names = [parameter["name"] for parameter in description["parameters"]]
    if not isinstance(only, (tuple, list)):
        raise refusal(f"only = {only!r}: must be a tuple of parameters from {', '.join(names)}")
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
            raise refusal(f"only = {only!r}: must include a parameter with a chart ({over})")
        shown = [view["y"] for view in small["views"]]
        small["outputs"] = [each for each in description["outputs"] if each["name"] in shown]
        main = [name for name in description["main_outputs"] if name in shown]
        small["main_outputs"] = main or shown[:MOST_MAIN]
    if not table:
        small["rows"] = []
        small.pop("simulation", None)
    return small


def _describe_parameter(parameter: Parameter) -> dict:
    """Return a parameter; texts for its choices only where they are others than the choices."""
    fields = asdict(parameter) | {
        "choices": list(parameter.choices),
        "title": _title(parameter.label, parameter.unit),
        "unit_text": unit_text(parameter.unit),
    }
    texts = fields.pop("choice_texts")
    return fields | ({"choice_texts": list(texts)} if texts else {})


def _describe_output(output: Output) -> dict:
    return asdict(output) | {"unit_text": unit_text(output.unit)}


def _main_outputs(model: Model) -> list[str]:
    """Return the names of the outputs that are shown first; raises ValueError for too many."""
    if len(model.main_outputs) > MOST_MAIN:
        raise refusal(f"main_outputs = {model.main_outputs!r}: must have at most {MOST_MAIN} names")
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
        "parameters": [_describe_parameter(parameter) for parameter in model.parameters],
        "outputs": [_describe_output(output) for output in model.outputs],
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


STATIC_TEXT = static_text("The table shows the published settings.", "change the settings")


def fill_view(view: dict, drawn: dict) -> dict:
    """Return the view's chart with the answer's curve and present setting in its datasets."""
    datasets = view["spec"]["datasets"] | {"curve": drawn["curve"], "here": drawn["here"]}
    return view["spec"] | {"datasets": datasets}


def table_html(description: dict, answer: dict) -> str:
    """Return the table published | unit | model | error, a row for each number ("" for none)."""
    if not description["rows"]:
        return ""
    rows = "".join(
        f'<tr><th scope="row"><span class="row-label">{escape(row["label"])}</span> '
        f'<span class="status status-{row["status"]}">{row["status"]}</span></th>'
        f"<td>{escape(row['published_text'])}</td>"
        f'<td class="words">{unit_text(escape(row["unit"]), "")}</td>'
        f'<td data-cell="model">{escape(reply["model_text"])}</td>'
        f'<td data-cell="error">{escape(reply["error_text"])}</td></tr>'
        for row, reply in zip(description["rows"], answer["rows"], strict=True)
    )
    return (
        '<div class="table-scroll" tabindex="0" role="region" '
        f'aria-label="Table: {escape(description["title"])}">'
        '<table class="explorer-table"><caption>'
        f"Published numbers and the model: {escape(description['title'])}</caption>"
        '<thead><tr><th scope="col">Number</th><th scope="col">Published</th>'
        '<th scope="col" class="words">Unit</th><th scope="col">Model</th>'
        '<th scope="col">Error</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _output_html(output: dict, text: str) -> str:
    """Return an output's label, value and unit; a pure number has none."""
    shown = unit_text(escape(output["unit"])).strip()
    unit = f' <span class="unit">{shown}</span>' if shown else ""
    return (
        f"<div><dt>{escape(output['label'])}</dt>"
        f'<dd><span data-output="{output["name"]}">{escape(text)}</span>{unit}</dd></div>'
    )


def outputs_html(description: dict, answer: dict) -> str:
    """Return the model's outputs at the present setting."""
    texts = answer["output_texts"]
    items = "".join(_output_html(o, texts[o["name"]]) for o in description["outputs"])
    return f'<dl class="explorer-outputs" aria-label="Model at your setting">{items}</dl>'


def explorer_html(description: dict, answer: dict) -> str:
    """Return the whole explorer, static until the page's script mounts it."""
    figures = "".join(
        picture_html(fill_view(view, drawn), name=f"view-{index}")
        for index, (view, drawn) in enumerate(
            zip(description["views"], answer["views"], strict=True)
        )
    )
    page = description | {"defaults": defaults(description)}
    message = STATIC_TEXT if description["rows"] else STATIC_TEXT.replace("table", "chart", 1)
    page["views"] = [{k: v for k, v in view.items() if k != "spec"} for view in page["views"]]
    return (
        f'<section class="tunables-explorer" id="explore-{description["name"]}" '
        f'aria-label="Explorer: {escape(description["title"])}">'
        f'<script type="application/json" class="explorer-description">{script_json(page)}'
        "</script>"
        f'<p class="explorer-message" role="status">{message}</p>'
        '<div class="explorer-controls"></div>'
        f"{outputs_html(description, answer)}{table_html(description, answer)}"
        f'<div class="explorer-views">{figures}</div></section>'
    )


class Explorer(Live):
    """The explorer of one model. `state` holds the parameters; `set_state` changes some of them.

    `only` and `table` make it smaller (see `compact`).
    """

    def __init__(self, model: Model, only: tuple[str, ...] = (), table: bool = True, **state):
        start = model.settings(**state)
        self._model = model
        self._description = compact(describe(model), only, table)
        self._defaults = defaults(self._description)
        first = answer(self._description, model.predict, self._defaults)
        page: AnyPage = ExplorerSession(json.dumps(self._description), model.predict)
        if isinstance(model, Case) and "simulation" in self._description:
            page = WithSimulation(page, self._description, model.simulation, model.predict)
        plain = f"{type(self).__name__}({model.name!r})"
        super().__init__(self._page_html(first), plain, page)
        self.set_state(**start)

    def _page_html(self, page: dict) -> str:
        return explorer_html(self._description, page)

    @property
    def state(self) -> dict[str, Setting]:
        """All parameters, as the controls are set."""
        return {
            name: self.entries.get(f"{self._model.name}.{name}", value)
            for name, value in self._defaults.items()
        }

    def set_state(self, sync_data: dict | None = None, /, **changes) -> None:
        """Change some parameters; a value out of range is refused in a sentence and shown.

        sync_data: what the browser sends, which ipywidgets hands to a method of this name.
        """
        if sync_data is not None:
            super().set_state(sync_data)
            return
        try:
            wanted = self._model.settings(**(self.state | changes))
            numbers(self._description, self._model.predict, wanted)
        except ValueError as error:
            self.say(str(error))
            return
        self.notice = ""
        self.entries = {
            f"{self._model.name}.{name}": value
            for name, value in wanted.items()
            if value != self._defaults[name]
        }


def explore(
    case: Model | str, only: tuple[str, ...] = (), table: bool = True, **state: Setting
) -> Explorer:
    """Return the explorer of a case (or of its name), opened at a state.

    only: the parameters that get a control, with the charts over them (all if none is named);
    table: whether to show the table of published numbers.
    Raises ValueError for an unknown case, an unknown parameter or a value out of range.
    """
    found = case if isinstance(case, Model) else find_case(case)
    return Explorer(found, only, table, **state)
