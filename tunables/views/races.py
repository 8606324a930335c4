"""The book's simulators compared with others, as `make bench` measured it: tables and a chart."""

import altair as alt

from tunables.page.formats import shortest
from tunables.views.charts import COLOURS, INK, WIDTH
from tunables.views.tables import Table

COLUMNS = ("What both do", "This book, per second", "Peer", "Peer, per second", "Speedup over peer")
ROW_PX = 20
REFERENCE = "tunables, plain reference"  # no peer, but the same model in plain Python


def _rates(race: dict) -> dict[str, float]:
    return {name: race["work"][name] / race["seconds"][name] for name in race["seconds"]}


def _times(ratio: float) -> str:
    """Return how many times as fast, with two digits.

    >>> _times(93.27), _times(1.78), _times(257.4), _times(0.823)
    ('93 ×', '1.8 ×', '260 ×', '0.82 ×')
    """
    return f"{shortest(float(f'{ratio:.2g}'), 2)} ×"


def _round(rate: float) -> str:
    """Return a rate with three digits.

    >>> _round(148031944.0), _round(16.77)
    ('148,000,000', '16.8')
    """
    return shortest(float(f"{rate:.3g}"), 3)


def pairs(told: dict) -> list[dict]:
    """Return a record for each race and each peer in it, the closest peers first."""
    found = []
    for race in told["races"]:
        (_, ours), *others = _rates(race).items()
        found += [
            {
                "race": race["title"],
                "about": race["about"],
                "unit": race["unit"],
                "ours": ours,
                "peer": name,
                "theirs": theirs,
                "ratio": ours / theirs,
            }
            for name, theirs in others
        ]
    return sorted(found, key=lambda pair: pair["ratio"])


def races_table(told: dict) -> Table:
    """Return each race, the closest first."""
    rows = tuple(
        (
            f"{pair['race']} ({pair['about']})",
            f"{_round(pair['ours'])} {pair['unit']}s",
            pair["peer"],
            _round(pair["theirs"]),
            _times(pair["ratio"]),
        )
        for pair in pairs(told)
    )
    return Table("The same work, the same answer", COLUMNS, rows)


def beyond_table(told: dict) -> Table:
    """Return what each peer does that this book's simulators do not."""
    rows = tuple(sorted((peer, words) for peer, words in told["beyond"].items()))
    return Table(
        "What the peers do and this book's simulators don't", ("Peer", "What it does"), rows
    )


def machine_text(told: dict) -> str:
    """Return in a sentence what the races ran on."""
    named = [f"{name} {value}" for name, value in told["machine"].items()]
    return f"Measured on: {', '.join(named)}."


def races_chart(told: dict) -> alt.LayerChart | alt.FacetChart:
    """Return how many times as fast this book is, a point a peer, on a logarithmic scale."""
    points = [pair for pair in pairs(told) if pair["peer"] != REFERENCE]
    titles = list(dict.fromkeys(point["race"] for point in points))
    peers = sorted({point["peer"] for point in points})
    y = alt.Y("race:N", title=None, sort=titles, axis=alt.Axis(labelLimit=200))
    dots = (
        alt.Chart(alt.Data(values=points))
        .mark_point(filled=True, size=70, opacity=1)
        .encode(
            x=alt.X(
                "ratio:Q",
                title="Speedup over peer",
                scale=alt.Scale(type="log"),
                axis=alt.Axis(values=[1, 10, 100, 1000]),
            ),
            y=y,
            color=alt.Color("peer:N", title=None, scale=alt.Scale(domain=peers, range=COLOURS)),
            shape=alt.Shape("peer:N", title=None, scale=alt.Scale(domain=peers)),
            tooltip=[
                alt.Tooltip("race:N"),
                alt.Tooltip("peer:N"),
                alt.Tooltip("ratio:Q", title="speedup over peer", format=".2~f"),
            ],
        )
    )
    equal = alt.Chart(alt.Data(values=[{"ratio": 1}])).mark_rule(color=INK, strokeDash=[4, 3])
    slowest, fastest = points[0], points[-1]
    return alt.layer(equal.encode(x="ratio:Q"), dots).properties(
        width=WIDTH - 160,
        height=ROW_PX * len(titles),
        title="This book's simulators compared with others",
        description=(
            f"A point for each of {len(points)} races shows how many times as fast as its peer "
            "this book's simulator is, on a logarithmic scale: "
            f"from {_times(slowest['ratio'])} ({slowest['peer']}, "
            f"{slowest['race']}) to {_times(fastest['ratio'])} ({fastest['peer']}, "
            f"{fastest['race']}). The table lists them all."
        ),
    )
