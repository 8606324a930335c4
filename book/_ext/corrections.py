"""Sphinx extension: the book's corrections, and what they changed in the ledger.

The directives `corrections` (a table of what stood and what stands) and `ledger-changes` (each
number that differs between two versions). Both are made from book/corrections.csv and
book/ledgers.
"""

import csv
from itertools import groupby, pairwise
from pathlib import Path

from markdown_tables import MarkdownLines

from tunables.core.registry import find_case
from tunables.page.chapters import find_chapter, page_name
from tunables.views.ledger_versions import Change, Ledger, Line, changes, read_ledger

BOOK = Path(__file__).parents[1]
LEDGERS, CORRECTIONS = BOOK / "ledgers", BOOK / "corrections.csv"


def _order(path: Path) -> tuple[int, ...]:
    return tuple(map(int, path.stem.split(".")))


def versions() -> dict[str, Ledger]:
    """Return the ledger of each version, the oldest first."""
    return {path.stem: read_ledger(path) for path in sorted(LEDGERS.glob("*.csv"), key=_order)}


def corrections() -> list[Line]:
    """Return the corrections in the order of the chapters, those of no chapter last."""
    with CORRECTIONS.open(newline="", encoding="utf-8") as file:
        return sorted(csv.DictReader(file), key=_chapter)


def _chapter(correction: Line) -> int:
    """Return the chapter's number, or one above all chapters' numbers."""
    return find_chapter(correction["chapter"]).number if correction["chapter"] else 1000


def _link(chapter: str, title: str) -> str:
    """Return a link to a chapter: its number, and the text after it."""
    return f"[{find_chapter(chapter).number}{title}](../chapters/{page_name(chapter)}.ipynb)"


def _title(correction: Line) -> str:
    if not correction["chapter"]:
        return "the whole book"
    return _link(correction["chapter"], f". {find_chapter(correction['chapter']).title}")


def corrections_lines() -> list[str]:
    """Return a Markdown table for each chapter, under its title."""
    lines = []
    for title, found in groupby(corrections(), _title):
        lines += [
            "",
            f"**{title[0].upper()}{title[1:]}**",
            "",
            "| We wrote | It should read |",
            "|---|---|",
        ]
        lines += [f"| {each['stood']} | {each['stands']} |" for each in found]
    return lines


def _state(line: Line | None) -> str:
    if line is None:
        return "–"
    return f"{line['status']}, {line['closed_form'] or 'no model'}"


def _row(change: Change) -> str:
    name, _, row = change.name.partition(".")
    case = find_case(name)
    number = case.by_row.get(row)
    label, published = (number.label, f"{number.value:,g}") if number else (row, "–")
    cells = [_link(case.chapter, ""), label, published, _state(change.before), _state(change.after)]
    return "| " + " | ".join(cells) + " |"


def changes_lines() -> list[str]:
    """Return a Markdown table for each step from a version to the next."""
    lines = []
    for (old, before), (new, after) in pairwise(versions().items()):
        lines += ["", f"| Ch. | Number | Published | {old} | {new} |", "|---|---|---:|---|---|"]
        lines += map(_row, changes(before, after))
    return lines


class CorrectionsTable(MarkdownLines):
    """What a function returns as lines of Markdown."""

    make = staticmethod(corrections_lines)

    def run(self):
        for path in (CORRECTIONS, *LEDGERS.glob("*.csv")):
            self.env.note_dependency(str(path))
        return self.parse_lines(self.make(), "with-remarks")


class LedgerChanges(CorrectionsTable):
    """The numbers that differ between two versions of the ledger."""

    make = staticmethod(changes_lines)


def setup(app) -> dict:
    """Register the directives."""
    app.add_directive("corrections", CorrectionsTable)
    app.add_directive("ledger-changes", LedgerChanges)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
