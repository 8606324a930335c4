"""A table as the laws see it: columns with meanings, whichever way round it is printed."""

from tunables.audit.meanings import guess, percentile_of, read_columns, unit_in_head, words_of
from tunables.audit.printed import read_number, unit_of
from tunables.audit.table import ReadTable

_TOLD_BY_HEAD = ("measured", "label", "ratio", "difference", "total", "count", "servers")
_WIDEST_TURNED = 60
_WORDS = (
    "latency latencies lat response resp time times per request requests req of the in a an for "
    "at average avg mean median med percentile percentiles pct min minimum max maximum worst "
    "best slowest fastest longest shortest stddev stdev sd std deviation ms s us µs sec secs "
    "second seconds ns msec usec qps tps rps iops ops op throughput rate number requests/s "
    "requests/sec ops/s ops/sec req/s req/sec reqs/sec transactions queries operations "
    "operation sustained"
)
_FILLER = _WORDS.split()


class AuditSheet:
    """Columns of a table, turned over if its first column, not its heads, says what is measured.

    columns: list of TableColumn; rows: how many; labels: what names each row; turned: whether
    rows and columns changed places; remarks: sentences on how it was read. A cell is a pair (row,
    column) of the sheet.
    """

    def __init__(self, table, chosen=None, turned=None):
        self.table = table
        self.turned = _looks_turned(table) if turned is None else turned
        self.read_as = _turn(table) if self.turned else table
        self.columns = read_columns(self.read_as, chosen)
        self.remarks = self._set_apart() if table.apart and not table.hints else []
        self.rows = len(self.read_as.rows)
        self.short = set() if self.turned else table.short
        self.labels = [self._label(row) for row in range(self.rows)]

    def _set_apart(self):
        """Leave out the clients that a tool's latencies do not go with, unless the reader chose."""
        latencies = self.of("latency", "percentile")
        clients = [column for column in self.of("clients") if column.guessed]
        if not latencies or not clients:
            return []
        for column in clients:
            column.meaning = "label"
        return [f'{self.table.apart} To compare them, choose what "{clients[0].name}" means.']

    def _label(self, row):
        """Return what names a row: its words and settings, at most three of them."""
        words = []
        for column in self.columns:
            text = self.read_as.rows[row][column.index]
            if not text:
                continue
            if column.numbers[row] is None or column.meaning in ("label", "clients"):
                words.append(text if column.numbers[row] is None else f"{text} {column.name}")
        first = self.read_as.rows[row][0] if self.read_as.heads else ""
        return words[0] if words and words[0] == first else first or " ".join(words[:1])

    def place(self, cell) -> tuple:
        """Return (row, column) of a cell in the table as it is printed."""
        row, column = cell
        return (column - 1, row + 1) if self.turned else (row, column)

    def number(self, cell):
        """Return the Printed number of a cell, or None."""
        return self.columns[cell[1]].numbers[cell[0]]

    def text(self, cell) -> str:
        """Return a cell's number with its unit, as a sentence shows it.

        >>> table = ReadTable("", ["clients", "Latency (ms)"], [["8", "5.5"]], [1], 1, "")
        >>> sheet = AuditSheet(table)
        >>> sheet.text((0, 0)), sheet.text((0, 1))
        ('8', '5.5 ms')
        """
        number = self.number(cell)
        if number is None:
            return self.read_as.rows[cell[0]][cell[1]]
        text, unit = number.text, number.unit
        if text[:1] == "(" and text[-1:] == ")":
            text = text[1:-1]
        if not number.kind or not unit or unit in text or number.kind == "times":
            return text
        if unit == "%":
            return text + "%"
        if unit == "1/s":
            return text + "/s"
        return f"{text} {'µs' if unit in ('us', 'usec') else unit}"

    def of(self, *meanings) -> list:
        """Return the columns with one of these meanings that hold numbers."""
        return [c for c in self.columns if c.meaning in meanings and c.read()]

    def one(self, *meanings):
        """Return the only column with one of these meanings, or None."""
        found = self.of(*meanings)
        return found[0] if len(found) == 1 else None

    def partner(self, column, candidates):
        """Return the candidate whose head shares most words with a column's, None if unclear.

        "read latency" belongs to "read QPS", not to "write QPS".
        """
        own, scores = topic(column.head), []
        for other in candidates:
            theirs = topic(other.head)
            shared = len([word for word in theirs if word in own])
            scores.append((shared, -len([w for w in theirs if w not in own]), -other.index))
        scores.sort()
        if not scores:
            return None
        best = scores[-1]
        if len(scores) > 1 and scores[-2][:2] == best[:2]:
            return None
        if best[0] == 0 and own and topic(self.columns[-best[2]].head) and len(candidates) > 1:
            return None
        return self.columns[-best[2]]

    def complete(self, columns):
        """Yield the rows in which all of the columns have numbers and no cell is missing."""
        for row in range(self.rows):
            if row not in self.short and all([c.numbers[row] is not None for c in columns]):
                yield row


def topic(head) -> list:
    """Return the words of a head that say what is measured, not how: "read" of "Avg read QPS".

    >>> topic("Average read QPS"), topic("p99 write latency (ms)")
    (['read'], ['write'])
    """
    return [
        word for word in words_of(head) if word not in _FILLER and percentile_of([word]) is None
    ]


def _looks_turned(table):
    """Say whether the first column names what is measured: throughput, p99 latency and so on."""
    if not 2 <= len(table.rows) <= _WIDEST_TURNED or len(table.heads) < 2 or table.hints:
        return False
    first = table.column(0)
    if any([read_number(text) for text in first]):
        return False

    def telling(heads):
        found = 0
        for head in heads:
            kind = unit_of(unit_in_head(head))[0]
            meaning = guess(head, kind)[0]
            if not kind and percentile_of(words_of(head)) is not None:
                meaning = "percentile"
            found += meaning not in _TOLD_BY_HEAD and meaning != "utilisation"
        return found

    return telling(first) >= 2 and telling(first) > telling(table.heads[1:])


def _turn(table):
    """Return the table with rows and columns exchanged."""
    heads = [table.heads[0] or "name"] + table.column(0)
    rows = [[table.heads[index]] + table.column(index) for index in range(1, len(table.heads))]
    return ReadTable(table.title, heads, rows, [table.line] * len(rows), table.line, table.kind)
