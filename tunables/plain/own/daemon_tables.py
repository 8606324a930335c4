"""Tables of `show thread cpu` and `show work-queues`, a line of a text after the other.

MicroPython runs this, too: `tunables.evidence.quagga` says what the tables are.
"""

from tunables.plain.own.words import quoted, shown

_BLANKS = " \t\v\f"  # what MicroPython's strip drops; CPython's drops more
_LONGEST_SHOWN = 300  # characters of a line; the widest table has half as many


def _told(line):
    return shown(quoted(line), _LONGEST_SHOWN)


def _columns(words, command, line):
    """Return the keys of a heading's words."""
    found = []
    for index, word in enumerate(words):
        keys, place = command.keys.get(word, []), words[:index].count(word)
        if place >= len(keys):
            raise ValueError(f"{_told(line)}: strange heading: {_told(word)}")
        found.append(keys[place])
    return found


def _record(line, columns, command):
    numbers, texts = command.row(line) or ([], {})
    if columns[-1] == "wall_warnings" and len(numbers) == len(columns) + 1:
        # FRRouting 8.4 leaves this word out of the heading above the total
        columns = columns + ["starvation_warnings"]
    runtimes = [column for column, word in zip(columns, numbers) if "." in word]
    if len(numbers) != len(columns) or runtimes != [c for c in columns if c == "runtime_ms"]:
        raise ValueError(
            f"{_told(line)}: must be a whole row of '{command.name}': {len(columns)} numbers "
            f"({', '.join(columns)}), then {command.texts}"
        )
    row = {}
    for column, word in zip(columns, numbers):
        row[column] = float(word) if column == "runtime_ms" else int(word)
    row.update(texts)
    return row


def _begins_with_number(line):
    rest = line[1:].strip(_BLANKS) if line[:2] == "P " else line
    return bool(rest) and rest[0] in "0123456789"


class _Reader:
    """The tables of one command, a line after the other."""

    def __init__(self, command):
        self.command = command
        self.tables = []
        self.columns = []  # of the table that is open, if one is

    def read(self, line):
        heading = self.command.heading(line)
        if heading:
            self.columns = _columns(heading, self.command, line)
            self.tables.append([])
        elif self.columns and _begins_with_number(line):
            self.tables[-1].append(_record(line, self.columns, self.command))
        elif self.command.row(line):
            raise ValueError(f"{_told(line)}: must stand under a heading of '{self.command.name}'")
        elif line:  # a blank line may stand inside a table
            self.columns = []


def tables_of(text, command) -> list:
    """Return the tables of a command in a text, in order, each a list of records.

    Raises ValueError that names the line for a row that is not whole or has no heading above
    it, and for a text without such a table.
    """
    if not isinstance(text, str):
        raise ValueError(f"text = {text!r}: must be a string")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u00a0", " ").split("\n")
    if not lines[-1]:
        lines.pop()
    reader = _Reader(command)
    for number, line in enumerate(lines):
        try:
            reader.read(line.strip(_BLANKS))
        except ValueError as error:
            raise ValueError(f"text, line {number + 1}: {error}") from None
    if not any(reader.tables):
        raise ValueError(
            f"text, lines 1 to {len(lines)}: must hold a table of '{command.name}', "
            "with its heading and at least one row"
        )
    return [table for table in reader.tables if table]
