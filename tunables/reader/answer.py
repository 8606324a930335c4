"""What an explorer shows for one state of its controls.

Plain Python that MicroPython runs: the page and Jupyter both call `answer` and show the
strings that it returns.
"""

from tunables.agreement import agrees, relative_error
from tunables.arguments import choice, number, whole
from tunables.reader.formats import error_text, grouped, output_text


def check_state(parameters, state) -> dict:
    """Return the state with every parameter checked against its range or choices.

    Raises ValueError that names the first parameter that is out of range.
    """
    checked: dict = {}
    for parameter in parameters:
        name = parameter["name"]
        value = state.get(name)
        if parameter["choices"]:
            checked[name] = choice(name, value, parameter["choices"])
        else:
            check = whole if parameter["whole"] else number
            bounds = {"at_least": parameter["low"], "at_most": parameter["high"]}
            checked[name] = check(name, value, **bounds)
    return checked


def _with(state, changes):
    changed = dict(state)
    changed.update(changes)
    return changed


def _remembering(predict):
    """Return predict, asked once for each state: rows often share their settings."""
    known: dict = {}

    def remembered(**state):
        key = tuple(sorted(state.items()))
        if key not in known:
            known[key] = predict(**state)
        return known[key]

    return remembered


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


def grid(low, high, scale, points) -> list:
    """Return points from low to high, evenly on a linear or a log scale.

    >>> grid(1, 100, "log", 3)
    [1.0, 10.0, 100.0]
    """
    steps = [index / (points - 1) for index in range(points)]
    if scale == "log":
        inner = [low * (high / low) ** step for step in steps]
    else:
        inner = [low + (high - low) * step for step in steps]
    return [float(low)] + inner[1:-1] + [float(high)]


def _curve(view, parameters, predict, state):
    x, y = view["x"], view["y"]
    parameter = next(p for p in parameters if p["name"] == x)
    values = grid(parameter["low"], parameter["high"], parameter["scale"], view["points"])
    if parameter["whole"]:
        values = [float(round(value)) for value in values]
    return [{"x": value, "y": predict(**_with(state, {x: value}))[y]} for value in values]


def answer(description, predict, state) -> dict:
    """Return outputs, table rows and curves of the views for one state.

    description: what `tunables.reader.explorer.describe` returns; predict: the case's closed
    form; state: {parameter name: value}.
    Raises ValueError, one sentence for the reader, if a value is out of range.
    """
    parameters = description["parameters"]
    state = check_state(parameters, state)
    predict = _remembering(predict)
    outputs = predict(**state)
    return {
        "outputs": outputs,
        "output_texts": {
            output["name"]: output_text(outputs[output["name"]], output["digits"])
            for output in description["outputs"]
        },
        "rows": [_row(row, predict, state) for row in description["rows"]],
        "views": [
            {
                "curve": _curve(view, parameters, predict, state),
                "here": [{"x": state[view["x"]], "y": outputs[view["y"]]}],
            }
            for view in description["views"]
        ],
    }
