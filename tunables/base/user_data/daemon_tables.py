"""Tables that `show thread cpu` and `show work-queues` print, read line by line.

`tunables.evidence.quagga` describes the tables. MicroPython runs this too and lacks most regular
expressions, so there are none here.
"""

from collections import namedtuple

from tunables.base.arguments import refuse
from tunables.base.user_data.columns import quote, shorten

# Heading word, a blank in it underlined -> keys of the records, for its first, second and third
# place in the heading.
_THREAD_KEYS = {
    "Active": ["active"],
    "Runtime(ms)": ["runtime_ms"],
    "Invoked": ["invoked"],
    "Avg_uSec": ["cpu_avg_us", "wall_avg_us"],
    "Max_uSecs": ["cpu_max_us", "wall_max_us"],
    "CPU_Warn": ["cpu_warnings"],
    "Wall_Warn": ["wall_warnings"],
    "Starv_Warn": ["starvation_warnings"],
}
_QUEUE_KEYS = {
    "Items": ["items"],
    "Delay": ["delay_ms"],
    "Hold": ["hold_ms"],
    "Total": ["runs", "yields", "cycles"],
    "Best": ["best"],
    "Gran.": ["granularity"],
    "Avg.": ["cycles_per_run"],
}
_DIGITS = "0123456789"
_MOST_DIGITS = 20  # digits of a 64-bit counter
_TYPES = "RWTEXB"
_NAMES_BEGIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_("

# The format of a command's output. heading(line): the words above the numbers, or None; row(line):
# (numbers, texts), or None; texts: what a row has after its numbers, for error messages.
Command = namedtuple("Command", ["name", "heading", "keys", "row", "texts"])


def _is_integer(word):
    return len(word) <= _MOST_DIGITS and all([c in _DIGITS for c in word])


def _is_runtime(word):
    whole, _, decimals = word.partition(".")
    return bool(whole) and len(decimals) == 3 and _is_integer(whole + decimals)


def _split_numbers(line):
    """Return the numbers that a line begins with, and what follows them."""
    words = line.split()
    count = 0
    while count < len(words) and (_is_integer(words[count]) or _is_runtime(words[count])):
        count += 1
    rest = line.split(None, count)
    return words[:count], rest[count] if len(rest) > count else ""


def _thread_heading(line):
    words = line.replace("Avg uSec", "Avg_uSec").replace("Max uSecs", "Max_uSecs").split()
    first = words[1:] if words[:1] == ["Active"] else words
    if first[:1] != ["Runtime(ms)"] or line.count("Avg uSec") < 2:
        return None
    return words[:-2] if words[-2:] in (["Type", "Thread"], ["Type", "Event"]) else None


def _thread_row(line):
    numbers, rest = _split_numbers(line)
    runtimes = [place for place, word in enumerate(numbers) if _is_runtime(word)]
    if runtimes not in ([0], [1]) or len(numbers) < runtimes[0] + 2:
        return None
    types = ""
    while rest and all([c in _TYPES for c in rest.split()[0]]) and len(rest.split()) > 1:
        word, rest = rest.split(None, 1)
        types += word
    if not types or rest[0] not in _NAMES_BEGIN:
        return None
    return numbers, {"types": types, "thread": rest}


def _queue_heading(line):
    words = line.split()
    first = words[1:] if words[:1] == ["P"] else words
    return first[:-1] if first[:1] == ["Items"] and first[-1:] == ["Name"] else None


def _queue_row(line):
    plugged = line.split(None, 1)[:1] == ["P"]
    numbers, rest = _split_numbers(line[1:] if plugged else line)
    if len(numbers) < 6 or not rest or rest[0] not in _NAMES_BEGIN:
        return None
    if not all([_is_integer(word) for word in numbers]):
        return None
    return numbers, {"plugged": plugged, "name": rest}


THREAD_CPU = Command(
    "show thread cpu",
    _thread_heading,
    _THREAD_KEYS,
    _thread_row,
    "a type (letters from RWTEXB) and a name",
)
WORK_QUEUES = Command("show work-queues", _queue_heading, _QUEUE_KEYS, _queue_row, "a name")


_BLANKS = " \t\v\f"  # what MicroPython's strip drops; CPython's drops more
_LONGEST_SHOWN = 300  # characters of a line; the widest table has half as many


def _quote_line(line):
    return shorten(quote(line), _LONGEST_SHOWN)


def _columns(words, command, line):
    """Return the keys of a heading's words."""
    found = []
    for index, word in enumerate(words):
        keys, place = command.keys.get(word, []), words[:index].count(word)
        if place >= len(keys):
            raise ValueError(f"{_quote_line(line)}: unknown heading: {_quote_line(word)}")
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
            f"{_quote_line(line)}: must be a whole row of '{command.name}': {len(columns)} numbers "
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
        self.columns = []  # columns of the open table, if any

    def read(self, line):
        heading = self.command.heading(line)
        if heading:
            self.columns = _columns(heading, self.command, line)
            self.tables.append([])
        elif self.columns and _begins_with_number(line):
            self.tables[-1].append(_record(line, self.columns, self.command))
        elif self.command.row(line):
            raise ValueError(
                f"{_quote_line(line)}: must come under a heading of '{self.command.name}'"
            )
        elif line:  # a table may contain blank lines
            self.columns = []


def tables_of(text, command) -> list:
    """Return the tables of a command in a text, in order, each a list of records.

    Raises ValueError that names the line for a row that is not whole or has no heading above
    it, and for a text without such a table.
    """
    if not isinstance(text, str):
        refuse("text", text, "a string")
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
