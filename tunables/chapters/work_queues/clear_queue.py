"""Chapter 6: the clear queue, whose counters the daemon printed five times, and its costs."""

from functools import cache
from typing import NamedTuple

from tunables.chapters.work_queues.calibration import (
    Calibration,
    Snapshot,
    calibrate,
    calibrate_shape,
    intervals,
    read_snapshots,
)
from tunables.evidence.published import published
from tunables.plain.adding import added


class ClearQueue(NamedTuple):
    """The printed snapshots, and the gamma costs (s) that they were calibrated to."""

    snapshots: list[Snapshot]
    shape: float
    calibration: Calibration

    @property
    def intervals(self) -> list[tuple[Snapshot, Snapshot]]:
        """Each snapshot with the one before it; the first is that of the full queue."""
        return intervals(self.snapshots, self.calibration.items)

    @property
    def clearing_s(self) -> float:
        """CPU time that all items take."""
        costs_s = self.calibration.mean_costs_s
        pairs = zip(self.intervals, costs_s, strict=True)
        return added((a.items - b.items) * cost_s for (a, b), cost_s in pairs)

    @property
    def mean_cost_s(self) -> float:
        """Mean cost of an item, over all of them."""
        return self.clearing_s / self.calibration.items


@cache
def calibrated() -> ClearQueue:
    """Return the clear queue of the document; the calibration takes about a second."""
    snapshots = read_snapshots(published("quagga-work-queues"), "clear-route-node")
    shape = calibrate_shape(snapshots)
    return ClearQueue(snapshots, shape, calibrate(snapshots, shape))
