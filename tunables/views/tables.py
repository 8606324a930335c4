"""Tables for a reader: plain text in the terminal, HTML in a notebook, the ledger's columns."""

from dataclasses import dataclass
from html import escape

from tabulate import tabulate

from tunables.base.units import unit_text
from tunables.core.ledger import LedgerRow
from tunables.page.formats import (
    ends_text,
    error_text,
    interval_text,
    model_text,
    percent_text,
    published_text,
    ranges_text,
    resolution_text,
    with_commas,
)

SHORT = 16  # letters that a cell keeps on one line


def _is_words(cell: str) -> bool:
    return cell[:1].isalpha()


def cell_html(cell: str, in_words: bool) -> str:
    """Return a cell; in a column of words it is aligned to the left."""
    if not in_words:
        return f"<td>{escape(cell)}</td>"
    kinds = "words short" if len(cell) <= SHORT else "words"
    return f'<td class="{kinds}">{escape(cell)}</td>'


def header_html(name: str, in_words: bool, attributes: str = "") -> str:
    """Return the header of a column; in_words: whether it is one of words."""
    left = ' class="words"' if in_words else ""
    return f'<th scope="col"{attributes}{left}>{escape(name)}</th>'


@dataclass(frozen=True)
class Table:
    """Columns and rows of text, with a caption that says what they are.

    Raises ValueError for a row that does not have one cell per column.
    """

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"row = {row!r}: must have {len(self.columns)} cells")

    def __str__(self) -> str:
        align = ["left", *["right"] * (len(self.columns) - 1)]
        body = tabulate(self.rows, self.columns, disable_numparse=True, colalign=align)
        return f"{self.caption}\n\n{body}"

    __repr__ = __str__

    def _in_words(self) -> list[bool]:
        """Return for each column whether most of its cells are words."""
        columns = ([row[index] for row in self.rows] for index in range(len(self.columns)))
        return [2 * sum(map(_is_words, cells)) > len(cells) for cells in columns]

    def _repr_html_(self) -> str:
        kinds = self._in_words()
        head = "".join(map(header_html, self.columns, kinds))
        body = "".join(
            f'<tr><th scope="row">{escape(first)}</th>'
            + "".join(map(cell_html, rest, kinds[1:]))
            + "</tr>"
            for first, *rest in self.rows
        )
        return (
            f'<div class="table-scroll" tabindex="0" role="region" '
            f'aria-label="{escape(self.caption)}"><table class="explorer-table">'
            f"<caption>{escape(self.caption)}</caption>"
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        )


def _allowed_text(entry: LedgerRow) -> str:
    return ends_text(*entry.allowed) if entry.allowed else "–"


def _simulated_text(entry: LedgerRow) -> str:
    if entry.simulated is None:
        return "–"
    return interval_text(entry.simulated, entry.digits)


ALLOWED = "Digits allow"
LEDGER_COLUMNS = (
    "Number",
    "Published",
    "Unit",
    "Resolution",
    "Closed form",
    "Simulated",
    "Error",
    ALLOWED,
    "Baseline",
    "Its error",
    "Status",
    "Rests on",
)


def ledger_row(entry: LedgerRow) -> tuple[str, ...]:
    """Return the cells of one entry, as `ledger_table` shows them."""
    number = entry.number
    return (
        f"{entry.position}. {number.label}",
        published_text(number.value, number.record.relation),
        unit_text(entry.unit, "") or "–",
        resolution_text(number.resolution),
        model_text(entry.predicted, entry.digits, number.side),
        _simulated_text(entry),
        error_text(number.status, number.relation, entry.agrees, entry.error),
        _allowed_text(entry),
        with_commas(entry.baseline, entry.digits),
        percent_text(entry.baseline_error),
        number.status,
        ranges_text(entry.rests_on),
    )


def ledger_table(entries: list[LedgerRow], caption: str) -> Table:
    """Return the ledger as a table.

    "Unit" is the unit of all numbers of the row except its error.
    "Resolution" is what the document's digits allow, "digits allow" what those of the fitted
    numbers let the closed form be, "baseline" the simplest rival, and "rests on" names the other
    rows, by their numbers, that the closed form needs. "Digits allow" is left out where it would
    be empty.
    """
    known = any(entry.allowed for entry in entries)
    kept = [n for n, name in enumerate(LEDGER_COLUMNS) if known or name != ALLOWED]
    rows = (tuple(ledger_row(entry)[n] for n in kept) for entry in entries)
    return Table(caption, tuple(LEDGER_COLUMNS[n] for n in kept), tuple(rows))


def ledger_records(case_name: str, entries: list[LedgerRow]) -> list[dict]:
    """Return the ledger as plain records, unrounded, for CSV and JSON.

    "rests_on" holds row ids, with blanks between them.
    """
    rows = {entry.position: entry.number.record.row_id for entry in entries}
    return [
        {
            "case": case_name,
            "number": entry.number.record.row_id,
            "label": entry.number.label,
            "document": entry.number.record.document,
            "place": entry.number.record.place,
            "relation": entry.number.record.relation,
            "published": entry.number.value,
            "resolution": entry.number.resolution,
            "unit": entry.unit,
            "predicted": entry.predicted,
            "simulated": entry.simulated and entry.simulated[0],
            "half_width": entry.simulated and entry.simulated[1],
            "error": entry.error,
            "agrees": entry.agrees,
            "allowed_low": entry.allowed and entry.allowed[0],
            "allowed_high": entry.allowed and entry.allowed[1],
            "baseline": entry.baseline,
            "baseline_error": entry.baseline_error,
            "status": entry.number.status,
            "side": entry.number.side,
            "rests_on": " ".join(rows[position] for position in entry.rests_on),
            "seed": entry.seed,
        }
        for entry in entries
    ]
