"""What load tools print, read as tables of one row per run."""

from tunables.audit.table import MOST_ROWS, ReadTable
from tunables.base.user_data.load_tools import runs_of


def read_printouts(lines) -> list:
    """Return the tables of all runs that some lines show; runs of one tool share a table.

    >>> lines = ["transaction type: x", "number of clients: 8", "latency average = 18.289 ms"]
    >>> (table,) = read_printouts(lines + ["tps = 437.428867 (without initial connection time)"])
    >>> table.kind, table.heads, table.rows[0]
    ('pgbench', ['clients', 'latency average', 'tps'], ['8', '18.289 ms', '437.428867 /s'])
    """
    tables: list = []
    for tool, values, line in runs_of(lines):
        if values:
            _add(tables, tool, values, line)
    return tables


# Tools whose latencies and clients Little's law does not connect.
APART = {
    "wrk": "wrk corrects its latencies for requests that it failed to send in time, and a script "
    "can pipeline requests, so wrk's latency is not compared with its number of connections.",
    "redis-benchmark": "redis-benchmark does not print how many requests a client pipelines, so "
    "its latency is not compared with its number of clients.",
}


def _add(tables, tool, values, line):
    """Put a run into the last table, if it has the same heads, or into a new one."""
    heads = [head for head, _ in values]
    row = [value for _, value in values]
    if tables and tables[-1].kind == tool and tables[-1].heads == heads:
        if len(tables[-1].rows) < MOST_ROWS:
            tables[-1].rows.append(row)
            tables[-1].lines.append(line)
        return
    table = ReadTable("", heads, [row], [line], line, tool)
    table.by_tool = True
    if tool in APART:
        table.apart = APART[tool]
        table.remarks.append(table.apart)
        table.hints = {
            index: "label" for index, head in enumerate(heads) if head in ("connections", "clients")
        }
    tables.append(table)
