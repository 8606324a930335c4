"""Chapter 5: the resource report of an apply process, and what more of them would give."""

from functools import cache

from tunables.chapters.replication import CASES
from tunables.chapters.replication.session_parameters import parameters
from tunables.chapters.replication.session_predictor import predict
from tunables.chapters.replication.session_report import data, report
from tunables.chapters.replication.session_simulation import RUNS, run
from tunables.parts.case import Case, Published
from tunables.parts.model import Output, View
from tunables.parts.origin import Baseline, Fit
from tunables.parts.replication import Simulation


def _unexplained(row_id, label, remark):
    return Published(data()[row_id], label, "unexplained", remark=remark)


@cache
def case() -> Case:
    """Return all that is known of the report of the sessions."""
    title, document = CASES["wlcg_session"]
    return Case(
        name="wlcg_session",
        chapter="replication",
        title=title,
        document=document,
        parameters=parameters(),
        outputs=(
            Output("apply_s", "Apply time", "s", 2),
            Output("throughput_lcr_s", "Throughput", "LCR/s", 0),
            Output("user_io_utilisation", "Utilisation of the table disks (X D)", "1", 3),
            Output("cpu_utilisation", "Utilisation of the CPU", "1", 3),
            Output("user_io_bound_lcr_s", "Bound by the table disks", "LCR/s", 0),
            Output("cpu_bound_lcr_s", "Bound by the CPU", "LCR/s", 0),
            Output("upstream_bound_lcr_s", "Bound by receiver and reader", "LCR/s", 0),
        ),
        numbers=(
            Published(
                data()["server-apply-time"],
                "Apply time",
                "calibrated",
                "apply_s",
                {"replicats": 1},
            ),
            _unexplained(
                "reader-lag",
                "Lag of the reader (s)",
                "10.59 days; the apply process was (re)started between the snapshots, says the *",
            ),
            _unexplained(
                "server-lcrs-retrieved",
                "LCRs retrieved",
                "0, beside 18.9 million that were applied",
            ),
            _unexplained(
                "server-txns-retrieved", "Transactions retrieved", "0, beside 265,400 applied"
            ),
        ),
        main_outputs=("apply_s", "throughput_lcr_s", "user_io_utilisation"),
        main_parameters=("replicats", "io", "user_io_s"),
        views=(
            View("replicats", "apply_s", "Apply time against the number of Replicats", 32),
            View("user_io_s", "apply_s", "Apply time against the wait for table I/O", 61),
        ),
        predict=predict,
        simulation=Simulation(run, RUNS),
        fits=(Fit(("unaccounted_s",), ("server-apply-time",)),),
        baseline=Baseline(
            "n Replicats apply n times as fast as one",
            {"server-apply-time": report().apply_s},
            rows=("server-apply-time",),
            earns="For one process both say what was put in. They part from two on, and nobody has "
            "published a number there: the report tests neither.",
        ),
    )
