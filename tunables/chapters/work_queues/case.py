"""Chapter 6: Quagga's work queues while two BGP sessions are cleared (Jakma, 2005)."""

from functools import cache

from tunables.chapters.work_queues import CASES
from tunables.chapters.work_queues.calibration import QUANTUM_S
from tunables.chapters.work_queues.clear_queue import calibrated
from tunables.chapters.work_queues.parameters import parameters
from tunables.chapters.work_queues.predictor import predict
from tunables.chapters.work_queues.printed import fitted_to, numbers, rows
from tunables.chapters.work_queues.simulation import RUNS, run
from tunables.parts.case import Case
from tunables.parts.model import Output, View
from tunables.parts.origin import Baseline, Choice, Fit
from tunables.parts.replication import Simulation


def _baseline() -> Baseline:
    """Return the rival that needs one number: as many items in each run, and a look after each."""
    queue = calibrated()
    items, runs = queue.calibration.items, queue.snapshots[-1].runs
    a_run = items / runs
    taken = [items - snapshot.items for snapshot in queue.snapshots]
    in_one_piece = ("blocked-before-lowest", "blocked-before-highest")
    return Baseline(
        f"{a_run:.0f} items in each run, a look at the clock after each, a slice of one quantum",
        dict(zip(rows("runs"), (each / a_run for each in taken), strict=True))
        | dict.fromkeys(in_one_piece, runs * QUANTUM_S)
        | {"slice": QUANTUM_S},
        rows=rows("runs")[-1:],
        earns="It stands nearer to these, which are round words of the text. It says nothing of "
        "the granularity, and that is what the model is for, and what it was fitted to.",
    )


@cache
def case() -> Case:
    """Return all that is known of the document's numbers."""
    title, document = CASES["quagga"]
    return Case(
        name="quagga",
        chapter="work_queues",
        title=title,
        document=document,
        parameters=parameters(),
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
            Fit(("rule",), rows("granularity")),
            Fit(("cost_shape",), fitted_to()),
            Fit(("items",), rows("runs", "mean-cycles")),
            Fit(
                ("item_cost_s",),
                fitted_to(),
                inner=tuple(
                    f"mean cost up to print {n + 1}" for n in range(len(calibrated().snapshots))
                ),
            ),
        ),
        choices=(
            Choice(
                "costs drawn from a gamma distribution, after one cost for all items had failed",
                rows("runs", "granularity"),
                ("cost_shape",),
            ),
        ),
        baseline=_baseline(),
    )
