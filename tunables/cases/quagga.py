"""Chapter 6: Quagga's work queues while two BGP sessions are cleared (Jakma, 2005)."""

from tunables.cases.case import Case, Output, Published, View
from tunables.cases.quagga_calibration import QUANTUM_S
from tunables.cases.quagga_parameters import (
    CALIBRATION,
    CLEARING_S,
    COST_SHAPE,
    INTERVALS,
    ITEM_BYTES,
    LIST_NODE_BYTES,
    MEAN_COST_S,
    PARAMETERS,
    SNAPSHOTS,
)
from tunables.cases.quagga_simulation import simulate
from tunables.evidence.published import published
from tunables.predictors.quagga import predict

__all__ = [
    "CALIBRATION",
    "CASE",
    "CLEARING_S",
    "COST_SHAPE",
    "INTERVALS",
    "MEAN_COST_S",
    "QUANTUM_S",
    "SNAPSHOTS",
]

_queues = published("quagga-work-queues")
_cpu = published("quagga-thread-cpu")
_prose = published("quagga-prose")

_FROM_THE_START = {"granularity": 1.0, "runs_before": 0.0, "items_before": 0.0}
_WHOLE_DRAIN = _FROM_THE_START | {
    "items": float(CALIBRATION.items),
    "item_cost_s": MEAN_COST_S,
}
_ONE_SESSION = _WHOLE_DRAIN | {"items": _prose["prefixes-per-session"].value}
_QUEUED = {"items": float(SNAPSHOTS[0].items)}
_NO_GROWTH = "a longer run would have raised the granularity"
_TWO_QUEUES = "the mean of two queues, of which the model has one"


def _snapshot_settings(index: int) -> dict[str, float | str]:
    """Return the settings that lead from one snapshot's counters to the next one's."""
    before, after = INTERVALS[index]
    return {
        "items": float(before.items - after.items),
        "item_cost_s": CALIBRATION.mean_costs_s[index],
        "granularity": float(before.granularity),
        "runs_before": float(before.runs),
        "items_before": float(CALIBRATION.items - before.items),
    }


def _snapshot_numbers(index: int) -> list[Published]:
    """Return what the model says of one line of `show work-queues`."""
    row = f"snapshot-{index + 1}-clear-route-node"
    settings = _snapshot_settings(index)
    before, after = INTERVALS[index]
    grew = after.granularity > before.granularity
    status, remark = ("predicted", "") if grew else ("identity", _NO_GROWTH)
    columns = (
        ("runs", "Runs", "calibrated", "runs", ""),
        ("best", "Best", status, "best", remark),
        ("granularity", "Gran.", "calibrated", "granularity", ""),
        ("mean-cycles", "Avg.", "identity", "mean_cycles", ""),
    )
    return [
        Published(
            _queues[f"{row}-{column}"],
            f"{name}, snapshot {index + 1}",
            status,
            output,
            settings,
            remark=remark,
        )
        for column, name, status, output, remark in columns
    ]


def _unexplained(record, label, remark):
    return Published(record, label, "unexplained", remark=remark)


def _prose_number(row_id, label, status, output, settings, factor=1.0, remark=""):
    return Published(_prose[row_id], label, status, output, settings, factor, remark)


CASE = Case(
    name="quagga",
    chapter=6,
    title="Work in slices",
    document="Jakma, Peer pressure, May 2005",
    predictor="tunables.predictors.quagga",
    parameters=PARAMETERS,
    outputs=(
        Output("slice_s", "Mean slice", "s", 4),
        Output("lateness_s", "Mean lateness of a timer", "s", 4),
        Output("drain_s", "Time to drain all queues", "s", 1),
        Output("blocked_s", "One queue in one piece", "s", 1),
        Output("blocked_lateness_s", "Mean lateness in that piece", "s", 1),
        Output("granularity", "Granularity at the end, likeliest", "items", 0),
        Output("limiting_granularity", "Limiting granularity, constant cost", "items", 0),
        Output("best", "Best: the longest run, at least", "items", 0),
        Output("runs", "Runs", "runs", 1),
        Output("mean_cycles", "Avg.: items a run, rounded down", "items", 0),
        Output("memory_mib", "Memory of one queue's items", "MiB", 2),
    ),
    numbers=(
        _unexplained(
            _cpu["table-1-work-queue-run-mean-cpu"],
            "Mean CPU time of a slice, before",
            "the main queue alone: no cost of its items was fitted",
        ),
        *(number for index in range(len(SNAPSHOTS)) for number in _snapshot_numbers(index)),
        _unexplained(
            _cpu["table-2-work-queue-run-mean-wall"],
            "Mean wall time of a slice, after",
            _TWO_QUEUES,
        ),
        _unexplained(
            _cpu["table-2-work-queue-run-longest-wall"],
            "Longest slice, wall time",
            "no run took more than 112 ms of CPU: for the rest the process did not run",
        ),
        _unexplained(
            _prose["longest-thread"],
            "Longest thread, bgp_scan_timer",
            "a task that is not sliced",
        ),
        _prose_number(
            "blocked-before-lowest",
            "Blocked before, lowest",
            "predicted",
            "blocked_s",
            _ONE_SESSION,
            remark="for one session, in wall time; an estimate, not a measurement",
        ),
        _prose_number(
            "blocked-before-highest",
            "Blocked before, highest",
            "predicted",
            "blocked_s",
            _ONE_SESSION,
            remark="for one session, in wall time; an estimate, not a measurement",
        ),
        _prose_number("slice", "A slice", "predicted", "slice_s", _WHOLE_DRAIN, 1e-3),
        _unexplained(
            _prose["blocked-now"],
            "Blocked now, bgp_event",
            "a task that is not sliced; it stands in the first table too, before the clears",
        ),
        _prose_number(
            "queue-memory-first",
            "Memory of the queue, first",
            "identity",
            "memory_mib",
            _QUEUED | {"entry_bytes": float(ITEM_BYTES)},
            remark="counts the items and forgets the list that holds them; MB is 2^20 bytes",
        ),
        _prose_number(
            "queue-memory-corrected",
            "Memory of the queue, corrected",
            "identity",
            "memory_mib",
            _QUEUED | {"entry_bytes": float(ITEM_BYTES + LIST_NODE_BYTES)},
            remark="items and list nodes",
        ),
    ),
    views=(
        View("item_cost_s", "slice_s", "Mean slice against the cost of an item", 41),
        View("item_cost_s", "granularity", "Granularity against the cost of an item", 41),
    ),
    predict=predict,
    simulate=simulate,
)
