r"""Logs of servers and of pgbench, rewritten as the tables that the fits read.

`as_table` knows a log by its first lines. The page does the same in
book/_static/labs/your_numbers/logs.js, and a test holds the two together.

pgbench -l:  client, transaction, time in µs, script, end in s, end in µs
nginx:       the format "combined"; a log_format may add $request_time as its last field
PostgreSQL:  log_min_duration_statement or log_statement, to stderr, whatever log_line_prefix is
"""

import re
from calendar import timegm
from collections.abc import Callable
from itertools import pairwise

from tunables.base.user_data.columns import refuse

_NOT_NGINX = "this line is not from nginx's log, although the first one is"
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
_FIRST_LINES = 50  # PostgreSQL's log may begin with words about its start
_PGBENCH = re.compile(
    r"(\d+) (\d+) (\d+|failed|skipped|serialization|deadlock) (\d+) (\d{9,}) (\d{1,6})((?: \d+)*)"
)
_NGINX = re.compile(
    r"\S+ \S+ .*?\[(\d\d)/([A-Z][a-z]{2})/(\d{4}):(\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)\] "
    r'"([^"]*)" \d{3} (\d+|-)(?:| .*?)(?: (\d+\.\d{3}))?'
)
_STATEMENT = re.compile(r".*?LOG:  (?:duration: \d+\.\d+ ms  )?(?:statement|execute [^:]+):(|\s.*)")
_PARAMETERS = re.compile(r".*?DETAIL:  [Pp]arameters: (.*)")


def _cell(text: str) -> str:
    quoted = text.replace('"', '""')
    return f'"{quoted}"'


def _seconds(microseconds: str) -> str:
    digits = microseconds.rjust(7, "0")
    return f"{digits[:-6]}.{digits[-6:]}"


def _next_run(clients: list[str]) -> int:
    """Return where a run ends in which a client has counted from the start again behind its rows.

    Other clients of the next run may have come before that one: the rows from the first one on
    after which no earlier client comes.
    """
    first: dict[str, int] = {}
    for place, client in enumerate(clients):
        first.setdefault(client, place)
    end = earliest = len(clients)
    for place in range(len(clients) - 1, 0, -1):
        earliest = min(earliest, first[clients[place]])
        end = place if earliest == place else end
    return end


def _pgbench(lines: list[str]) -> list[str]:
    """Return a row for each transaction; the clients of a run are those that its rows name."""
    rows = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        found = _PGBENCH.fullmatch(line.rstrip("\r")) or refuse(
            number, "this line is not from pgbench -l, although the first one is"
        )
        client, transaction, time_us, _, end_s, end_us, _ = found.groups()
        rows.append((int(end_s), int(end_us), client, int(transaction), time_us))
    rows.sort(key=lambda row: row[:2])  # each of pgbench's threads writes a file
    starts, last = [0], dict[str, int]()
    for place, (_, _, client, transaction, _) in enumerate(rows):
        if transaction <= last.get(client, -1):
            begun = starts[-1]
            starts.append(begun + _next_run([row[2] for row in rows[begun:place]]))
            last = {}
            for row in rows[starts[-1] : place]:
                last[row[2]] = row[3]
        last[client] = transaction
    table = ["time_s,response_s,clients"]
    for start, stop in pairwise([*starts, len(rows)]):
        clients = len({row[2] for row in rows[start:stop]})
        table += [
            f"{end_s}.{end_us:06},{_seconds(time_us)},{clients}"
            for end_s, end_us, _, _, time_us in rows[start:stop]
            if time_us.isdecimal()  # others failed, or were skipped
        ]
    return table


def _nginx(lines: list[str]) -> list[str]:
    """Return a row for each request; when it began is known only with $request_time."""
    rows, timed = [], None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        found = _NGINX.fullmatch(line.rstrip("\r")) or refuse(number, _NOT_NGINX)
        if found[2] not in _MONTHS:
            refuse(number, _NOT_NGINX)
        day, month, year, h, m, s, sign, zone_h, zone_m, request, size, duration = found.groups()
        at_s = timegm((int(year), _MONTHS.index(month) + 1, int(day), int(h), int(m), int(s)))
        zone_s = 3600 * int(zone_h) + 60 * int(zone_m)
        words = request.split(" ")
        row = [_cell(words[1] if len(words) > 1 else request or "-")]
        timed = timed is not False and duration is not None
        if duration:
            end_ms = 1000 * (at_s - zone_s if sign == "+" else at_s + zone_s)
            start_ms = end_ms - int(duration.replace(".", ""))
            row += [f"{start_ms // 1000}.{start_ms % 1000:03}", size.replace("-", "0"), duration]
        rows.append(row)
    heads = ["url", "start_s", "size_bytes", "duration_s"]
    width = len(heads) if timed else 1
    return [",".join(row[:width]) for row in [heads, *rows]]


def _messages(lines: list[str]) -> list[list[str]]:
    """Return PostgreSQL's messages, each in its lines: a further one begins with a tab."""
    found: list[list[str]] = []
    for line in lines:
        if not line.startswith("\t") and line.strip():
            found.append([line])
        elif found:
            found[-1].append(line)
    return found


def _joined(*parts: str) -> str:
    return " ".join(filter(None, map(str.strip, parts)))


def _postgres(lines: list[str]) -> list[str]:
    """Return the statements, with the parameters of prepared ones; other messages are left out.

    The lines of a statement are joined by spaces.
    """
    keys: list[str] = []
    follows = False  # whether what follows is about the last statement
    for line, *further in _messages(lines):
        if found := _STATEMENT.fullmatch(line):
            keys.append(_joined(found[1], *further))
            follows = True
        elif follows and (found := _PARAMETERS.fullmatch(line)):
            keys[-1] = _joined(keys[-1], found[1], *further)
        elif "LOG:  " in line:
            follows = False
    return ["key", *map(_cell, filter(None, keys))]


_Rewrite = Callable[[list[str]], list[str]]
_LOGS: tuple[tuple[re.Pattern[str], int, _Rewrite], ...] = (
    (_PGBENCH, 1, _pgbench),
    (_NGINX, 1, _nginx),
    (_STATEMENT, _FIRST_LINES, _postgres),
)


def as_table(text: str) -> str:
    r"""Return a log that is known as a CSV text, and any other text as it is.

    Raises ValueError that names the line if a log of pgbench or nginx has a line of another form.

    >>> as_table("0 1 1800 0 1700000000 12\n0 2 2200 0 1700000000 4000\n")
    'time_s,response_s,clients\n1700000000.000012,0.001800,1\n1700000000.004000,0.002200,1\n'
    """
    beginning = [line for line in text[: 2**16].split("\n") if line.strip()][:_FIRST_LINES]
    for pattern, tried, rewrite in _LOGS:
        if any(pattern.fullmatch(line.rstrip("\r")) for line in beginning[:tried]):
            return "\n".join(rewrite(text.split("\n"))) + "\n"
    return text
