"""`ledger_page(lines)`: all published numbers in one table that sorts, filters and downloads."""

import base64
from collections import Counter
from html import escape

import ipywidgets as widgets

from tunables.parts.case import STATUSES
from tunables.reader.charts import script_json
from tunables.reader.ledger_records import (
    MISFITS,
    Line,
    as_csv,
    as_json,
    chapter_page,
    explorer_link,
)
from tunables.reader.simulation import simulable
from tunables.reader.tables import Table, cell_html, header_html, ledger_row

# The columns, and what each sorts by: a field of the records.
KEYS = {
    "Number": "label",
    "Published": "published",
    "Unit": "unit",
    "Resolution": "resolution",
    "Closed form": "predicted",
    "Simulated": "simulated",
    "Error": "error",
    "Digits allow": "allowed_low",
    "Baseline": "baseline",
    "Its error": "baseline_error",
    "Status": "status",
    "Rests on": "rests_on",
    "Chapter": "chapter",
    "Document": "citation",
    "Place": "place",
}
IN_WORDS = {"Number", "Unit", "Status", "Chapter", "Document", "Place"}
CAPTION = "Every published number, the closed form and the simulation"
ALL = "all"


def _link(address: str, text: str) -> str:
    return f'<a href="{escape(address)}">{escape(text)}</a>'


def _row_html(line: Line) -> str:
    first, published, *rest = ledger_row(line.entry)
    cells = zip(list(KEYS)[1:], (published, line.entry.unit, *rest), strict=False)
    chapter = _link(chapter_page(line.case.chapter), f"{line.chapter}. {line.case.title}")
    return (
        f'<tr><th scope="row">{_link(explorer_link(line), first)}</th>'
        + "".join(cell_html(cell, name in IN_WORDS) for name, cell in cells)
        + f'<td class="words">{chapter}</td>'
        f'<td class="words">{escape(line.case.document)}</td>'
        f'<td class="words">{escape(line.entry.number.record.place)}</td></tr>'
    )


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

    That is its output, and the settings as its explorer has them; None where there is none.
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


def ledger_html(lines: list[Line]) -> str:
    """Return table and downloads; the page's script adds filters and sorting.

    The downloads lie within the page, so that they need neither server nor script.
    """
    records = [line.record for line in lines]
    files = (
        _download(as_csv(records), "csv", "text/csv;charset=utf-8"),
        _download(as_json(records), "json", "application/json"),
    )
    return (
        '<section class="tunables-ledger" id="all-numbers" aria-label="All published numbers">'
        '<script type="application/json" class="ledger-simulations">'
        f"{script_json(simulations(lines))}</script>"
        '<div class="ledger-controls"></div>'
        f'<p class="ledger-count" role="status">{count_words(len(lines), len(lines))}</p>'
        f'<p class="ledger-downloads">Download: {" ".join(files)}</p>'
        f"{table_html(lines)}</section>"
    )


class LedgerPage(widgets.VBox):
    """The ledger with its filters as Jupyter widgets; on the static page, markup."""

    def __init__(self, lines: list[Line]):
        self._lines = lines
        chapters = sorted({line.chapter for line in lines})
        self.status = widgets.Dropdown(options=[ALL, *STATUSES, MISFITS], description="Status")
        self.chapter = widgets.Dropdown(options=[ALL, *map(str, chapters)], description="Chapter")
        self.text = widgets.Text(description="Words")
        self._shown = widgets.HTML()
        for control in (self.status, self.chapter, self.text):
            control.observe(lambda _: self._show(), names="value")
        super().__init__([widgets.HBox([self.status, self.chapter, self.text]), self._shown])
        self._show()

    def _keeps(self, line: Line) -> bool:
        text = " ".join((*ledger_row(line.entry), line.case.document, str(line.record["place"])))
        return (
            (self.status.value == ALL or line.is_of(self.status.value))
            and self.chapter.value in (ALL, str(line.chapter))
            and self.text.value.lower() in text.lower()
        )

    def _show(self) -> None:
        kept = [line for line in self._lines if self._keeps(line)]
        count = f"<p>{count_words(len(kept), len(self._lines))}</p>"
        self._shown.value = count + table_html(kept)

    def _repr_mimebundle_(self, **kwargs):
        bundle = super()._repr_mimebundle_(**kwargs)
        return bundle | {
            "text/plain": count_words(len(self._lines), len(self._lines)),
            "text/html": ledger_html(self._lines),
        }


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
        "Numbers by status; a misfit is outside what the document's own digits allow, "
        "whatever its status"
    )
    return Table(caption, names, rows)
