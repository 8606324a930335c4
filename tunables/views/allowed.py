"""What published digits allow: tables of predictions and parameters, and a chart with a slider."""

import altair as alt
import numpy as np

from tunables.base.arguments import choice
from tunables.base.units import unit_text
from tunables.core.allowed import (
    Allowed,
    Hypothesis,
    Interval,
    digits_interval,
    least_miss,
    share_allowed,
)
from tunables.core.case import Case, Published
from tunables.core.registry import allowed, find_case, hypotheses
from tunables.page.chapters import find_chapter
from tunables.page.formats import (
    ends_text,
    published_text,
    resolution_text,
    shortest,
    with_commas,
)
from tunables.views.charts import COLOURS, HEIGHT, INK, WIDTH
from tunables.views.tables import Table

PREDICTIONS = (
    "Number",
    "Published",
    "Its digits",
    "Closed form",
    "What the digits allow",
    "Published value",
)
SURVIVORS = ("Hypothesis", "Free parameters", "Number it misses most", "Misses by", "Verdict")
RANGES = ("Parameter", "Fitted", "What the digits allow", "Width")


def verdict(number: Published, interval: Interval) -> str:
    """Say whether what is allowed meets what rounds to the published number.

    "inside": the value itself is allowed; "within its digits": not the value, but some of what
    rounds to it; "outside": none of it.
    """
    low, high = interval
    least, most = digits_interval(number)
    if low <= number.value <= high:
        return "inside"
    return "within its digits" if least <= high and low <= most else "outside"


def _prediction(case: Case, number: Published) -> tuple[str, ...]:
    record, factor = number.record, number.factor
    interval = allowed()[case.name].intervals[record.row_id]
    unit = unit_text(record.unit)
    return (
        f"{find_chapter(case.chapter).number}. {number.label}",
        published_text(record.value, record.relation) + unit,
        resolution_text(record.resolution),
        shortest(case.answer(number) / factor, 5),
        ends_text(*(end / factor for end in interval)),
        verdict(number, interval),
    )


def predictions_table(status: str = "predicted") -> Table:
    """Return the numbers of a status, "predicted" or "consistent", with their intervals."""
    rows = [
        _prediction(find_case(name), number)
        for name, allowed_set in allowed().items()
        for number in find_case(name).numbers
        if number.record.row_id in allowed_set.asked and number.status == status
    ]
    title = f"The {status} numbers, for all parameter values that the digits allow"
    return Table(title, PREDICTIONS, tuple(rows))


def _plain(value: float) -> str:
    return with_commas(value) if value >= 1e4 else shortest(value, 4)


def _range(allowed_set: Allowed, name: str) -> tuple[str, ...]:
    low, high = allowed_set.ranges[name]
    parameter = find_case(allowed_set.case).parameter(name)
    fitted = allowed_set.start[allowed_set.names.index(name)]
    return (
        parameter.label + unit_text(parameter.unit, ", "),
        _plain(fitted),
        f"{_plain(low)} to {_plain(high)}",
        f"{100 * (high - low) / fitted:.2g}%",
    )


def ranges_table(case: str) -> Table:
    """Return each free parameter of a case with the range that the digits leave it."""
    allowed_set = allowed()[case]
    number = find_chapter(case).number
    others = any(find_chapter(each).number == number for each in allowed() if each != case)
    which = f", {find_case(case).title}" if others else ""
    title = f"Chapter {number}{which}: what the digits leave open"
    return Table(title, RANGES, tuple(_range(allowed_set, name) for name in allowed_set.names))


DRAWS = 200  # 1,000 take half a minute longer; the text gives the interval, at most 14% wide


def volume_text(case: str) -> str:
    """Return in a sentence how much of the box of these ranges is allowed.

    >>> volume_text("rrd")
    'Every value in this range is allowed.'
    """
    allowed_set = allowed()[case]
    if len(allowed_set.names) == 1:
        return "Every value in this range is allowed."
    found = share_allowed(allowed_set, draws=DRAWS)
    if found.share == 1:
        return "Every random point that we tried in the box spanned by these ranges is allowed."
    low, high = (f"{100 * end:.0f}" for end in (found.low, found.high))
    return (
        f"About {100 * found.share:.0f}% of the box that these ranges span is allowed "
        f"(95% interval: {low} to {high}%)."
    )


def _survivor(case: Case, hypothesis: Hypothesis) -> tuple[str, ...]:
    found = least_miss(case, hypothesis)
    return (
        hypothesis.name,
        str(len(hypothesis.start)),
        case.by_row[found.row].label,
        f"{shortest(float(f'{found.miss:.2g}'))} ×",
        "survives" if found.miss <= 1 else "refuted",
    )


def survivors_table(case: str) -> Table:
    """Return each hypothesis of a case with its least worst miss, in what the digits excuse."""
    rows = tuple(_survivor(find_case(case), each) for each in hypotheses()[case])
    title = f"Chapter {find_chapter(case).number}: {find_case(case).title}"
    return Table(title, SURVIVORS, rows)


POINTS = 31  # a side
REACH = 2.0  # how far the picture goes from the middle, in half widths of the ranges


def _span(allowed_set: Allowed, name: str) -> tuple[float, float]:
    """Return from where to where the picture goes, within what the parameter may be."""
    low, high = allowed_set.ranges[name]
    parameter = find_case(allowed_set.case).parameter(name)
    beyond = (REACH - 1) * (high - low) / 2
    return max(parameter.low, low - beyond), min(parameter.high, high + beyond)


def slice_points(allowed_set: Allowed, first: str, second: str) -> list[dict]:
    """Return how far off the worst number is, and which it is, over a grid of two parameters.

    The others stay at their fitted values. "miss" is in halves of that number's digits.
    """
    numbers = find_case(allowed_set.case).by_row
    points = []
    for x in np.linspace(*_span(allowed_set, first), POINTS):
        for y in np.linspace(*_span(allowed_set, second), POINTS):
            fitted = dict(zip(allowed_set.names, allowed_set.start, strict=True))
            free = fitted | {first: x, second: y}
            misses = allowed_set.misses([float(value) for value in free.values()])
            worst = max(misses, key=lambda row: misses[row])
            label = numbers[worst].label if worst in numbers else worst
            points.append({"x": x, "y": y, "miss": misses[worst], "number": label})
    return points


def _axis(kind, allowed_set: Allowed, name: str, field: str):
    parameter = find_case(allowed_set.case).parameter(name)
    return kind(
        f"{field}:Q",
        title=parameter.label + unit_text(parameter.unit, " (", ")"),
        scale=alt.Scale(domain=list(_span(allowed_set, name)), nice=False),
    )


def _squares(allowed_set: Allowed, first: str, second: str, points: list[dict]) -> alt.Chart:
    sides: dict[str, str] = {}
    for axis, name in (("x", first), ("y", second)):
        low, high = _span(allowed_set, name)
        half = (high - low) / (POINTS - 1) / 2
        sides |= {f"low_{axis}": f"datum.{axis} - {half}", f"high_{axis}": f"datum.{axis} + {half}"}
    numbers = list(dict.fromkeys(point["number"] for point in points))
    refuted = alt.Color(
        "number:N",
        title="Ruled out most clearly by",
        scale=alt.Scale(domain=numbers, range=[f"{colour}40" for colour in COLOURS[1:]]),
    )
    return (
        alt.Chart(alt.Data(values=points))
        .transform_calculate(**sides)
        .mark_rect(clip=True)
        .encode(
            x=_axis(alt.X, allowed_set, first, "low_x"),
            y=_axis(alt.Y, allowed_set, second, "low_y"),
            x2="high_x:Q",
            y2="high_y:Q",
            color=alt.condition("datum.miss <= coarser", alt.value(COLOURS[0]), refuted),
            tooltip=[
                alt.Tooltip("number:N", title="number missed most"),
                alt.Tooltip(
                    "miss:Q", title="missed by (half-widths of its interval)", format=".2f"
                ),
            ],
        )
    )


def allowed_chart(case: str, first: str, second: str) -> alt.LayerChart | alt.FacetChart:
    """Return the slice of an allowed set over two of its parameters, the others as fitted.

    A slider makes the digits coarser or finer. Raises ValueError for an unknown case, and for
    parameters that are not free in it.
    """
    allowed_set = allowed()[choice("case", case, list(allowed()))]
    names = [choice("parameter", name, allowed_set.names) for name in (first, second)]
    points = slice_points(allowed_set, first, second)
    fitted = dict(
        zip(
            ("x", "y"),
            (allowed_set.start[allowed_set.names.index(name)] for name in names),
            strict=True,
        )
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
        bind=alt.binding_range(
            min=0.2, max=2, step=0.1, name="Multiply the width of each number's interval by "
        ),
    )
    return (
        alt.layer(_squares(allowed_set, first, second, points), ring)
        .add_params(coarser)
        .properties(
            width=WIDTH,
            height=HEIGHT,
            title=f"{labels[0]} and {labels[1]}: what the digits allow",
            description=f"{labels[1]} against {labels[0]}. The ring marks the fitted values. The "
            f"solid area around it, {100 * met:.1f}% of the picture, is what the digits allow. "
            "Elsewhere, the faint colour shows which number is missed most.",
        )
    )
