"""Problems on paper: one, or one for each student of a class with a key to correct them by."""

import csv
import io
import json

from tunables.page.problem import answer_text, as_markdown, as_record, as_text, wanted_text
from tunables.plain.arguments import choice
from tunables.plain.cells import as_cells
from tunables.reader.classes import Sheet

FORMATS = ("text", "md", "json", "csv")
COLUMNS = ("student", "name", "chapter", "kind", "seed", "question", "wanted")
KEY_COLUMNS = ("answer", "unit", "tolerance")
OPENS_STEPS = ("seed", "link")  # in the page, to whoever has it


def _record(sheet: Sheet, with_answer: bool) -> dict:
    """Return a sheet as plain data; what would open its steps is for the teacher alone."""
    record = {"student": sheet.student, "name": sheet.name}
    record |= as_record(sheet.problem, with_answer)
    hidden = {*OPENS_STEPS} if sheet.secret and not with_answer else set()
    if not sheet.name:
        hidden.add("name")
    return {name: value for name, value in record.items() if name not in hidden}


def _key(sheets: list[Sheet]) -> str:
    rows = [
        f"| {sheet.student} | {sheet.problem.kind} | {sheet.problem.seed} "
        f"| {answer_text(sheet.problem)} | {wanted_text(sheet.problem)} |"
        for sheet in sheets
    ]
    head = ["| student | kind | seed | answer | asked for |", "|---|---|---|---|---|"]
    return "\n".join(["## Answer key", "", *head, *rows])


def _csv(sheets: list[Sheet], with_answer: bool) -> str:
    records = [_record(sheet, with_answer) for sheet in sheets]
    wanted = COLUMNS + (KEY_COLUMNS if with_answer else ())
    columns = [name for name in wanted if name in records[0]]
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(map(as_cells, records))
    return text.getvalue().rstrip("\n")


def _alone(sheets: list[Sheet]) -> bool:
    """Whether it is one problem for nobody in particular, which needs no name above it."""
    return len(sheets) == 1 and not sheets[0].name


def _text(sheets: list[Sheet], with_answer: bool) -> str:
    shown = [as_text(sheet.problem, with_answer) for sheet in sheets]
    if not _alone(sheets):
        shown = [f"{sheet.who}. {text}" for sheet, text in zip(sheets, shown, strict=True)]
    return "\n\n\n".join(shown)


def _markdown(sheets: list[Sheet], with_answer: bool) -> str:
    if _alone(sheets):
        return as_markdown(sheets[0].problem, with_answer)
    shown = [
        as_markdown(sheet.problem, title=f"{sheet.who}: {sheet.problem.title}") for sheet in sheets
    ]
    return "\n\n".join([*shown, *([_key(sheets)] if with_answer else [])])


def _json(sheets: list[Sheet], with_answer: bool) -> str:
    records = [_record(sheet, with_answer) for sheet in sheets]
    if _alone(sheets):
        del records[0]["student"]
    shown = records[0] if _alone(sheets) else records
    return json.dumps(shown, indent=2, ensure_ascii=False, allow_nan=False)


def handout(sheets: list[Sheet], form: str = "text", with_answer: bool = False) -> str:
    """Return problems as text, Markdown ("md"), JSON or CSV.

    With answers a single problem has its steps; Markdown for a class ends with an answer key.
    Raises ValueError for another format.
    """
    made = {"text": _text, "md": _markdown, "json": _json, "csv": _csv}
    return made[choice("format", form, FORMATS)](sheets, with_answer)
