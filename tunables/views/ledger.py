"""Every published number of the book: as records, as a table that sorts and filters, as a chart."""

import base64
import csv
import io
import json
import math
from collections import Counter
from dataclasses import dataclass
from html import escape
from urllib.parse import urlencode

import altair as alt

from tunables.core.case import STATUSES, Case
from tunables.core.ledger import LedgerRow, ledger
from tunables.core.registry import cases
from tunables.page.chapters import find_chapter, page_name
from tunables.views.charts import COLOURS, HEIGHT, WIDTH, script_json
from tunables.views.live import Live
from tunables.views.simulation import simulable
from tunables.views.tables import (
    LEDGER_COLUMNS,
    Table,
    cell_html,
    header_html,
    ledger_records,
    ledger_row,
)

MISFITS = "misfits"  # besides the statuses: numbers that the model should meet and does not


@dataclass(frozen=True)
class Line:
    """One published number of the book: its case, its entry, and its record for programs."""

    case: Case
    entry: LedgerRow
    record: dict

    @property
    def chapter(self) -> int:
        """The number of the case's chapter."""
        return find_chapter(self.case.chapter).number

    def is_of(self, status: str) -> bool:
        """Say whether this number has that status, or is a misfit."""
        if status == MISFITS:
            return self.entry.agrees is False
        return self.entry.number.status == status


def _round(value):
    # Another machine's last bit changes nothing.
    return float(f"{value:.6g}") if isinstance(value, float) else value


def book_lines(seed: int = 1, simulate: bool = True) -> list[Line]:
    """Return a line for each published number, case by case; simulating takes some seconds.

    A record is that of `python -m tunables reproduce --format json`, with the chapter and the
    document's name, and numbers to six significant digits.
    """
    lines = []
    for case in cases().values():
        entries = ledger(case, seed, simulate)
        for entry, record in zip(entries, ledger_records(case.name, entries), strict=True):
            rounded = {key: _round(value) for key, value in record.items()}
            chapter = find_chapter(case.chapter).number
            named = {"chapter": chapter, "citation": case.document, **rounded}
            lines.append(Line(case, entry, named))
    return lines


def as_csv(records: list[dict]) -> str:
    """Return records as CSV with a header, lines ended by CR LF (RFC 4180)."""
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(records[0]))
    writer.writeheader()
    writer.writerows(records)
    return text.getvalue()


def as_json(records: list[dict]) -> str:
    """Return records as a JSON array."""
    return json.dumps(records, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def chapter_page(chapter: str | int) -> str:
    """Return a chapter's page as seen from the ledger's.

    >>> chapter_page("cache_cliff")
    '../chapters/03-cache-cliff.html'
    """
    return f"../chapters/{page_name(chapter)}.html"


def explorer_link(line: Line) -> str:
    """Return the link that opens the chapter's explorer at the number's settings.

    A number without a model leads to the chapter.
    """
    page, name = chapter_page(line.case.chapter), line.case.name
    settings = {f"{name}.{key}": value for key, value in line.entry.number.settings.items()}
    if not line.entry.number.output:
        return page
    query = f"?{urlencode(settings)}" if settings else ""
    return f"{page}{query}#explore-{name}"


# The columns, those first that a reader compares, and what each sorts by: a field of the records.
KEYS = {
    "Number": "label",
    "Chapter": "chapter",
    "Published": "published",
    "Unit": "unit",
    "Status": "status",
    "Closed form": "predicted",
    "Error": "error",
    "Simulated": "simulated",
    "Resolution": "resolution",
    "Digits allow": "allowed_low",
    "Baseline": "baseline",
    "Its error": "baseline_error",
    "Rests on": "rests_on",
    "Document": "citation",
    "Place": "place",
}
IN_WORDS = {"Number", "Unit", "Status", "Chapter", "Document", "Place"}
CAPTION = "Every published number, beside the closed form and the simulation"


def _link(address: str, text: str) -> str:
    return f'<a href="{escape(address)}">{escape(text)}</a>'


def _row_html(line: Line) -> str:
    texts = dict(zip(LEDGER_COLUMNS, ledger_row(line.entry), strict=True))
    texts |= {"Document": line.case.document, "Place": line.entry.number.record.place}
    first, *others = KEYS
    cells = {name: cell_html(texts.get(name, ""), name in IN_WORDS) for name in others}
    chapter = _link(chapter_page(line.case.chapter), f"{line.chapter}. {line.case.title}")
    cells["Chapter"] = f'<td class="words">{chapter}</td>'
    number = f'<th scope="row">{_link(explorer_link(line), texts[first])}</th>'
    return f"<tr>{number}{''.join(cells.values())}</tr>"


def table_html(lines: list[Line]) -> str:
    """Return the table, a row a line."""
    head = "".join(
        header_html(name, name in IN_WORDS, f' data-key="{key}"') for name, key in KEYS.items()
    )
    return (
        f'<div class="table-scroll" tabindex="0" role="region" aria-label="{CAPTION}">'
        f'<table class="explorer-table ledger-table"><caption>{CAPTION}</caption>'
        f"<thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(map(_row_html, lines))}</tbody></table></div>"
    )


def _simulable(line: Line) -> dict:
    case = line.case
    return simulable(case, case.simulation, [each.name for each in case.outputs], line.entry.seed)


def simulations(lines: list[Line]) -> dict:
    """Return what the page needs to simulate the lines: the cases, and a place for each line.

    A line has its output and the settings of its explorer; None where it has no simulation.
    """
    of_case = {line.case.name: line for line in lines}
    return {
        "cases": {name: _simulable(line) for name, line in of_case.items()},
        "rows": [
            {
                "case": line.case.name,
                "output": line.entry.number.output,
                "state": line.case.settings(**line.entry.number.settings),
            }
            if line.entry.simulated
            else None
            for line in lines
        ],
    }


def _download(text: str, kind: str, media_type: str) -> str:
    data = base64.b64encode(text.encode()).decode()
    return (
        f'<a download="tunables-ledger.{kind}" data-kind="{kind}" '
        f'href="data:{media_type};base64,{data}">{kind.upper()}</a>'
    )


def count_words(shown: int, lines: int) -> str:
    """Return how many of the lines are shown.

    >>> count_words(7, 100)
    '7 of 100 numbers.'
    """
    return f"{shown} of {lines} numbers."


NOTHING_TO_SIMULATE: dict = {"cases": {}, "rows": []}


def _content(lines: list[Line]) -> str:
    """Return table and downloads, which are inside the page: they need no server and no script."""
    records = [line.record for line in lines]
    files = (
        _download(as_csv(records), "csv", "text/csv;charset=utf-8"),
        _download(as_json(records), "json", "application/json"),
    )
    return (
        '<div class="ledger-controls"></div>'
        f'<p class="ledger-count" role="status">{count_words(len(lines), len(lines))}</p>'
        f'<p class="ledger-downloads">Download: {" ".join(files)}</p>'
        f"{table_html(lines)}"
    )


def _section(content: str, described: dict) -> str:
    """Return the ledger; the page's script adds filters, sorting and buttons that simulate a line.

    described: what `simulations` returns, or NOTHING_TO_SIMULATE for a ledger without the buttons.
    """
    return (
        '<section class="tunables-ledger" id="ledger-table" aria-label="All published numbers">'
        '<script type="application/json" class="ledger-simulations">'
        f"{script_json(described)}</script>{content}</section>"
    )


class NoSimulations:
    """Answers for a ledger in a notebook, which filters and sorts but asks for nothing."""

    def reply(self, request_json: str) -> str:
        """Refuse any request."""
        return json.dumps({"refusal": "the ledger can run simulations only on the book's own page"})


class LedgerPage(Live):
    """The ledger, in a page or a notebook; a notebook's has no button that simulates a line."""

    def __init__(self, lines: list[Line]):
        count, content = count_words(len(lines), len(lines)), _content(lines)
        super().__init__(_section(content, simulations(lines)), count, NoSimulations())
        self.markup = _section(content, NOTHING_TO_SIMULATE)


def ledger_page(lines: list[Line]) -> LedgerPage:
    """Return the lines of `book_lines` as one table."""
    return LedgerPage(lines)


def totals_table(lines: list[Line]) -> Table:
    """Return how many numbers of each chapter have each status, and how many are misfits."""
    columns = (*STATUSES, MISFITS)
    groups = {line.chapter: f"Chapter {line.chapter}" for line in lines}
    counts: Counter = Counter()
    for line in lines:
        for column in columns:
            for group in (groups[line.chapter], "All"):
                counts[group, column] += line.is_of(column)
                counts[group, "numbers"] += column == columns[0]
    rows = tuple(
        (group, str(counts[group, "numbers"]), *(str(counts[group, column]) for column in columns))
        for group in (*groups.values(), "All")
    )
    names = ("Chapter", "Numbers", *(column.capitalize() for column in columns))
    caption = (
        "Numbers by status; a number is a misfit, whatever its status, if the model misses it by "
        "more than its printed digits allow"
    )
    return Table(caption, names, rows)


ROOM = 1.15  # above and below the outermost points
LABELLED = 0.1  # a misfit beyond this is described; the farthest of its chapter is named
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


def farthest_of_each_chapter(misfits: list[dict]) -> list[dict]:
    """Return the first point of each chapter, whose labels don't touch.

    >>> farthest_of_each_chapter([{"label": "7: a"}, {"label": "6: b"}, {"label": "7: c"}])
    [{'label': '7: a'}, {'label': '6: b'}]
    """
    first: dict[str, dict] = {}
    for point in misfits:
        first.setdefault(point["label"].partition(":")[0], point)
    return list(first.values())


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
        title="Published value, in each number's own unit",
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
        alt.Chart(alt.Data(values=farthest_of_each_chapter(misfits)))
        .mark_text(align="left", dx=7, dy=-5, fontSize=10)
        .encode(x=x, y=y, text="label:N")
    )
    within = len(points) - len(misfits)
    return alt.layer(equal, dots, names).properties(
        width=WIDTH,
        height=HEIGHT + 100,
        title="Closed form divided by published number",
        description=(
            f"{len(points)} numbers that the model could get wrong. Each point shows the closed "
            "form divided by the published value, plotted against that value on logarithmic "
            f"scales. {within} lie within {100 * LABELLED:.0f}% of the line of equality. "
            "The others, the farthest first: "
            + "; ".join(f"chapter {point['label']}, {point['ratio']:.2f}" for point in misfits)
            + "."
        ),
    )
