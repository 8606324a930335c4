"""The ledger of some cases as `python -m tunables reproduce` prints it, and a case's notes."""

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from tunables.base.arguments import choice
from tunables.core.case import Case
from tunables.core.ledger import compare_with_baseline, degrees_of_freedom, ledger
from tunables.core.registry import case_names, find_case
from tunables.page.chapters import CHAPTERS, find_chapter
from tunables.views.tables import ledger_records, ledger_table


@dataclass(frozen=True)
class Notes:
    """Sentences, and remarks on single numbers: text in the terminal, HTML in a notebook."""

    sentences: tuple[str, ...]
    remarks: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join([*self.sentences, *(f"- {remark}" for remark in self.remarks)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        paragraphs = "".join(f"<p>{escape(sentence)}</p>" for sentence in self.sentences)
        items = "".join(f"<li>{escape(remark)}</li>" for remark in self.remarks)
        return f"{paragraphs}<ul>{items}</ul>" if items else paragraphs


def ledger_notes(case: Case) -> Notes:
    """Return the notes of a case; a remark on several numbers appears once."""
    labels: dict[str, list[str]] = {}
    for number in case.numbers:
        if number.remark:
            labels.setdefault(number.remark, []).append(number.label)
    remarks = tuple(f"{'; '.join(of)}: {remark}." for remark, of in labels.items())
    return Notes((degrees_of_freedom(case), compare_with_baseline(case)), remarks)


def _table(case: Case, seed: int) -> str:
    caption = f"{case.name}: {case.title} ({case.document})"
    remarks = [f"  {one.label}: {one.remark}." for one in case.numbers if one.remark]
    table = str(ledger_table(ledger(case, seed), caption))
    return "\n".join(
        [table, *remarks, f"\n{degrees_of_freedom(case)}\n{compare_with_baseline(case)}\n"]
    )


def _csv(records: list[dict]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(records[0]))
    writer.writeheader()
    writer.writerows(records)
    return text.getvalue().removesuffix("\n")


def _choose_cases(name: str | None) -> list[str]:
    """Return the names of one case, of a chapter's, or of all."""
    if name is None or name in case_names():
        return [name] if name else case_names()
    try:
        return list(find_chapter(name).cases)
    except ValueError:
        choice("case", name, [*case_names(), *(chapter.slug for chapter in CHAPTERS)])
        raise


def reproduce(name: str | None, form: str, seed: int) -> Iterator[str]:
    """Yield the ledgers of a case, of a chapter, or of all: form is "table", "csv" or "json".

    Raises ValueError for a name of neither.
    """
    chosen = map(find_case, _choose_cases(name))
    if form == "table":
        yield from (_table(case, seed) for case in chosen)
        return
    records = [
        record for case in chosen for record in ledger_records(case.name, ledger(case, seed))
    ]
    if form == "json":
        yield json.dumps(records, indent=2, ensure_ascii=False, allow_nan=False)
    else:
        yield _csv(records)
