"""Every published number of the book as one list of records, and as CSV and JSON."""

import csv
import io
import json
from dataclasses import dataclass
from urllib.parse import urlencode

from tunables.page.chapters import find_chapter, page_name
from tunables.parts.case import Case
from tunables.parts.ledger import Entry, ledger
from tunables.parts.registry import cases
from tunables.reader.tables import ledger_records

MISFITS = "misfits"  # beside the statuses: what the model should meet and does not


@dataclass(frozen=True)
class Line:
    """One published number of the book: its case, its entry, and its record for programs."""

    case: Case
    entry: Entry
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


def _rounded(value):
    # Another machine's last bit changes nothing.
    return float(f"{value:.6g}") if isinstance(value, float) else value


def book_lines(seed: int = 1) -> list[Line]:
    """Return a line for each published number, case by case; takes some seconds.

    A record is that of `python -m tunables reproduce --format json`, with the chapter and the
    document's name, and numbers to six significant digits.
    """
    lines = []
    for case in cases().values():
        entries = ledger(case, seed)
        for entry, record in zip(entries, ledger_records(case.name, entries), strict=True):
            rounded = {key: _rounded(value) for key, value in record.items()}
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
