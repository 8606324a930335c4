"""Short ways to an audit, for the tests."""

from tunables.audit.tables import read_tables
from tunables.audit.verdicts import audit


def audit_text(text, name="", chosen=None):
    """Return the audit of the only table of a text."""
    (table,) = read_tables(text, name)
    return audit(table, chosen)


def table_of(heads, *rows):
    """Return a Markdown table: cells set apart by commas that blanks follow."""
    lines = [heads, ", ".join("-" * 3 for _ in heads.split(", ")), *rows]
    return "\n".join("| " + " | ".join(line.split(", ")) + " |" for line in lines)


def states(audit):
    """Return the states of the numeric cells, row by row."""
    return [audit.verdicts[cell].state for cell in audit.verdicts.cells()]


def blamed(audit):
    """Return the blamed cells as printed, (row, column) from 0."""
    return [audit.sheet.place(cell) for finding in audit.findings for cell in finding.cells]
