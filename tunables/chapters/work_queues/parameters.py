"""Chapter 6's parameters: what each is, and how its default is known."""

from tunables.chapters.work_queues.calibration import QUANTUM_S, rule
from tunables.chapters.work_queues.clear_queue import calibrated
from tunables.parts.model import Parameter
from tunables.theory.slicing import GROWTH_RULES

# sizes of the daemon's C structures on a 32-bit processor
ITEM_BYTES = 8  # struct work_queue_item: a pointer and a counter
LIST_NODE_BYTES = 12  # struct listnode: three pointers


def parameters() -> tuple[Parameter, ...]:
    """Return the parameters of the case; the calibrated ones at what the data give."""
    queue = calibrated()
    return (
        Parameter(
            name="rule",
            label="Growth rule",
            unit="",
            default=rule(),
            origin="calibrated",
            source="the only one that makes every printed granularity (committed 25 April 2005)",
            choices=tuple(GROWTH_RULES),
        ),
        Parameter(
            name="quantum_s",
            label="Quantum",
            unit="s",
            default=QUANTUM_S,
            origin="published",
            source="THREAD_YIELD_TIME_SLOT in the daemon's lib/thread.h",
            low=0.001,
            high=0.1,
            scale="log",
        ),
        Parameter(
            name="item_cost_s",
            label="Mean cost of an item",
            unit="s",
            default=queue.mean_cost_s,
            origin="calibrated",
            source="fitted to the runs of five snapshots; here their mean",
            low=1e-6,
            high=0.1,
            scale="log",
        ),
        Parameter(
            name="cost_shape",
            label="Shape of the costs (gamma)",
            unit="1",
            default=queue.shape,
            origin="calibrated",
            source="makes the five printed granularities likeliest",
            low=0.2,
            high=50,
            scale="log",
        ),
        Parameter(
            name="items",
            label="Items in each queue",
            unit="items",
            default=float(queue.calibration.items),
            origin="calibrated",
            source="the middle of what the Avg. column allows",
            low=1,
            high=2_000_000,
            scale="log",
            whole=True,
        ),
        Parameter(
            name="queues",
            label="Queues in the loop",
            unit="queues",
            default=1.0,
            origin="assumed",
            source="the clear queue alone",
            low=1,
            high=10,
            whole=True,
        ),
        Parameter(
            name="granularity",
            label="Granularity at the start",
            unit="items",
            default=1.0,
            origin="published",
            source="a queue that never ran shows 1",
            low=1,
            high=10_000,
            scale="log",
            whole=True,
        ),
        Parameter(
            name="runs_before",
            label="Runs so far",
            unit="runs",
            default=0.0,
            origin="assumed",
            source="the queue was new",
            low=0,
            high=10_000,
            whole=True,
        ),
        Parameter(
            name="items_before",
            label="Items taken so far",
            unit="items",
            default=0.0,
            origin="assumed",
            source="the queue was new",
            low=0,
            high=500_000,
            whole=True,
        ),
        Parameter(
            name="entry_bytes",
            label="Memory of a queued item",
            unit="B",
            default=float(ITEM_BYTES + LIST_NODE_BYTES),
            origin="assumed",
            source="the daemon's C structures on x86: item 8, list node 12",
            low=4,
            high=128,
            whole=True,
        ),
    )
