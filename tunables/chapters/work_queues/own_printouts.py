"""What a reader's daemon prints of its work queues and threads, taken together; in the page too."""

from tunables.plain.own.daemon_commands import THREAD_CPU, WORK_QUEUES
from tunables.plain.own.daemon_tables import tables_of
from tunables.plain.own.words import quoted, shown

_FEWEST_RUNS = 30
_MOSTLY = 0.9  # of the runs of all queues
_MOST = 10**12  # no daemon counts so far


def _tables(text):
    """Return the tables of the queues, and for each the row of the thread that runs them."""
    tables = tables_of(text, WORK_QUEUES)
    threads = [row for table in tables_of(text, THREAD_CPU) for row in table]
    workers = [row for row in threads if row["thread"].strip("()") == "work_queue_run"]
    if len(workers) != len(tables):
        raise ValueError(
            f"{len(tables)} tables of 'show work-queues' and {len(workers)} rows work_queue_run of "
            "'show thread cpu' (or 'show event cpu'): paste both commands of one daemon (vtysh -d "
            "bgpd), one after the other, as often as you like"
        )
    return tables, workers


def _check(queue, what, value):
    if not 1 <= value <= _MOST:
        raise ValueError(
            f"queue {queue} has {what} = {shown(value)}: must be from 1 to {_MOST:g}; leave that "
            "printout out"
        )


def _snapshot(table, worker, queue):
    """Return [runs, items, granularity, mean slice in s] at one moment."""
    rows = [row for row in table if row["name"] == queue]
    name = shown(quoted(queue))
    if not rows or rows[0]["runs"] < _FEWEST_RUNS:
        raise ValueError(
            f"queue {name} ran less than {_FEWEST_RUNS} times in one of the "
            "printouts: leave that one out, or print after more work"
        )
    row, runs = rows[0], rows[0]["runs"]
    if runs < _MOSTLY * worker["invoked"]:
        raise ValueError(
            f"queue {name} has {runs} of {worker['invoked']} runs: the times "
            "are those of all queues together; print while one queue does nearly all the work"
        )
    items = row.get("cycles") or runs * (row["cycles_per_run"] + 0.5)
    _check(name, "items done", items)
    _check(name, "granularity", row["granularity"])
    _check(name, "mean wall time in us", worker["wall_avg_us"])
    return [runs, items, row["granularity"], worker["wall_avg_us"] / 1e6]


def counted(text) -> dict:
    """Return {"queue": the name of that which ran most, "rows": its snapshots in order}.

    text: `show work-queues` and `show thread cpu` (or `show event cpu`), once or several
    times, each pair at about the same moment. A snapshot is [runs, items done, granularity,
    mean slice in s]. Items done are the column of that name, or runs times the printed
    average, which is rounded down, plus a half.
    Raises ValueError for what the parsers refuse, other numbers of one table than of the
    other, and a queue that is not responsible for nine tenths of the runs or ran less than
    30 times.
    """
    tables, workers = _tables(text)
    busiest = max(tables[-1], key=lambda row: row["runs"])["name"]
    rows = [_snapshot(table, worker, busiest) for table, worker in zip(tables, workers)]
    return {"queue": busiest, "rows": rows}
