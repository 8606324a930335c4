"""Chapter 6: what the document prints, and which output of the model each number is."""

from functools import cache

from tunables.chapters.work_queues.clear_queue import calibrated
from tunables.chapters.work_queues.parameters import ITEM_BYTES, LIST_NODE_BYTES
from tunables.evidence.published import Record, published
from tunables.parts.case import Published

_TWO_QUEUES = "the mean of two queues, of which the model has one"
_BLOCKED = "both sessions, in wall time; the author's guess, and no run of his to hold it against"


@cache
def data() -> dict[str, Record]:
    """Return the numbers of the tables and of the text by row id."""
    tables = ("quagga-work-queues", "quagga-thread-cpu", "quagga-prose")
    return {row_id: each for table in tables for row_id, each in published(table).items()}


def rows(*columns: str) -> tuple[str, ...]:
    """Return the row ids of columns of the snapshots."""
    count = len(calibrated().snapshots)
    return tuple(f"snapshot-{n + 1}-clear-route-node-{c}" for c in columns for n in range(count))


def fitted_to() -> tuple[str, ...]:
    """Return the row ids of all that items and costs were fitted to."""
    return rows("runs", "granularity", "mean-cycles")


def _snapshot_settings(index: int) -> dict[str, float | str]:
    """Return the settings that lead from one snapshot's counters to the next one's."""
    queue = calibrated()
    before, after = queue.intervals[index]
    return {
        "items": float(before.items - after.items),
        "item_cost_s": queue.calibration.mean_costs_s[index],
        "granularity": float(before.granularity),
        "runs_before": float(before.runs),
        "items_before": float(queue.calibration.items - before.items),
    }


def _snapshot_numbers(index: int) -> list[Published]:
    """Return what the model says of one line of `show work-queues`."""
    row = f"snapshot-{index + 1}-clear-route-node"
    settings = _snapshot_settings(index)
    columns = (
        ("runs", "Runs", "calibrated", "runs", ""),
        ("best", "Best", "identity", "best", "3 (Gran. - 2), by the rule"),
        ("granularity", "Gran.", "calibrated", "granularity", ""),
        ("mean-cycles", "Avg.", "identity", "mean_cycles", "items over runs"),
    )
    return [
        Published(
            data()[f"{row}-{column}"],
            f"{name}, snapshot {index + 1}",
            status,
            output,
            settings,
            remark=remark,
            rests_on=fitted_to(),
        )
        for column, name, status, output, remark in columns
    ]


def _unexplained(row_id, label, remark):
    return Published(data()[row_id], label, "unexplained", remark=remark)


def _prose_number(row_id, label, status, output, settings=None, factor=1.0, remark=""):
    record = data()[row_id]
    return Published(record, label, status, output, settings or {}, factor, remark)


def numbers() -> tuple[Published, ...]:
    """Return the published numbers, in the document's order."""
    queue = calibrated()
    queued = {"items": float(queue.snapshots[0].items)}
    return (
        _unexplained(
            "table-1-work-queue-run-mean-cpu",
            "Mean CPU time of a slice, before",
            "the main queue alone: no cost of its items was fitted",
        ),
        *(number for index in range(len(queue.snapshots)) for number in _snapshot_numbers(index)),
        _unexplained(
            "table-2-work-queue-run-mean-wall",
            "Mean wall time of a slice, after",
            _TWO_QUEUES,
        ),
        _unexplained(
            "table-2-work-queue-run-longest-wall",
            "Longest slice, wall time",
            "no run took more than 112 ms of CPU: for the rest the process did not run",
        ),
        _unexplained(
            "longest-thread",
            "Longest thread, bgp_scan_timer",
            "a task that is not sliced",
        ),
        _prose_number(
            "blocked-before-lowest",
            "Blocked before, lowest",
            "predicted",
            "blocked_s",
            remark=_BLOCKED,
        ),
        _prose_number(
            "blocked-before-highest",
            "Blocked before, highest",
            "predicted",
            "blocked_s",
            remark=_BLOCKED,
        ),
        _prose_number("slice", "A slice", "predicted", "slice_s", factor=1e-3),
        _unexplained(
            "blocked-now",
            "Blocked now, bgp_event",
            "a task that is not sliced; it stands in the first table too, before the clears",
        ),
        _prose_number(
            "queue-memory-first",
            "Memory of the queue, first",
            "identity",
            "memory_mib",
            queued | {"entry_bytes": float(ITEM_BYTES)},
            remark="counts the items and forgets the list that holds them; MB is 2^20 bytes",
        ),
        _prose_number(
            "queue-memory-corrected",
            "Memory of the queue, corrected",
            "identity",
            "memory_mib",
            queued | {"entry_bytes": float(ITEM_BYTES + LIST_NODE_BYTES)},
            remark="items and list nodes",
        ),
    )
