"""What the page *Audit a table* asks: one request in JSON, one answer in JSON."""

import json

from tunables.audit.laws import explain
from tunables.audit.meanings import MEANINGS
from tunables.audit.report import as_data, markdown_of
from tunables.audit.tables import read_tables
from tunables.audit.verdicts import audit


class AuditSession:
    """Answers the page. request: {"text": pasted, "name": of the file or "", "chosen": [...]}.

    chosen: for each table {"columns": {index: meaning}, "turned": true, false or null}, as the
    reader corrected them. The answer is {"tables": [...], "markdown": ...} as `report.as_data`
    describes, or {"refusal": sentence}.
    """

    def menu(self) -> str:
        """Return [[meaning, words]] for the menus of the columns, in JSON."""
        return json.dumps([[key, words] for key, (words, _) in sorted(MEANINGS.items())])

    def laws(self) -> str:
        """Return [{name, formula, source}] of all laws, in JSON."""
        return json.dumps(explain())

    def reply(self, request) -> str:
        """Return the answer to a request, both in JSON."""
        asked = json.loads(request)
        try:
            tables = read_tables(asked["text"], asked.get("name") or "")
            chosen = asked.get("chosen") or []
            audits = []
            for index, table in enumerate(tables):
                own = chosen[index] if index < len(chosen) and chosen[index] else {}
                columns = {int(key): value for key, value in (own.get("columns") or {}).items()}
                audits.append(audit(table, columns, own.get("turned")))
        except ValueError as error:
            return json.dumps({"refusal": str(error)})
        return json.dumps(
            {"tables": [as_data(each) for each in audits], "markdown": markdown_of(audits)}
        )
