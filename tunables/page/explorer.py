"""What an explorer shows for one state of its controls, and its session with the page.

The page and Jupyter both run this, so that both show the same strings.
"""

import json
import time

from tunables.base.agreement import agrees, relative_error
from tunables.base.arguments import choice, integer, number, refuse
from tunables.base.numbers_as_text import parse_number
from tunables.base.portable import memoize
from tunables.base.units import canonical, in_unit
from tunables.page.formats import error_text, model_text, output_text
from tunables.page.requests import entries, refused_parameter, reply_to, reword
from tunables.page.sampling import sample, with_point


def _parse_typed(text, unit):
    """Return what a text such as "4096 MiB" says in a unit; the text itself if it is no number."""
    try:
        value, word = parse_number(text)
        # No more digits than are typed: 4.35k is 4350, which 4.35 times 1000 is not quite.
        return float(f"{in_unit(value, word, canonical(unit)):.12g}")
    except ValueError:
        return text


def check_state(parameters, state) -> dict:
    """Return the state with every parameter checked against its range or choices.

    A number may be a text with a unit behind it.

    Raises ValueError that names the first parameter that is out of range.
    """
    if not isinstance(state, dict):
        refuse("state", state, "values keyed by parameter name")
    checked: dict = {}
    for parameter in parameters:
        name = parameter["name"]
        value = state.get(name)
        if parameter["choices"]:
            checked[name] = choice(name, value, parameter["choices"])
        else:
            check = integer if parameter["integer"] else number
            if isinstance(value, str):
                value = _parse_typed(value, parameter.get("unit", ""))
            bounds = {"at_least": parameter["low"], "at_most": parameter["high"]}
            checked[name] = check(name, value, **bounds)
    return checked


def _with(state, changes):
    changed = dict(state)
    changed.update(changes)
    return changed


def _row(row, predict, state):
    """Return the model's number for one published row, at the settings of that row."""
    if not row["output"]:
        return {"model": None, "model_text": "–", "error_text": "no model"}
    model = predict(**_with(state, row["settings"]))[row["output"]]
    value, relation = row["value"], row["compared"]
    agreed = agrees(model, value, row["resolution"], relation)
    error = relative_error(model, value, relation)
    return {
        "model": model,
        "model_text": model_text(model, row["digits"], row["side"]),
        "error_text": error_text(row["status"], relation, agreed, error),
    }


def _curve(view, parameters, predict, state):
    """Return the generator of a view's curve: see `sample`."""
    x, y = view["x"], view["y"]
    parameter = next(p for p in parameters if p["name"] == x)
    low, high = view["domain"]

    def value(at):
        return predict(**_with(state, {x: at}))[y]

    return sample(value, parameter, view["points"], high - low)


def _rows(points) -> list:
    return [{"x": x, "y": y} for x, y in points]


def numbers(description, predict, state) -> dict:
    """Return the "state" as it was understood, and its "outputs", "output_texts" and "rows".

    description: what `tunables.views.explorer.describe` returns; predict: the case's
    closed form; state: {parameter name: value}.
    Raises ValueError, one sentence for the reader, if a value is out of range.
    """
    state = check_state(description["parameters"], state)
    outputs = predict(**state)
    return {
        "state": state,
        "outputs": outputs,
        "output_texts": {
            output["name"]: output_text(outputs[output["name"]], output["digits"])
            for output in description["outputs"]
        },
        "rows": [_row(row, predict, state) for row in description["rows"]],
    }


def drawing(description, predict, state, kept=None):
    """Yield None while the curves of one state are computed, a point a time; then the views.

    Arguments as those of `numbers`. kept: {index: [other parameters, generator, curve]} of the
    previous state, updated here: while only its x changes, a curve is kept, or its computation goes
    on.
    """
    kept = {} if kept is None else kept
    parameters = description["parameters"]
    state = check_state(parameters, state)
    views = []
    for index, view in enumerate(description["views"]):
        x = view["x"]
        others = {name: value for name, value in state.items() if name != x}
        if index not in kept or kept[index][0] != others:
            kept[index] = [others, _curve(view, parameters, predict, state), None]
        work = kept[index]
        while work[2] is None:
            work[2] = next(work[1])
            yield None
        here = state[x], predict(**state)[view["y"]]
        views.append({"curve": _rows(with_point(work[2], here)), "here": _rows([here])})
    yield views


def answer(description, predict, state) -> dict:
    """Return what `numbers` returns, and the "views" with their curves.

    Raises ValueError, one sentence for the reader, if a value is out of range.
    """
    predict = memoize(predict)
    reply = numbers(description, predict, state)
    reply["views"] = list(drawing(description, predict, state))[-1]
    return reply


_LONGEST_DRAW_S = 60  # without a word to the page


def finite(value):
    """Return value with infinities and nan as None: JSON has no word for them."""
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [finite(item) for item in value]
    if isinstance(value, float) and (value != value or value in (float("inf"), -float("inf"))):
        return None
    return value


def load_function(place):
    """Return the function that a place names: "module:function"."""
    module, name = place.split(":")
    scope: dict = {}
    exec(f"from {module} import {name}", scope)
    return scope[name]


class ExplorerSession:
    """One explorer in the page: its description, and its closed form, or the one that it names.

    The numbers of a state are returned at once. Its curves take longer and are computed in pieces,
    so that a slider that moves on does not have to wait.
    """

    def __init__(self, description_json, predict=None):
        self.description = json.loads(description_json)
        # Rows, curves and the state before often ask for the same.
        self.predict = memoize(predict or load_function(self.description["predictor"]))
        self.kept: dict = {}
        self.pieces = drawing({"parameters": [], "views": []}, None, {})

    def reply(self, request_json) -> str:
        """Return the reply to a request, both as JSON.

        {"state": state}: `numbers` of it, or for a bad one {"refusal": sentence, "parameter": name
        of the refused one, or None if the sentence is about several}.
        {"draw_s": seconds}: work so long on the curves of the state last asked for; {} while
        there is more to do, at the end {"views": ...} of `drawing`, then {"views": []}.
        """
        return reply_to(request_json, lambda request: finite(self._reply(request)))

    def _reply(self, request):
        if "state" not in request:
            return self._draw(request)
        state, parameters = request["state"], self.description["parameters"]
        try:
            return self._numbers(state)
        except ValueError as error:
            named = refused_parameter(parameters, error)
            sentence = reword(parameters, state, error)
            return {"refusal": sentence, "parameter": named["name"] if named else None}

    def _numbers(self, state):
        reply = numbers(self.description, self.predict, state)
        self.pieces = drawing(self.description, self.predict, state, self.kept)
        return reply

    def _draw(self, request):
        draw_s = entries("request", request, ["draw_s"])["draw_s"]
        end_s = time.time() + number("draw_s", draw_s, at_least=0, at_most=_LONGEST_DRAW_S)
        for views in self.pieces:
            if views is not None:
                return {"views": views}
            if time.time() >= end_s:
                return {}
        return {"views": []}
