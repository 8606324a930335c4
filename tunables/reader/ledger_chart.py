"""The ledger as a picture: how far each number of the model lies from the published one."""

import math

import altair as alt

from tunables.reader.charts import COLOURS, HEIGHT, WIDTH
from tunables.reader.ledger_records import Line

ROOM = 1.15  # above and below the outermost points
LABELLED = 0.1  # a misfit beyond this is named in the picture
_STATUSES = ["predicted", "consistent", "calibrated", "identity"]


def ledger_points(lines: list[Line]) -> list[dict]:
    """Return a point for each number that the model can miss, and the document gives exactly.

    Left out: numbers without a model, bounds, and numbers that were fitted and come back, which
    would be calibration shown as success.
    """
    return [
        {
            "published": line.record["published"],
            "ratio": line.record["predicted"] / line.record["published"],
            "status": line.record["status"],
            "label": f"{line.chapter}: {line.record['label']}",
        }
        for line in lines
        if line.entry.error is not None
    ]


def far_off(points: list[dict]) -> list[dict]:
    """Return the points beyond LABELLED, the farthest first.

    >>> far_off([{"ratio": 1.02}, {"ratio": 0.8}, {"ratio": 2.0}])
    [{'ratio': 2.0}, {'ratio': 0.8}]
    """
    found = [point for point in points if abs(point["ratio"] - 1) > LABELLED]
    return sorted(found, key=lambda point: -abs(point["ratio"] - 1))


def powers_of_ten(values: list[float]) -> list[float]:
    """Return the powers of ten from the least value to the greatest, and one beyond each.

    >>> powers_of_ten([3.0, 40.0])
    [1.0, 10.0, 100.0]
    """
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return [10.0**exponent for exponent in range(low, high + 1)]


def ledger_chart(lines: list[Line]) -> alt.LayerChart | alt.FacetChart:
    """Return predicted over published against published, both logarithmic, misfits named."""
    points = ledger_points(lines)
    misfits = far_off(points)
    ratios = [point["ratio"] for point in points]
    values = [point["published"] for point in points]
    x = alt.X(
        "published:Q",
        title="Published value, each in its own unit",
        scale=alt.Scale(type="log"),
        axis=alt.Axis(values=powers_of_ten(values), format=",", labelOverlap=True),
    )
    y = alt.Y(
        "ratio:Q",
        title="Closed form / published",
        scale=alt.Scale(type="log", domain=[min(ratios) / ROOM, max(ratios) * ROOM]),
        axis=alt.Axis(values=[0.5, 0.7, 1, 1.5, 2, 3]),
    )
    tooltip = [
        alt.Tooltip("label:N", title="number"),
        alt.Tooltip("ratio:Q", title="closed form / published", format=".3f"),
        alt.Tooltip("status:N"),
    ]
    colours = alt.Scale(domain=_STATUSES, range=[COLOURS[1], COLOURS[2], COLOURS[0], COLOURS[6]])
    dots = (
        alt.Chart(alt.Data(values=points))
        .mark_point(filled=True, size=50, opacity=0.85)
        .encode(
            x=x,
            y=y,
            tooltip=tooltip,
            color=alt.Color("status:N", title=None, scale=colours),
            shape=alt.Shape("status:N", title=None, scale=alt.Scale(domain=_STATUSES)),
        )
    )
    equal = alt.Chart(alt.Data(values=[{"ratio": 1}])).mark_rule(color=COLOURS[6]).encode(y=y)
    names = (
        alt.Chart(alt.Data(values=misfits))
        .mark_text(align="left", dx=7, dy=-5, fontSize=10)
        .encode(x=x, y=y, text="label:N")
    )
    within = len(points) - len(misfits)
    return alt.layer(equal, dots, names).properties(
        width=WIDTH,
        height=HEIGHT + 100,
        title="Closed form over published number",
        description=(
            f"{len(points)} numbers that the model can miss, each as closed form over published "
            f"against the published value, both on logarithmic scales. {within} lie within "
            f"{100 * LABELLED:.0f} % of the line of equality. Named, the farthest first: "
            + "; ".join(f"chapter {point['label']}, {point['ratio']:.2f}" for point in misfits)
            + "."
        ),
    )
