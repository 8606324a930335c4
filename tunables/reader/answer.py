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


def remembering(predict, known=None):
    """Return predict, asked once for each state: rows and curves often share their settings.

    known: {tuple of a state's sorted items: outputs} to begin with; it is filled as it goes.
    """
    known = {} if known is None else known

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
    """Yield None after each point of a view's curve but the last, then the curve."""
    x, y = view["x"], view["y"]
    parameter = next(p for p in parameters if p["name"] == x)
    points: list = []
    for value in grid(parameter["low"], parameter["high"], parameter["scale"], view["points"]):
        if points:
            yield None
        value = float(round(value)) if parameter["whole"] else value
        points.append({"x": value, "y": predict(**_with(state, {x: value}))[y]})
    yield points


def numbers(description, predict, state) -> dict:
    """Return "outputs", "output_texts" and "rows" of one state: all that the tables show.

    description: what `tunables.reader.description.describe` returns; predict: the case's
    closed form; state: {parameter name: value}.
    Raises ValueError, one sentence for the reader, if a value is out of range.
    """
    state = check_state(description["parameters"], state)
    outputs = predict(**state)
    return {
        "outputs": outputs,
        "output_texts": {
            output["name"]: output_text(outputs[output["name"]], output["digits"])
            for output in description["outputs"]
        },
        "rows": [_row(row, predict, state) for row in description["rows"]],
    }


def drawing(description, predict, state, kept=None):
    """Yield None while the curves of one state are computed, a point a time; then the views.

    Arguments as those of `numbers`. kept: {index: (other parameters, curve)} of the state
    before, brought up to date: a curve stays as it is while only its own x moves.
    """
    kept = {} if kept is None else kept
    state = check_state(description["parameters"], state)
    views = []
    for index, view in enumerate(description["views"]):
        x = view["x"]
        others = {name: value for name, value in state.items() if name != x}
        if index not in kept or kept[index][0] != others:
            for curve in _curve(view, description["parameters"], predict, state):
                kept[index] = (others, curve)
                yield None
        here = {"x": state[x], "y": predict(**state)[view["y"]]}
        views.append({"curve": kept[index][1], "here": [here]})
    yield views


def answer(description, predict, state) -> dict:
    """Return what `numbers` returns, and the "views" with their curves.

    Raises ValueError, one sentence for the reader, if a value is out of range.
    """
    predict = remembering(predict)
    reply = numbers(description, predict, state)
    reply["views"] = list(drawing(description, predict, state))[-1]
    return reply
