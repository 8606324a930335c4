"""Tables of `show thread cpu` and `show work-queues`, as Quagga and FRRouting print them.

Each parser reads any text that holds such tables: prompts, other commands' output, blank lines
and Windows line ends are no part of them. A table begins at its heading and ends before the
next line that does not begin with a number. What looks like a row and is not whole is refused.
"""

from typing import Any

from tunables.base.user_data.daemon_tables import THREAD_CPU, WORK_QUEUES, tables_of

Row = dict[str, Any]
Table = list[Row]


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
    return tables_of(text, THREAD_CPU)


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
    return tables_of(text, WORK_QUEUES)
