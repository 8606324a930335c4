"""Chapter 6: Quagga's work queues while two BGP sessions are cleared (Jakma, 2005)."""

from functools import cache

from tunables.base.portable import plain_sum
from tunables.chapters.work_queues import CASES
from tunables.chapters.work_queues.calibration import (
    QUANTUM_S,
    calibrate,
    clear_queue,
    intervals,
    item_bounds,
    rule,
)
from tunables.chapters.work_queues.predictor import predict
from tunables.chapters.work_queues.simulation import MAP_ITEMS, MAP_RUNS, RUNS, run, run_of_map
from tunables.core.allowed import Allowed
from tunables.core.case import Baseline, Calibration, Case, Choice, Published, Simulation
from tunables.core.model import Output, Parameter, View
from tunables.core.validity import MapAxis, ValidityMap
from tunables.evidence.published import Record, published
from tunables.theory.slicing import GROWTH_RULES, RULE_NAMES

# Sizes of the daemon's C structures on a 32-bit processor.
ITEM_BYTES = 8  # struct work_queue_item: a pointer and a counter
LIST_NODE_BYTES = 12  # struct listnode: three pointers
_TWO_QUEUES = "a mean over two queues, but the model has only one of them"
_BLOCKED = (
    "the model's number is the wall time of the clear queue for both sessions; before the change, "
    "the same task also chose and announced each route, so it took at least as long. The author's "
    "number is a guess"
)
FREE = ("items", "cost_shape")
PREDICTED_ROWS = ("slice",)
_HALF_A_TENTH = 0.05  # the shape is fitted to a tenth


def parameters() -> tuple[Parameter, ...]:
    """Return the parameters of the case; the defaults of calibrated ones are fitted to the data."""
    queue = clear_queue()
    return (
        Parameter(
            name="rule",
            label="Growth rule",
            unit="",
            default=rule(),
            origin="calibrated",
            source="the only rule that gives every printed granularity (committed 25 April 2005)",
            choices=tuple(GROWTH_RULES),
            choice_texts=tuple(RULE_NAMES[rule] for rule in GROWTH_RULES),
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
            source="fitted to the runs up to each of five printouts; this is the mean of all items",
            low=1e-6,
            high=0.1,
            scale="log",
        ),
        Parameter(
            name="cost_shape",
            label="Shape of the gamma distribution of costs",
            unit="1",
            default=queue.shape,
            origin="calibrated",
            source="makes the five printed granularities most likely",
            low=0.2,
            high=50,
            scale="log",
        ),
        Parameter(
            name="items",
            label="Items in each queue",
            unit="items",
            default=float(queue.fit.items),
            origin="calibrated",
            source="the middle of the range that the Avg. column allows",
            low=1,
            high=2_000_000,
            scale="log",
            integer=True,
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
            integer=True,
        ),
        Parameter(
            name="granularity",
            label="Granularity at the start",
            unit="items",
            default=1.0,
            origin="published",
            source="a queue that has never run shows 1",
            low=1,
            high=10_000,
            scale="log",
            integer=True,
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
            integer=True,
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
            integer=True,
        ),
        Parameter(
            name="entry_bytes",
            label="Memory per queued item",
            unit="B",
            default=float(ITEM_BYTES + LIST_NODE_BYTES),
            origin="assumed",
            source="the daemon's C structures on x86: item 8 B, list node 12 B",
            low=4,
            high=128,
            integer=True,
        ),
    )


@cache
def published_numbers() -> dict[str, Record]:
    """Return the numbers of the tables and of the text by row id."""
    tables = ("quagga-work-queues", "quagga-thread-cpu", "quagga-prose")
    return {row_id: each for table in tables for row_id, each in published(table).items()}


def snapshot_rows(*columns: str) -> tuple[str, ...]:
    """Return the row ids of these columns of the snapshots."""
    count = len(clear_queue().snapshots)
    return tuple(f"snapshot-{n + 1}-clear-route-node-{c}" for c in columns for n in range(count))


def fitted_rows() -> tuple[str, ...]:
    """Return the row ids of all numbers to which items and costs were fitted."""
    return snapshot_rows("runs", "granularity", "mean-cycles")


def _snapshot_settings(index: int) -> dict[str, float | str]:
    """Return the settings that lead from one snapshot's counters to the next one's."""
    queue = clear_queue()
    before, after = queue.intervals[index]
    return {
        "items": float(before.items - after.items),
        "item_cost_s": queue.fit.mean_costs_s[index],
        "granularity": float(before.granularity),
        "runs_before": float(before.runs),
        "items_before": float(queue.fit.items - before.items),
    }


def _snapshot_numbers(index: int) -> list[Published]:
    """Return the numbers of one line of `show work-queues`, with the model's output for each."""
    row = f"snapshot-{index + 1}-clear-route-node"
    settings = _snapshot_settings(index)
    columns = (
        ("runs", "Runs", "calibrated", "runs", ""),
        ("granularity", "Gran.", "calibrated", "granularity", ""),
        ("mean-cycles", "Avg.", "identity", "mean_cycles", "items divided by runs"),
    )
    found = [
        Published(
            published_numbers()[f"{row}-{column}"],
            f"{name}, printout {index + 1}",
            status,
            output,
            settings,
            remark=remark,
            rests_on=fitted_rows(),
        )
        for column, name, status, output, remark in columns
    ]
    return [found[0], _best(index, row), *found[1:]]


def _best(index: int, row: str) -> Published:
    """Return Best with the rule's bound: the least run that leads to the printed granularity.

    The settings are those of the printed queue, with items for one more run.
    """
    queue = clear_queue()
    printed = queue.snapshots[index]
    as_printed = {
        "granularity": float(printed.granularity),
        "runs_before": float(printed.runs),
        "items_before": float(queue.fit.items - printed.items),
        "items": float(printed.cycles_per_run),
    }
    return Published(
        published_numbers()[f"{row}-best"],
        f"Best, printout {index + 1}",
        "bound",
        "best",
        as_printed,
        side="at least",
        remark="3 (Gran. - 2), according to the rule; a longer run is possible, but rare",
        rests_on=fitted_rows(),
    )


def _unexplained(row_id, label, remark):
    return Published(published_numbers()[row_id], label, "unexplained", remark=remark)


def _prose_number(row_id, label, status, output, settings=None, factor=1.0, remark="", side=""):
    record = published_numbers()[row_id]
    return Published(record, label, status, output, settings or {}, factor, remark, side=side)


def numbers() -> tuple[Published, ...]:
    """Return the published numbers, in the document's order."""
    queue = clear_queue()
    queued = {"items": float(queue.snapshots[0].items)}
    return (
        _unexplained(
            "table-1-work-queue-run-mean-cpu",
            "Mean CPU time of a slice, before the clears",
            "this is about the main queue alone, and we fitted no cost to its items",
        ),
        *(number for index in range(len(queue.snapshots)) for number in _snapshot_numbers(index)),
        _unexplained(
            "table-2-work-queue-run-mean-wall",
            "Mean wall time of a slice, after the clears",
            _TWO_QUEUES,
        ),
        _unexplained(
            "table-2-work-queue-run-longest-wall",
            "Longest slice, wall time",
            "no run took more than 112 ms of CPU time: for the rest of the slice, the process did "
            "not run",
        ),
        _unexplained(
            "longest-thread",
            "Longest thread, bgp_scan_timer",
            "a task that is not sliced",
        ),
        _prose_number(
            "blocked-before-lowest",
            "Blocking time before slicing, low guess",
            "bound",
            "blocked_s",
            remark=_BLOCKED,
            side="at least",
        ),
        _prose_number(
            "blocked-before-highest",
            "Blocking time before slicing, high guess",
            "bound",
            "blocked_s",
            remark=_BLOCKED,
            side="at least",
        ),
        _prose_number("slice", "Length of a slice", "predicted", "slice_s", factor=1e-3),
        _unexplained(
            "blocked-now",
            "Blocking time now, bgp_event",
            "a task that is not sliced; it is in the first table too, before the clears",
        ),
        _prose_number(
            "queue-memory-first",
            "Queue memory, first figure",
            "identity",
            "memory_mib",
            queued | {"entry_bytes": float(ITEM_BYTES)},
            remark="counts the items but not the list that holds them; MB is 2^20 bytes",
        ),
        _prose_number(
            "queue-memory-corrected",
            "Queue memory, corrected figure",
            "identity",
            "memory_mib",
            queued | {"entry_bytes": float(ITEM_BYTES + LIST_NODE_BYTES)},
            remark="counts the items and the list that holds them",
        ),
    )


def _baseline() -> Baseline:
    """Return the rival with one number: equally many items in each run, a look after each item."""
    queue = clear_queue()
    items, runs = queue.fit.items, queue.snapshots[-1].runs
    items_per_run = items / runs
    taken = [items - snapshot.items for snapshot in queue.snapshots]
    in_one_piece = ("blocked-before-lowest", "blocked-before-highest")
    return Baseline(
        f"{items_per_run:.0f} items in each run, a clock check after each item, and a slice "
        "of one quantum",
        dict(zip(snapshot_rows("runs"), (each / items_per_run for each in taken), strict=True))
        | dict.fromkeys(in_one_piece, runs * QUANTUM_S)
        | {"slice": QUANTUM_S},
        rows=snapshot_rows("runs")[-1:],
        earns="The baseline is closer to this number, because the post rounds the length of a "
        "slice to one quantum. But the baseline says nothing about the granularity, which the "
        "model is meant for and was fitted to.",
    )


@cache
def case() -> Case:
    """Return the case of the document's numbers."""
    title, document = CASES["quagga"]
    return Case(
        name="quagga",
        chapter="work_queues",
        title=title,
        document=document,
        parameters=parameters(),
        outputs=(
            Output("slice_s", "Mean slice", "s", 4),
            Output("lateness_s", "Mean lateness of a timer when work runs in slices", "s", 4),
            Output("drain_s", "Time to drain all queues", "s", 1),
            Output("blocked_s", "Time to drain one queue in one piece", "s", 1),
            Output(
                "blocked_lateness_s",
                "Mean lateness of a timer when work runs in one piece",
                "s",
                1,
            ),
            Output("granularity", "Most likely granularity at the end", "items", 0),
            Output(
                "limiting_granularity", "Largest granularity if all items cost the same", "items", 0
            ),
            Output("best", "Best: lower bound on the longest run", "items", 0),
            Output("runs", "Runs", "runs", 1),
            Output("mean_cycles", "Avg.: items per run, rounded down", "items", 0),
            Output("memory_mib", "Memory of one queue's items", "MiB", 2),
        ),
        numbers=numbers(),
        main_outputs=("slice_s", "lateness_s", "granularity"),
        main_parameters=("rule", "items", "item_cost_s"),
        views=(
            View("item_cost_s", "slice_s", "Mean slice against the cost of an item", 41),
            View("item_cost_s", "granularity", "Granularity against the cost of an item", 41),
        ),
        predict=predict,
        simulation=Simulation(run, RUNS),
        fits=(
            Calibration(("rule",), snapshot_rows("granularity")),
            Calibration(("cost_shape",), fitted_rows()),
            Calibration(("items",), snapshot_rows("runs", "mean-cycles")),
            Calibration(
                ("item_cost_s",),
                fitted_rows(),
                inner=tuple(
                    f"mean cost up to printout {n + 1}" for n in range(len(clear_queue().snapshots))
                ),
            ),
        ),
        choices=(
            Choice(
                "costs drawn from a gamma distribution, after an attempt with equal costs failed",
                snapshot_rows("runs", "granularity"),
                ("cost_shape",),
            ),
        ),
        baseline=_baseline(),
    )


@cache
def allowed() -> Allowed:
    """Return the queues that would have printed exactly the published counters."""
    queue = clear_queue()
    least, most = item_bounds(queue.snapshots)
    numbers = case().by_row

    @cache
    def answers_for(items: int, shape: float) -> dict[str, float]:
        costs_s = calibrate(queue.snapshots, shape, items).mean_costs_s
        pairs = zip(intervals(queue.snapshots, items), costs_s, strict=True)
        clearing_s = plain_sum((a.items - b.items) * cost_s for (a, b), cost_s in pairs)
        free = {"items": items, "cost_shape": shape, "item_cost_s": clearing_s / items}
        return {row: case().answer(numbers[row], **free) for row in PREDICTED_ROWS}

    def answers(values) -> dict[str, float]:
        items, shape = min(most, max(least, round(values[0]))), float(values[1])
        return answers_for(items, shape) | {"items": values[0], "cost_shape": shape}

    shape = queue.shape
    return Allowed(
        case="quagga",
        names=FREE,
        start=(float(queue.fit.items), shape),
        bounds={
            "items": (least, most),
            "cost_shape": (shape - _HALF_A_TENTH, shape + _HALF_A_TENTH),
        },
        answers=answers,
        means="The counters themselves are exact. Three things can vary: the number of items, "
        "which must fit the printed averages; the mean cost in each interval, which must give the "
        f"printed runs and granularity; and the shape, which must round to {shape:g}.",
        asked=PREDICTED_ROWS,
    )


@cache
def validity() -> ValidityMap:
    """Return the map of an item's cost and its drift: the closed form assumes no drift."""
    return ValidityMap(
        case=case(),
        title="Lateness of a timer when the queue's items become more expensive",
        x=MapAxis(
            "item_cost_s",
            "Mean cost of an item",
            "the cost of an item",
            "s",
            (1e-5, 5e-5, 1e-4, 2e-4, 3e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01),
        ),
        y=MapAxis(
            "drift",
            "Cost in the second half relative to the first",
            "the ratio",
            "1",
            (0.03, 0.1, 0.3, 1, 2, 3, 5, 10, 30, 100),
            assumed=1,
        ),
        output="lateness_s",
        settings={"items": float(MAP_ITEMS)},
        simulation=Simulation(run_of_map, MAP_RUNS),
        why="The formula assumes that cheap and expensive items are mixed, so a granularity that "
        "suits the items so far also suits those still to come. But a granularity never comes "
        "down. If cheap items go first, they set it, and the expensive ones that follow are taken "
        "in slices many times as long as the quantum. If expensive items go first, they do less "
        "harm.",
    )
