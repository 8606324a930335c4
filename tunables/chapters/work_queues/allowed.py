"""What the post's digits allow of chapter 6's model: how many items there were, and their costs."""

from functools import cache

from tunables.chapters.work_queues.calibration import calibrate, intervals, item_bounds
from tunables.chapters.work_queues.case import case
from tunables.chapters.work_queues.clear_queue import calibrated
from tunables.parts.allowed import Allowed
from tunables.plain.adding import added

FREE = ("items", "cost_shape")
PREDICTED = ("blocked-before-lowest", "blocked-before-highest", "slice")
_HALF_A_TENTH = 0.05  # the shape is fitted to a tenth


@cache
def allowed() -> Allowed:
    """Return the queues that would have printed every counter that was printed."""
    queue = calibrated()
    least, most = item_bounds(queue.snapshots)
    numbers = case().by_row

    @cache
    def of_queue(items: int, shape: float) -> dict[str, float]:
        costs_s = calibrate(queue.snapshots, shape, items).mean_costs_s
        pairs = zip(intervals(queue.snapshots, items), costs_s, strict=True)
        clearing_s = added((a.items - b.items) * cost_s for (a, b), cost_s in pairs)
        free = {"items": items, "cost_shape": shape, "item_cost_s": clearing_s / items}
        return {row: case().answer(numbers[row], **free) for row in PREDICTED}

    def answers(values) -> dict[str, float]:
        items, shape = min(most, max(least, round(values[0]))), float(values[1])
        return of_queue(items, shape) | {"items": values[0], "cost_shape": shape}

    shape = queue.shape
    return Allowed(
        case="quagga",
        names=FREE,
        start=(float(queue.calibration.items), shape),
        bounds={
            "items": (least, most),
            "cost_shape": (shape - _HALF_A_TENTH, shape + _HALF_A_TENTH),
        },
        answers=answers,
        means="Any number of items that the printed averages allow; in each interval the mean "
        "cost that gives the printed runs and granularity; a shape that rounds to "
        f"{shape:g}. The counters themselves are exact.",
        asked=PREDICTED,
    )
