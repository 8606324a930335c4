"""What `python -m tunables reproduce` prints: the ledger of some cases, in one of three forms."""

import csv
import io
import json
from collections.abc import Iterator

from tunables.page.chapters import CHAPTERS, find_chapter
from tunables.parts.case import Case
from tunables.parts.freedom import degrees_of_freedom
from tunables.parts.ledger import ledger
from tunables.parts.registry import case_names, find_case
from tunables.parts.rival import earned
from tunables.plain.arguments import choice
from tunables.reader.tables import ledger_records, ledger_table


def _table(case: Case, seed: int) -> str:
    caption = f"{case.name}: {case.title} ({case.document})"
    remarks = [f"  {one.label}: {one.remark}." for one in case.numbers if one.remark]
    table = str(ledger_table(ledger(case, seed), caption))
    return "\n".join([table, *remarks, f"\n{degrees_of_freedom(case)}\n{earned(case)}\n"])


def _csv(records: list[dict]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(records[0]))
    writer.writeheader()
    writer.writerows(records)
    return text.getvalue().removesuffix("\n")


def _chosen(name: str | None) -> list[str]:
    """Return the names of one case, of a chapter's, or of all."""
    if name is None or name in case_names():
        return [name] if name else case_names()
    try:
        return list(find_chapter(name).cases)
    except ValueError:
        choice("case", name, [*case_names(), *(chapter.slug for chapter in CHAPTERS)])
        raise


def reproduced(name: str | None, form: str, seed: int) -> Iterator[str]:
    """Yield the ledgers of a case, of a chapter, or of all: form is "table", "csv" or "json".

    Raises ValueError for a name of neither.
    """
    chosen = map(find_case, _chosen(name))
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
