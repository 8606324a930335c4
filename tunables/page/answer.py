"""What an explorer shows for one state of its controls.

Plain Python that MicroPython runs: the page and Jupyter both call `answer` and show the
strings that it returns.
"""

from tunables.page.formats import error_text, grouped, output_text
from tunables.page.sampling import sample, with_point
from tunables.plain.agreement import agrees, relative_error
from tunables.plain.arguments import choice, number, whole
from tunables.plain.remembered import remembered
from tunables.plain.typed import typed_number
from tunables.plain.units import canonical, unit_factor


def _typed(text, unit):
    """Return what a text such as "4096 MiB" says in a unit; the text itself if it is no number."""
    try:
        value, word = typed_number(text)
        # No more digits than are typed: 4.35k is 4350, which 4.35 times 1000 is not quite.
        return float(f"{value * unit_factor(word, canonical(unit)):.12g}")
    except ValueError:
        return text


def check_state(parameters, state) -> dict:
    """Return the state with every parameter checked against its range or choices.

    A number may be a text, with a unit of its own behind it.

    Raises ValueError that names the first parameter that is out of range.
    """
    if not isinstance(state, dict):
        raise ValueError(f"state = {state!r}: must be values by the names of the parameters")
    checked: dict = {}
    for parameter in parameters:
        name = parameter["name"]
        value = state.get(name)
        if parameter["choices"]:
            checked[name] = choice(name, value, parameter["choices"])
        else:
            check = whole if parameter["whole"] else number
            if isinstance(value, str):
                value = _typed(value, parameter.get("unit", ""))
            bounds = {"at_least": parameter["low"], "at_most": parameter["high"]}
            checked[name] = check(name, value, **bounds)
    return checked


def _with(state, changes):
    changed = dict(state)
    changed.update(changes)
    return changed


def _row(row, predict, state):
    """Return the model's number for one published row, under the row's own settings."""
    if not row["output"]:
        return {"model": None, "model_text": "–", "error_text": "no model"}
    model = predict(**_with(state, row["settings"]))[row["output"]]
    value, relation = row["value"], row["relation"]
    agreed = agrees(model, value, row["resolution"], relation)
    error = relative_error(model, value, relation)
    return {
        "model": model,
        "model_text": grouped(model, row["digits"]),
        "error_text": error_text(row["status"], relation, agreed, error),
    }


def _curve(view, parameters, predict, state):
    """Return the generator of a view's curve, as `sample` has it."""
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

    description: what `tunables.reader.description.describe` returns; predict: the case's
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
    state before, brought up to date: while only its own x moves, a curve stays as it is, or goes
    on being computed.
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
    predict = remembered(predict)
    reply = numbers(description, predict, state)
    reply["views"] = list(drawing(description, predict, state))[-1]
    return reply
