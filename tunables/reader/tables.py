"""Tables for a reader: plain text in the terminal, HTML in a notebook, the ledger's columns."""

from dataclasses import dataclass
from html import escape

from tabulate import tabulate

from tunables.page.formats import (
    ends_text,
    error_text,
    grouped,
    percent_text,
    published_text,
    ranges_text,
    resolution_text,
)
from tunables.parts.ledger import Entry

SHORT = 16  # letters that a cell keeps on one line


def _is_words(cell: str) -> bool:
    return cell[:1].isalpha()


def cell_html(cell: str, in_words: bool) -> str:
    """Return a cell of a column that is one of words, which stand to the left, or is not."""
    if not in_words:
        return f"<td>{escape(cell)}</td>"
    kinds = "words short" if len(cell) <= SHORT else "words"
    return f'<td class="{kinds}">{escape(cell)}</td>'


def header_html(name: str, in_words: bool, attributes: str = "") -> str:
    """Return the header of such a column."""
    left = ' class="words"' if in_words else ""
    return f'<th scope="col"{attributes}{left}>{escape(name)}</th>'


@dataclass(frozen=True)
class Table:
    """Columns and rows of text, with a caption that says what they are.

    Raises ValueError for a row that has not one cell a column.
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


def _allowed_text(entry: Entry) -> str:
    return ends_text(*entry.allowed) if entry.allowed else "–"


def _simulated_text(entry: Entry) -> str:
    if entry.simulated is None:
        return "–"
    mean, half_width = entry.simulated
    return f"{grouped(mean, entry.digits)} ± {grouped(half_width, entry.digits)}"


ALLOWED = "Digits allow"
LEDGER_COLUMNS = (
    "Number",
    "Published",
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


def ledger_row(entry: Entry) -> tuple[str, ...]:
    """Return the cells of one entry, as `ledger_table` shows them."""
    number = entry.number
    relation = number.record.relation
    return (
        f"{entry.position}. {number.label}",
        published_text(number.value, relation),
        resolution_text(number.resolution),
        grouped(entry.predicted, entry.digits),
        _simulated_text(entry),
        error_text(number.status, relation, entry.agrees, entry.error),
        _allowed_text(entry),
        grouped(entry.baseline, entry.digits),
        percent_text(entry.baseline_error),
        number.status,
        ranges_text(entry.rests_on),
    )


def ledger_table(entries: list[Entry], caption: str) -> Table:
    """Return the ledger as a table.

    "Resolution" is what the document's own digits allow, "digits allow" what those of the fitted
    numbers let the closed form be, "baseline" the simplest rival, and "rests on" names the other
    rows, by their numbers, that the closed form needs. "Digits allow" is left out where it would
    be empty.
    """
    known = any(entry.allowed for entry in entries)
    kept = [n for n, name in enumerate(LEDGER_COLUMNS) if known or name != ALLOWED]
    rows = (tuple(ledger_row(entry)[n] for n in kept) for entry in entries)
    return Table(caption, tuple(LEDGER_COLUMNS[n] for n in kept), tuple(rows))


def ledger_records(case_name: str, entries: list[Entry]) -> list[dict]:
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
            "rests_on": " ".join(rows[position] for position in entry.rests_on),
            "seed": entry.seed,
        }
        for entry in entries
    ]
