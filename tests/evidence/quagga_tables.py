"""The published tables of data/ as records, and printed again in the daemon's layout."""

import re

from tunables.evidence.published import published

CPU_KEYS = {
    "CPU time": "runtime_ms",
    "calls": "invoked",
    "mean CPU time": "cpu_avg_us",
    "longest CPU time": "cpu_max_us",
    "mean wall time": "wall_avg_us",
    "longest wall time": "wall_max_us",
}
QUEUE_KEYS = {
    "items waiting": "items",
    "delay between runs": "delay_ms",
    "hold before the first run": "hold_ms",
    "runs": "runs",
    "most items in a run": "best",
    "granularity": "granularity",
    "mean items per run": "cycles_per_run",
}
CPU_HEADING = (
    "                      CPU (user+system): Real (wall-clock):\n"
    "Runtime(ms)   Invoked Avg uSec Max uSecs Avg uSec Max uSecs  Type  Thread\n"
)
QUEUE_HEADING = (
    "    List      (ms)      Q. Runs       Cycle Counts   \n"
    "   Items  Delay  Hold     Total     Best  Gran.   Avg. Name\n"
)


def _tables(table, keys, name):
    """Records of the wide rows, grouped by their place in the document."""
    tables: dict[str, dict[str, dict]] = {}
    for record in published(table).values():
        rows = tables.setdefault(record.place, {})
        row = rows.setdefault(record.row, {name: record.row})
        value = record.value
        row[keys[record.quantity]] = value if record.unit == "ms" else int(value)
        if match := re.match(r"type ([RWTEXB]+)", record.note):
            row["types"] = match[1]
    return [list(rows.values()) for rows in tables.values()]


def thread_cpu():
    """The two tables of `show thread cpu`, as parse_thread_cpu returns them."""
    return _tables("quagga-thread-cpu", CPU_KEYS, "thread")


def work_queues():
    """The nine tables of `show work-queues`, as parse_work_queues returns them."""
    tables = _tables("quagga-work-queues", QUEUE_KEYS, "name")
    for row in (row for table in tables for row in table):
        row |= {key: int(row[key]) for key in ("delay_ms", "hold_ms")} | {"plugged": False}
    return tables


def _letters(types):
    return "".join(letter if letter in types else " " for letter in "RWTEXB")


def print_thread_cpu(table, blank_after=None):
    """One table in the document's layout; a blank line follows the row blank_after."""
    text = CPU_HEADING
    for row in table:
        text += (
            f"{row['runtime_ms']:11.3f} {row['invoked']:9d} {row['cpu_avg_us']:8d} "
            f"{row['cpu_max_us']:9d} {row['wall_avg_us']:8d} {row['wall_max_us']:9d} "
            f"{_letters(row['types'])} {row['thread']}\n"
        )
        text += "\n" if row["thread"] == blank_after else ""
    return text


def print_work_queues(table):
    """One table in the document's layout."""
    return QUEUE_HEADING + "".join(
        f"{row['items']:8d} {row['delay_ms']:6d} {row['hold_ms']:5d} {row['runs']:9d} "
        f"{row['best']:8d} {row['granularity']:6d} {row['cycles_per_run']:6d} {row['name']}\n"
        for row in table
    )


def print_session():
    """All tables as one session at the prompt, with the document's stray blank line."""
    first, second = thread_cpu()
    queues = "".join(f"# sh w\n{print_work_queues(table)}" for table in work_queues())
    second = print_thread_cpu(second, blank_after="bgp_connect_timer")
    return f"# sh thread cpu \n{print_thread_cpu(first)}{queues}# sh th cp\n{second}\nThe above\n"
