"""`explore(case)`: a case under the reader's hands, as Jupyter widgets and as a page's markup."""

import math

import ipywidgets as widgets

from tunables.cases.case import Case
from tunables.cases.registry import find_case
from tunables.reader.answer import answer
from tunables.reader.charts import svg
from tunables.reader.description import compact, defaults, describe
from tunables.reader.markup import explorer_html, filled, outputs_html, table_html

# The page has its own style sheet; in Jupyter the tables need this much.
STYLE = """<style>
.explorer-table th { text-align: left; font-weight: normal; padding-right: 1em }
.explorer-table td { text-align: right; padding-left: 1em }
.status { border: 1px solid; border-radius: 0.6em; padding: 0 0.4em; font-size: 0.85em }
.explorer-outputs dt, .explorer-outputs dd { float: none; width: auto; margin: 0 }
.explorer-outputs div { display: inline-block; margin-right: 2em }
</style>"""
STEPS = 200  # positions of a slider: whole numbers, which the browser sends back unrounded


def _to_value(position: int, parameter: dict) -> float:
    low, high, share = parameter["low"], parameter["high"], position / STEPS
    log = parameter["scale"] == "log"
    value = low * (high / low) ** share if log else low + (high - low) * share
    near = round(value) if parameter["whole"] else float(f"{value:.4g}")
    return min(max(near, low), high)


def _to_position(value: float, parameter: dict) -> int:
    low, high = parameter["low"], parameter["high"]
    if parameter["scale"] == "log":
        return round(math.log(value / low) / math.log(high / low) * STEPS)
    return round((value - low) / (high - low) * STEPS)


class Explorer(widgets.VBox):
    """The widgets of one case. `state` holds the parameters; `set_state` changes some of them.

    Shown outside Jupyter (on the book's static page) it is the markup that the page's own
    script brings to life. `only` and `table` make it smaller (see `compact`).
    """

    def __init__(self, case: Case, only: tuple[str, ...] = (), table: bool = True, **state):
        self._case = case
        self._description = compact(describe(case), only, table)
        self._defaults = defaults(self._description)
        self.state = dict(self._defaults)
        self._moving = False
        self._fields: dict[str, widgets.Widget] = {}
        self._sliders: dict[str, widgets.Widget] = {}
        self._message = widgets.HTML()
        self._result = widgets.HTML()
        shown = [p for p in self._description["parameters"] if not p.get("hidden")]
        controls = [self._control(p) for p in shown]
        super().__init__([*controls, self._buttons(), self._message, self._result])
        self.set_state(**case.settings(**state))

    def _repr_mimebundle_(self, **kwargs):
        bundle = super()._repr_mimebundle_(**kwargs)
        page = answer(self._description, self._case.predict, self._defaults)
        return bundle | {
            "text/plain": f"{type(self).__name__}({self._case.name!r})",
            "text/html": self._page_html(page),
        }

    def _page_html(self, page: dict) -> str:
        return explorer_html(self._description, page)

    def _control(self, parameter: dict) -> widgets.Widget:
        name, label = parameter["name"], parameter["label"]
        hint = widgets.Label(f"{parameter['unit']}  ({parameter['origin']}: {parameter['source']})")
        title = widgets.Label(label, layout=widgets.Layout(width="16em"))
        if parameter["choices"]:
            field = widgets.Dropdown(options=parameter["choices"], value=parameter["default"])
            row = [title, field, hint]
        else:
            field = widgets.FloatText(
                value=parameter["default"], layout=widgets.Layout(width="8em")
            )
            slider = widgets.IntSlider(
                value=_to_position(parameter["default"], parameter),
                max=STEPS,
                readout=False,
                layout=widgets.Layout(width="16em"),
            )
            slider.observe(lambda change: self._slid(parameter, change["new"]), names="value")
            self._sliders[name] = slider
            row = [title, slider, field, hint]
        field.observe(lambda change: self._typed(name, change["new"]), names="value")
        self._fields[name] = field
        return widgets.HBox(row)

    def _slid(self, parameter: dict, position: int) -> None:
        self._typed(parameter["name"], _to_value(position, parameter))

    def _typed(self, name: str, value: float | str) -> None:
        if not self._moving:  # a control that set_state moves must not answer back
            self.set_state(**{name: value})

    def _move_controls(self) -> None:
        self._moving = True
        try:
            for parameter in self._description["parameters"]:
                name = parameter["name"]
                if name not in self._fields:
                    continue
                self._fields[name].value = self.state[name]
                if name in self._sliders:
                    self._sliders[name].value = _to_position(self.state[name], parameter)
        finally:
            self._moving = False

    def _buttons(self) -> widgets.Widget:
        reset = widgets.Button(description="Reset")
        reset.on_click(lambda _: self.set_state(**self._defaults))
        buttons = [reset]
        for row in self._description["rows"]:
            if row["output"]:
                button = widgets.Button(
                    description=row["label"], layout=widgets.Layout(width="auto")
                )
                button.on_click(lambda _, row=row: self.set_state(**row["settings"]))
                buttons.append(button)
        return widgets.HBox(buttons, layout=widgets.Layout(flex_flow="row wrap"))

    def set_state(self, **changes) -> None:
        """Change some parameters; a value out of range is refused in a sentence and shown."""
        wanted = self.state | changes
        try:
            reply = answer(self._description, self._case.predict, wanted)
        except ValueError as error:
            self._message.value = f'<p role="alert">{error}</p>'
            return
        self.state = wanted
        self._message.value = ""
        self._result.value = STYLE + self._result_html(reply)
        self._move_controls()

    def _result_html(self, reply: dict) -> str:
        drawings = "".join(
            svg(filled(view, drawn))
            for view, drawn in zip(self._description["views"], reply["views"], strict=True)
        )
        description = self._description
        return outputs_html(description, reply) + table_html(description, reply) + drawings


def explore(case: Case | str, only: tuple[str, ...] = (), table: bool = True, **state) -> Explorer:
    """Return the explorer of a case (or of its name), opened at a state.

    only: the parameters that get a control, with the charts over them (all if none is named);
    table: whether to show the table of published numbers.
    Raises ValueError for an unknown case, an unknown parameter or a value out of range.
    """
    found = find_case(case) if isinstance(case, str) else case
    return Explorer(found, only, table, **state)
