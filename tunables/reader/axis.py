"""The y-axis of a view: the case's own, so that it stands still while the reader moves controls."""

import math
from functools import lru_cache

from tunables.page.sampling import beginning
from tunables.parts.case import Case
from tunables.parts.model import Model, Parameter, View

STEPS = 5  # of an axis, about
POINTS = 41  # of a curve, to see how far it goes
MOST = 5  # times as high as at the defaults may be a curve that the axis still holds
FULL = 1 / 3  # of the axis from 0: what fills less has an axis of its own


@lru_cache(maxsize=256)
def _curve(predict, x: Parameter, y: str, state: tuple) -> list[float]:
    """Return what a curve over x goes through at a state, given as pairs."""
    bounds = {"low": x.low, "high": x.high, "whole": x.whole, "scale": x.scale}
    xs = beginning(bounds, POINTS)
    values = (predict(**dict(state) | {x.name: at})[y] for at in xs[:: -(-len(xs) // POINTS)])
    return [value for value in values if math.isfinite(value)]


def _values(model: Model, view: View) -> list[float]:
    """Return the values that the axis is to hold."""
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
    published numbers; and 0, unless all of them lie far from it and close together.
    """
    values = _values(model, view)
    low, high = min(values), max(values)
    if high - low >= FULL * high or high == low:
        low = min(low, 0.0)
    step = nice_step((high - low) or 1.0)
    return step * math.floor(low / step), step * math.ceil(high / step)
