"""What the page *Audit a table* asks: one request in JSON, one answer in JSON."""

import json

from tunables.audit.report import as_data, headline, markdown_of
from tunables.audit.tables import read_tables
from tunables.audit.verdicts import audit
from tunables.base.numbers_as_text import group_thousands

LONGEST_PASTE = 200_000  # characters: reading them takes the page a few seconds
MOST_CELLS = 5_000  # of all tables: judging them takes the page a few seconds
_ELSEWHERE = "Paste fewer rows, or run python -m tunables audit FILE, which reads up to 100,000."


def _json(value) -> str:
    """Return a value as JSON, piece by piece.

    MicroPython's json.dumps moves its text at each step, so that twice the text takes four times
    as long.
    """
    if isinstance(value, dict):
        inside = [json.dumps(key) + ": " + _json(each) for key, each in value.items()]
        return "{" + ", ".join(inside) + "}"
    if isinstance(value, list):
        return "[" + ", ".join([_json(each) for each in value]) + "]"
    return json.dumps(value)


def _read(request):
    """Return the tables of a request; raises ValueError for more than the page can judge."""
    text = request["text"]
    if len(text) > LONGEST_PASTE:
        raise ValueError(
            f"This has {group_thousands(str(len(text)))} characters, and the page reads at most "
            + f"{group_thousands(str(LONGEST_PASTE))}. {_ELSEWHERE}"
        )
    tables = read_tables(text, request.get("name") or "")
    cells = sum([len(table.heads) * len(table.rows) for table in tables])
    if cells > MOST_CELLS:
        raise ValueError(
            f"This has {group_thousands(str(cells))} cells, and the page judges at most "
            + f"{group_thousands(str(MOST_CELLS))}. {_ELSEWHERE}"
        )
    return tables


def answer(request) -> dict:
    """Return the tables, headline and Markdown of a request by name, or {"refusal": sentence}.

    request: {"text": pasted, "name": of the file or "", "chosen": [...]}, where chosen holds for
    each table {"columns": {index: meaning}, "turned": true, false or None}, as the reader corrected
    them; tables: as `report.as_data` describes them.
    """
    try:
        tables = _read(request)
        chosen = request.get("chosen") or []
        audits = []
        for index, table in enumerate(tables):
            own = chosen[index] if index < len(chosen) and chosen[index] else {}
            columns = {int(key): value for key, value in (own.get("columns") or {}).items()}
            audits.append(audit(table, columns, own.get("turned")))
    except ValueError as error:
        return {"refusal": str(error)}
    return {
        "tables": [as_data(each) for each in audits],
        "headline": headline(audits),
        "markdown": markdown_of(audits),
    }


class AuditSession:
    """Answers the page's requests, which `answer` describes, in JSON."""

    def __init__(self, description_json="{}"):
        pass  # every session of the page is described; this one has nothing to know

    def reply(self, request_json) -> str:
        """Return the answer to a request, both in JSON."""
        return _json(answer(json.loads(request_json)))
