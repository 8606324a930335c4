"""Chapter 5: the resource report of one apply process, and what more of them would give."""

from tunables.cases.case import Case, Output, Parameter, Published, View
from tunables.evidence.published import published
from tunables.predictors.wlcg_session import predict
from tunables.simulators.cyclic_queues import simulate_cyclic_queues
from tunables.simulators.interval import confidence_interval

RUNS = 8
COMPLETIONS = 50_000

DATA = published("wlcg-session")
USER_IO_S, CPU_S, SYSTEM_IO_S, APPLY_S = (
    DATA[row].value
    for row in (
        "apply-server-user-io-wait",
        "apply-server-cpu",
        "apply-server-system-io-wait",
        "server-apply-time",
    )
)
UNACCOUNTED_S = APPLY_S - USER_IO_S - CPU_S - SYSTEM_IO_S
LCRS = DATA["server-lcrs-applied"].value * 1e6


def simulate(seed, *, replicats, lcrs, user_io_s, cpu_s, system_io_s, unaccounted_s):
    """Return time, throughput and utilisations as (mean, half-width), from a closed network."""
    demands = [busy_s / lcrs for busy_s in (user_io_s, cpu_s, system_io_s)]
    rates = [
        simulate_cyclic_queues(demands, int(replicats), unaccounted_s / lcrs, COMPLETIONS, run)
        for run in range(RUNS * seed, RUNS * (seed + 1))
    ]
    return {
        "apply_s": confidence_interval([lcrs / rate for rate in rates]),
        "throughput_lcr_s": confidence_interval(rates),
        "user_io_utilisation": confidence_interval([rate * demands[0] for rate in rates]),
        "cpu_utilisation": confidence_interval([rate * demands[1] for rate in rates]),
    }


def _time(name, label, default, row, origin="published", low=0.0):
    source = "Problem, which problem? " + row
    return Parameter(name, label, "s", default, origin, source, low, 20_000)


def _unexplained(row_id, label, remark):
    return Published(DATA[row_id], label, "unexplained", remark=remark)


CASE = Case(
    name="wlcg_session",
    chapter=5,
    title="I/O bound or CPU bound?",
    document="Lobato Pardavila, Network performance optimization at WLCG, 2016",
    predictor="tunables.predictors.wlcg_session",
    parameters=(
        Parameter(
            name="replicats",
            label="Apply processes (Replicats)",
            unit="1",
            default=1,
            origin="assumed",
            source="the report lists one apply server; it gives no number",
            low=1,
            high=32,
            whole=True,
        ),
        _time("user_io_s", "Waits for table I/O", USER_IO_S, "Apply Server", low=1),
        _time("cpu_s", "Uses the CPU", CPU_S, "Apply Server", low=1),
        _time("system_io_s", "Waits for other I/O", SYSTEM_IO_S, "Apply Server"),
        Parameter(
            name="unaccounted_s",
            label="Unaccounted",
            unit="s",
            default=UNACCOUNTED_S,
            origin="calibrated",
            source="what the three leave of the apply time",
            low=0,
            high=20_000,
        ),
        Parameter(
            name="lcrs",
            label="LCRs applied",
            unit="LCR",
            default=LCRS,
            origin="published",
            source="GoldenGate Apply Server: 18.9M",
            low=1e6,
            high=1e8,
            scale="log",
        ),
    ),
    outputs=(
        Output("apply_s", "Apply time", "s", 2),
        Output("throughput_lcr_s", "Throughput", "LCR/s", 0),
        Output("user_io_utilisation", "Utilisation of the table disks", "1", 3),
        Output("cpu_utilisation", "Utilisation of the CPU", "1", 3),
        Output("user_io_bound_lcr_s", "Bound by the table disks", "LCR/s", 0),
        Output("cpu_bound_lcr_s", "Bound by the CPU", "LCR/s", 0),
    ),
    numbers=(
        Published(
            DATA["server-apply-time"],
            "Apply time of one process",
            "calibrated",
            "apply_s",
            {"replicats": 1},
        ),
        _unexplained(
            "reader-lag",
            "Lag of the reader (s)",
            "10.59 days; the history of the source that made it is not in the slides",
        ),
        _unexplained(
            "server-lcrs-retrieved", "LCRs retrieved", "0, beside 18.9 million that were applied"
        ),
        _unexplained(
            "server-txns-retrieved", "Transactions retrieved", "0, beside 265,400 applied"
        ),
    ),
    views=(
        View("replicats", "apply_s", "Apply time against the number of Replicats", 32),
        View("user_io_s", "apply_s", "Apply time against the wait for table I/O", 61),
    ),
    predict=predict,
    simulate=simulate,
)
