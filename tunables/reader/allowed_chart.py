"""What the digits allow of two parameters at a time, as a picture with a slider for the digits."""

import altair as alt
import numpy as np

from tunables.parts.allowed import Allowed
from tunables.parts.registry import allowed, find_case
from tunables.plain.arguments import choice
from tunables.plain.units import unit_text
from tunables.reader.charts import COLOURS, HEIGHT, INK, WIDTH

POINTS = 31  # a side
REACH = 2.0  # how far the picture goes from the middle, in half widths of the ranges


def _span(told: Allowed, name: str) -> tuple[float, float]:
    """Return from where to where the picture goes, within what the parameter may be."""
    low, high = told.ranges[name]
    parameter = find_case(told.case).parameter(name)
    beyond = (REACH - 1) * (high - low) / 2
    return max(parameter.low, low - beyond), min(parameter.high, high + beyond)


def slice_points(told: Allowed, first: str, second: str) -> list[dict]:
    """Return how far off the worst number is, and which it is, over a grid of two parameters.

    The others stay at their fitted values. "miss" is in halves of that number's digits.
    """
    numbers = find_case(told.case).by_row
    points = []
    for x in np.linspace(*_span(told, first), POINTS):
        for y in np.linspace(*_span(told, second), POINTS):
            free = dict(zip(told.names, told.start, strict=True)) | {first: x, second: y}
            misses = told.misses([float(value) for value in free.values()])
            worst = max(misses, key=lambda row: misses[row])
            label = numbers[worst].label if worst in numbers else worst
            points.append({"x": x, "y": y, "miss": misses[worst], "number": label})
    return points


def _axis(kind, told: Allowed, name: str, field: str):
    parameter = find_case(told.case).parameter(name)
    return kind(
        f"{field}:Q",
        title=parameter.label + unit_text(parameter.unit, " (", ")"),
        scale=alt.Scale(domain=list(_span(told, name)), nice=False),
    )


def _squares(told: Allowed, first: str, second: str, points: list[dict]) -> alt.Chart:
    sides: dict[str, str] = {}
    for axis, name in (("x", first), ("y", second)):
        low, high = _span(told, name)
        half = (high - low) / (POINTS - 1) / 2
        sides |= {f"low_{axis}": f"datum.{axis} - {half}", f"high_{axis}": f"datum.{axis} + {half}"}
    numbers = list(dict.fromkeys(point["number"] for point in points))
    refuted = alt.Color(
        "number:N",
        title="Missed most elsewhere",
        scale=alt.Scale(domain=numbers, range=[f"{colour}40" for colour in COLOURS[1:]]),
    )
    return (
        alt.Chart(alt.Data(values=points))
        .transform_calculate(**sides)
        .mark_rect(clip=True)
        .encode(
            x=_axis(alt.X, told, first, "low_x"),
            y=_axis(alt.Y, told, second, "low_y"),
            x2="high_x:Q",
            y2="high_y:Q",
            color=alt.condition("datum.miss <= coarser", alt.value(COLOURS[0]), refuted),
            tooltip=[
                alt.Tooltip("number:N", title="missed most"),
                alt.Tooltip("miss:Q", title="in halves of its digits", format=".2f"),
            ],
        )
    )


def allowed_chart(case: str, first: str, second: str) -> alt.LayerChart | alt.FacetChart:
    """Return the slice of an allowed set over two of its parameters, the others as fitted.

    A slider makes the digits coarser or finer. Raises ValueError for an unknown case, and for
    parameters that are not free in it.
    """
    told = allowed()[choice("case", case, list(allowed()))]
    names = [choice("parameter", name, told.names) for name in (first, second)]
    points = slice_points(told, first, second)
    fitted = dict(
        zip(("x", "y"), (told.start[told.names.index(name)] for name in names), strict=True)
    )
    ring = (
        alt.Chart(alt.Data(values=[fitted]))
        .mark_point(size=120, color=INK, strokeWidth=2)
        .encode(x="x:Q", y="y:Q")
    )
    met = sum(point["miss"] <= 1 for point in points) / len(points)
    labels = [find_case(case).parameter(name).label for name in names]
    coarser = alt.param(
        name="coarser",
        value=1,
        bind=alt.binding_range(min=0.2, max=2, step=0.1, name="Digits this many times as wide "),
    )
    return (
        alt.layer(_squares(told, first, second, points), ring)
        .add_params(coarser)
        .properties(
            width=WIDTH,
            height=HEIGHT,
            title=f"{labels[0]} and {labels[1]}: what the digits allow",
            description=f"{labels[1]} over {labels[0]}. A ring for the fitted values; about it, "
            f"solid, what the digits allow, {100 * met:.1f} % of the picture; elsewhere faint, "
            "in the colour of the number that is missed most.",
        )
    )
