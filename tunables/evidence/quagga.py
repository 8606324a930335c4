"""Tables of `show thread cpu` and `show work-queues`, as Quagga and FRRouting print them.

Each parser reads any text that holds such tables: prompts, other commands' output, blank lines
and Windows line ends are no part of them. A table begins at its heading and ends before the
next line that does not begin with a number. What looks like a row and is not whole is refused.
"""

import re
from typing import Any, NamedTuple

Row = dict[str, Any]
Table = list[Row]

# Heading word -> keys of the records, for its first, second and third place in the heading.
_THREAD_KEYS = {
    "Active": ["active"],
    "Runtime(ms)": ["runtime_ms"],
    "Invoked": ["invoked"],
    "Avg uSec": ["cpu_avg_us", "wall_avg_us"],
    "Max uSecs": ["cpu_max_us", "wall_max_us"],
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


class _Command(NamedTuple):
    """How one command's output reads."""

    name: str
    heading: re.Pattern  # its group "words" holds the heading words of the numbers
    keys: dict[str, list[str]]
    row: re.Pattern  # groups: the numbers, and the texts that follow them
    texts: str  # what a row holds after its numbers, for the reader of an error


_THREAD_CPU = _Command(
    "show thread cpu",
    re.compile(
        r"(?P<words>(Active +)?Runtime\(ms\) .*Avg uSec .*Avg uSec .*?) +Type +(Thread|Event)"
    ),
    _THREAD_KEYS,
    re.compile(
        r"(?P<numbers>([0-9]+ +)?[0-9]+\.[0-9]{3}( +[0-9]+)+)"
        r" +(?P<types>[RWTEXB]( *[RWTEXB])*) +(?P<thread>[A-Za-z_(].*)"
    ),
    "a type (letters of RWTEXB) and a name",
)
_WORK_QUEUES = _Command(
    "show work-queues",
    re.compile(r"(P +)?(?P<words>Items .*?) +Name"),
    _QUEUE_KEYS,
    re.compile(r"(?P<plugged>P +)?(?P<numbers>[0-9]+( +[0-9]+){5,}) +(?P<name>[A-Za-z_(].*)"),
    "a name",
)


def _columns(words: str, keys: dict[str, list[str]]) -> list[str]:
    """Return the keys of a heading's words; raises KeyError or IndexError for a strange one."""
    found = re.findall(r"Avg uSec|Max uSecs|\S+", words)
    return [keys[word][found[:index].count(word)] for index, word in enumerate(found)]


def _record(line: str, columns: list[str], command: _Command) -> Row:
    match = command.row.fullmatch(line)
    numbers = match["numbers"].split() if match else []
    if columns[-1] == "wall_warnings" and len(numbers) == len(columns) + 1:
        # FRRouting 8.4 leaves this word out of the heading above the total
        columns = [*columns, "starvation_warnings"]
    if match is None or len(numbers) != len(columns):
        raise ValueError(
            f"{line!r}: must be a whole row of '{command.name}': {len(columns)} numbers "
            f"({', '.join(columns)}), then {command.texts}"
        )
    row: Row = {}
    for column, number in zip(columns, numbers, strict=True):
        row[column] = float(number) if column == "runtime_ms" else int(number)
    texts = match.groupdict()
    if "types" in texts:
        return row | {"types": texts["types"].replace(" ", ""), "thread": texts["thread"]}
    return row | {"plugged": texts["plugged"] is not None, "name": texts["name"]}


def _tables(text: str, command: _Command) -> list[Table]:
    if not isinstance(text, str):
        raise ValueError(f"text = {text!r}: must be a string")
    tables: list[Table] = []
    columns: list[str] | None = None
    for number, line in enumerate((line.strip() for line in text.splitlines()), start=1):
        try:
            if heading := command.heading.fullmatch(line):
                columns = _columns(heading["words"], command.keys)
                tables.append([])
            elif columns and re.match(r"(P +)?[0-9]", line):
                tables[-1].append(_record(line, columns, command))
            elif command.row.fullmatch(line):
                raise ValueError(f"{line!r}: must stand under a heading of '{command.name}'")
            elif line:  # a blank line may stand inside a table
                columns = None
        except (KeyError, IndexError) as error:
            raise ValueError(f"text, line {number}: {line!r}: strange heading: {error}") from None
        except ValueError as error:
            raise ValueError(f"text, line {number}: {error}") from None
    if not any(tables):
        raise ValueError(
            f"text, lines 1 to {len(text.splitlines())}: must hold a table of '{command.name}', "
            "with its heading and at least one row"
        )
    return [table for table in tables if table]


def parse_thread_cpu(text: str) -> list[Table]:
    """Return the tables of `show thread cpu` (FRRouting: `show event cpu`) in a text, in order.

    A table is a list of records, one a row: `thread` (name of the handler), `types` (letters
    of RWTEXB: read, write, timer, event, execute, background), `runtime_ms` (CPU time),
    `invoked`, `cpu_avg_us`, `cpu_max_us`, `wall_avg_us`, `wall_max_us`; in FRRouting also
    `active`, and from 8.1 on `cpu_warnings`, `wall_warnings`, `starvation_warnings`. The row
    TOTAL is the last of Quagga's table; FRRouting prints a table for each POSIX thread and
    TOTAL in a table of its own. Averages are rounded down.

    Raises ValueError that names the line for a row that is not whole or has no heading above
    it, and for a text without such a table.
    Source: Quagga, lib/thread.c; FRRouting, lib/event.c.

    >>> text = '''# show thread cpu
    ... Runtime(ms)   Invoked Avg uSec Max uSecs Avg uSec Max uSecs  Type  Thread
    ...       3.999         1     3999      3999     4379      4379 R      vty_accept'''
    >>> [(row["thread"], row["types"], row["wall_max_us"]) for row in parse_thread_cpu(text)[0]]
    [('vty_accept', 'R', 4379)]
    """
    return _tables(text, _THREAD_CPU)


def parse_work_queues(text: str) -> list[Table]:
    """Return the tables of `show work-queues` in a text, in order.

    A table is a list of records, one a queue: `name`, `items` (waiting), `hold_ms`, `runs`,
    `best` (most items of a run), `granularity`, `cycles_per_run` (rounded down), `plugged`
    (held back by the daemon, marked P); in Quagga of May 2005 also `delay_ms`; in FRRouting
    also `yields` and `cycles` (items taken in all runs).

    Raises ValueError that names the line for a row that is not whole or has no heading above
    it, and for a text without such a table.
    Source: Quagga and FRRouting, lib/workqueue.c.

    >>> text = '''bgpd# show work-queues
    ...    Items  Delay  Hold     Total     Best  Gran.   Avg. Name
    ...   20146      0   100      7018       81     29     42 clear_route_node'''
    >>> [(row["name"], row["runs"], row["granularity"]) for row in parse_work_queues(text)[0]]
    [('clear_route_node', 7018, 29)]
    """
    return _tables(text, _WORK_QUEUES)
