"""Chapter 5: eight runs of a database replication over the WAN, and a report of its sessions.

Both cases are from Lobato Pardavila, 2016: `case` is that of the two tables of results,
`session_case` that of the apply process, and of what more of them would give.
"""

import math
from functools import cache

from tunables.chapters.replication import CASES
from tunables.chapters.replication.calibration import (
    LCRS_ROWS,
    TABLES,
    fitted_parameters,
    session_data,
    session_report,
    table_data,
    times,
)
from tunables.chapters.replication.predictor import (
    ASSUMED_RTT_S,
    COMPRESS,
    FAR_SITES,
    IO_WAITS,
    LAWS,
    SITES,
    predict,
    predict_session,
)
from tunables.chapters.replication.simulation import (
    MAP_RUNS,
    SESSION_RUNS,
    run,
    run_of_map,
    run_session,
)
from tunables.core.allowed import Allowed, digits_interval
from tunables.core.case import Baseline, Calibration, Case, Choice, Published, Simulation
from tunables.core.model import Output, Parameter, View
from tunables.core.validity import MapAxis, ValidityMap

_ONE_RATIO = "BNL and TRIUMF share one compression ratio, which can't match both times"
_STATUSES = {
    "plain-bnl": ("calibrated", "the loss rate is fitted to this time"),
    "plain-triumf": (
        "consistent",
        "the law, the round trips and the bytes per LCR were chosen after seeing this time",
    ),
    "plain-ral": ("calibrated", "the rate of the pump is fitted to this time"),
    "plain-in2p3": (
        "consistent",
        "the pump was added to the model because RAL and IN2P3 take the same time",
    ),
    "compress-bnl": ("calibrated", _ONE_RATIO),
    "compress-triumf": ("calibrated", _ONE_RATIO),
    "compress-ral": ("calibrated", "the rate of the source is fitted to this time"),
    "compress-in2p3": (
        "consistent",
        "a shared stage was added to the model because three sites take the same time",
    ),
}
_CUT_OFF = "printed as 9.8: truncated, not rounded"
_COLUMNS = {"time": "time", "lcr-rate": "LCR/s", "txns": "txns"}

FREE = ("loss", "compression_ratio", "pump_lcr_s", "source_lcr_s")
FITTED_ROWS = ("plain-bnl-time", "plain-ral-time", "compress-ral-time")
MEAN = "BNL and TRIUMF, COMPRESS"  # the geometric mean of both times
PREDICTED_ROWS = ("plain-triumf-time", "plain-in2p3-time", "compress-in2p3-time")


def _fitted_parameter(
    name, label, unit, source, low, high, scale="log", origin="calibrated", integer=False
):
    """Return a parameter whose default is that of `fitted_parameters`."""
    return Parameter(
        name, label, unit, fitted_parameters()[name], origin, source, low, high, scale, integer
    )


def parameters() -> tuple[Parameter, ...]:
    """Return the parameters of `case`; the defaults of calibrated ones are fitted to the data."""
    return (
        Parameter(
            name="law",
            label="Throughput law of the network",
            unit="",
            default="cubic",
            origin="assumed",
            source="needs only one constant for both far sites, but a separate window for each "
            "path fits them just as well",
            choices=LAWS,
            choice_texts=("one window", "Reno", "CUBIC", "stop and wait"),
        ),
        Parameter(
            name="compress",
            label="COMPRESS",
            unit="",
            default="off",
            origin="published",
            source="Results: one table with COMPRESS and one without",
            choices=COMPRESS,
        ),
        Parameter(
            name="rtt_s",
            label="Round-trip time",
            unit="s",
            default=ASSUMED_RTT_S["TRIUMF"],
            origin="assumed",
            source="not in the slides; longer than light takes in fibre, and chosen after seeing "
            "TRIUMF's time",
            low=0.001,
            high=0.25,
        ),
        _fitted_parameter(
            "loss",
            "Loss rate (Reno, CUBIC)",
            "1",
            "fitted to BNL's time without COMPRESS, using CUBIC",
            1e-7,
            0.05,
        ),
        _fitted_parameter(
            "window_bytes",
            "Window (one window)",
            "B",
            "fitted to BNL's time without COMPRESS, using W/RTT",
            5_000,
            20_000_000,
        ),
        _fitted_parameter(
            "round_trips",
            "Round trips spent waiting (stop and wait)",
            "1",
            "fitted to BNL's and RAL's times without COMPRESS, using T0 + n RTT",
            0,
            200_000,
            "linear",
        ),
        _fitted_parameter(
            "compression_ratio",
            "Compression ratio",
            "1",
            "one ratio for both sites, fitted to BNL's and TRIUMF's times with COMPRESS",
            1,
            20,
        ),
        _fitted_parameter(
            "pump_lcr_s",
            "Pump rate (without COMPRESS)",
            "LCR/s",
            "fitted to RAL's time without COMPRESS",
            1_000,
            100_000,
        ),
        _fitted_parameter(
            "source_lcr_s",
            "Source rate (with compression)",
            "LCR/s",
            "fitted to RAL's time with COMPRESS",
            1_000,
            100_000,
        ),
        _fitted_parameter(
            "apply_lcr_s",
            "Apply rate",
            "LCR/s",
            "as fast as the source, because the tables do not show which of the two is the limit",
            1_000,
            100_000,
            origin="assumed",
        ),
        _fitted_parameter(
            "operations",
            "Operations",
            "1",
            "Results: 6000000",
            100_000,
            100_000_000,
            origin="published",
            integer=True,
        ),
        _fitted_parameter(
            "lcrs_per_operation",
            "LCRs per operation",
            "LCR",
            'fitted to RAL\'s time and "txns", then rounded; the other rows agree with that',
            1,
            10,
            "linear",
        ),
        _fitted_parameter(
            "lcr_bytes",
            "Bytes per LCR on the wire, without COMPRESS",
            "B",
            "between 335 and 509 B, the range in which CUBIC fits the times of BNL and RAL",
            100,
            2_000,
            origin="assumed",
        ),
        _fitted_parameter(
            "mss_bytes",
            "Segment size (MSS)",
            "B",
            "a segment of this size fills an Ethernet frame",
            536,
            8_960,
            origin="assumed",
        ),
        _fitted_parameter(
            "link_gbps",
            "Link rate",
            "Gbit/s",
            "fast enough never to be the limit",
            0.01,
            100,
            origin="assumed",
        ),
    )


def _number(cell, column, site, status, output, factor=1.0, remark="", rests_on=()):
    table = cell.split("-")[0]
    return Published(
        table_data()[f"{cell}-{column}"],
        f"{site}{', COMPRESS' if table == 'compress' else ''}: {_COLUMNS[column]}",
        status,
        output,
        {"rtt_s": ASSUMED_RTT_S[site], "compress": TABLES[table]},
        factor,
        remark,
        rests_on,
    )


def _time(table, site):
    cell = f"{table}-{site.lower()}"
    status, remark = _STATUSES[cell]
    return _number(cell, "time", site, status, "seconds", remark=remark)


def _rate(table, site, column):
    """Return the LCR rate or "txns" of a cell, which is 18 million over its time."""
    cell = f"{table}-{site.lower()}"
    status = "calibrated" if f"{cell}-{column}" in LCRS_ROWS else "identity"
    remark = _CUT_OFF if f"{cell}-{column}" == "compress-triumf-lcr-rate" else ""
    if status == "calibrated":
        remark = "LCRs per operation are fitted to this number"
    repeats = tuple(dict.fromkeys((f"{cell}-time", *LCRS_ROWS)))
    output = ("throughput_lcr_s", 1000)
    return _number(cell, column, site, status, *output, remark, repeats)


_CELLS = [(table, site) for table in TABLES for site in SITES]
_FAR, _NEAR = {"BNL": "BNL", "TRIUMF": "BNL"}, {"RAL": "RAL", "IN2P3": "RAL"}


def _neighbour_baseline():
    """Return the rival without a law: a far site takes what BNL takes, a near one what RAL does."""
    return Baseline(
        "a far site takes as long as BNL, a near one as long as RAL",
        {
            f"{table}-{site.lower()}-time": times(table)[like]
            for table in TABLES
            for site, like in (_FAR | _NEAR).items()
        },
        rows=tuple(f"{table}-{site}-time" for table in TABLES for site in ("bnl", "ral")),
        earns="The whole difference comes from TRIUMF's time without COMPRESS. But the law, the "
        "round trips and the bytes per LCR were chosen after seeing that number.",
    )


@cache
def case() -> Case:
    """Return the case of the two tables of results."""
    title, document = CASES["wlcg"]
    return Case(
        name="wlcg",
        chapter="replication",
        title=title,
        document=document,
        parameters=parameters(),
        outputs=(
            Output("seconds", "Time", "s", 0),
            Output("throughput_lcr_s", "Throughput", "LCR/s", 0),
            Output("source_rate_lcr_s", "Rate of the source", "LCR/s", 0),
            Output("pump_rate_lcr_s", "Rate of the pump", "LCR/s", 0),
            Output("network_rate_lcr_s", "Rate of the network", "LCR/s", 0),
            Output("apply_rate_lcr_s", "Rate of the apply stage", "LCR/s", 0),
        ),
        numbers=(
            *(_time(*cell) for cell in _CELLS),
            *(_rate(*cell, column) for cell in _CELLS for column in ("lcr-rate", "txns")),
        ),
        main_outputs=("seconds", "throughput_lcr_s", "network_rate_lcr_s"),
        main_parameters=("law", "compress", "rtt_s"),
        views=(View("rtt_s", "seconds", "Time against the round-trip time", 101),),
        predict=predict,
        simulation=Simulation(run),
        fits=(
            Calibration(("loss",), ("plain-bnl-time",)),
            Calibration(("window_bytes",), ("plain-bnl-time",), rival=True),
            Calibration(("round_trips",), ("plain-bnl-time", "plain-ral-time"), rival=True),
            Calibration(("pump_lcr_s",), ("plain-ral-time",)),
            Calibration(("source_lcr_s",), ("compress-ral-time",)),
            Calibration(("compression_ratio",), ("compress-bnl-time", "compress-triumf-time")),
            Calibration(("lcrs_per_operation",), LCRS_ROWS),
        ),
        choices=(
            Choice(
                "CUBIC, one of four laws, with round trips of 95 and 155 ms that are not published",
                ("plain-triumf-time",),
                ("law",),
            ),
            Choice(
                "400 B per LCR, for which CUBIC reproduces the times of BNL, TRIUMF and RAL",
                ("plain-bnl-time", "plain-triumf-time", "plain-ral-time"),
                ("lcr_bytes",),
            ),
            Choice(
                "a pump whose rate does not depend on distance",
                ("plain-ral-time", "plain-in2p3-time"),
                ("pump_lcr_s",),
            ),
            Choice(
                "with COMPRESS, a limit that three sites share",
                ("compress-bnl-time", "compress-ral-time", "compress-in2p3-time"),
                ("source_lcr_s", "apply_lcr_s"),
            ),
        ),
        baseline=_neighbour_baseline(),
    )


@cache
def allowed() -> Allowed:
    """Return the losses, ratios and rates that reproduce every time they were fitted to."""
    numbers = case().by_row
    plain, compressed = (
        [numbers[f"{table}-{site.lower()}-time"] for site in FAR_SITES] for table in TABLES
    )

    def answers(values) -> dict[str, float]:
        free = dict(zip(FREE, values, strict=True))
        free["apply_lcr_s"] = free["source_lcr_s"]
        found = {
            row: case().answer(numbers[row], **free) for row in (*FITTED_ROWS, *PREDICTED_ROWS)
        }
        plain_product = math.prod(case().answer(number, **free) for number in plain)
        return found | {MEAN: math.sqrt(plain_product) / free["compression_ratio"]}

    ends = zip(*map(digits_interval, compressed), strict=True)
    low, high = (math.sqrt(math.prod(each)) for each in ends)
    return Allowed(
        case="wlcg",
        names=FREE,
        start=tuple(float(case().settings()[name]) for name in FREE),
        bounds={row: digits_interval(numbers[row]) for row in FITTED_ROWS} | {MEAN: (low, high)},
        answers=answers,
        means="This uses CUBIC, 400 B per LCR and the assumed round trips. Source and apply share "
        "a rate, because the tables do not show which of them is the limit. One compression ratio "
        "cannot match both far sites, so it was fitted to the geometric mean of their times. Here, "
        "too, only that mean has to agree with the printed digits.",
        asked=PREDICTED_ROWS,
    )


@cache
def validity() -> ValidityMap:
    """Return the map of round trip and loss: CUBIC's law takes losses to be evenly spaced."""
    return ValidityMap(
        case=case(),
        title="How long a replication with CUBIC takes when losses are random",
        x=MapAxis(
            "rtt_s",
            "Round-trip time",
            "the round trip",
            "s",
            (0.001, 0.002, 0.005, 0.01, 0.02, 0.035, 0.05, 0.075, 0.1, 0.15, 0.2, 0.25),
        ),
        y=MapAxis(
            "loss",
            "Loss rate",
            "the loss rate",
            "1",
            (1e-6, 3e-6, 1e-5, 3e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.03),
        ),
        output="seconds",
        settings={"law": "cubic", "compress": "off"},
        simulation=Simulation(run_of_map, MAP_RUNS),
        why="CUBIC's formula averages the window between two evenly spaced losses. Random "
        "losses leave some long gaps, which matter more than short ones, because the window has "
        "time to grow large. Several losses in one round trip cost no more than one. So the "
        "formula's time is too long nearly everywhere that the network sets the pace. Where the "
        "pump sets the pace, the error doesn't show.",
    )


def _session_time(name, label, default, row, origin="published", low=0.0):
    source = "Problem, which problem? " + row
    return Parameter(name, label, "s", default, origin, source, low, 20_000)


def session_parameters() -> tuple[Parameter, ...]:
    """Return the parameters of `session_case`; unaccounted_s is what the report leaves."""
    report = session_report()
    return (
        Parameter(
            name="replicats",
            label="Apply processes (Replicats)",
            unit="1",
            default=1,
            origin="assumed",
            source="the report adds up each type's sessions, but doesn't say how many there are",
            low=1,
            high=32,
            integer=True,
        ),
        _session_time("user_io_s", "Wait for table I/O", report.user_io_s, "Apply Server", low=1),
        _session_time("cpu_s", "CPU time", report.cpu_s, "Apply Server", low=1),
        _session_time("system_io_s", "Wait for other I/O", report.system_io_s, "Apply Server"),
        Parameter(
            name="unaccounted_s",
            label="Unaccounted time",
            unit="s",
            default=report.unaccounted_s,
            origin="calibrated",
            source="the apply time less the CPU time and both waits",
            low=0,
            high=20_000,
        ),
        Parameter(
            name="io",
            label="How to treat waits for I/O",
            unit="",
            default="queue",
            origin="assumed",
            source="a queue at one disk; a report of waits doesn't say whether processes queue",
            choices=IO_WAITS,
        ),
        _session_time(
            "receiver_s",
            "Busy time of the receiver",
            report.receiver_s,
            "Propagation Receiver, sum",
            low=1,
        ),
        _session_time(
            "reader_s", "Busy time of the reader", report.reader_s, "Apply Reader, sum", low=1
        ),
        Parameter(
            name="lcrs",
            label="LCRs applied",
            unit="LCR",
            default=report.lcrs,
            origin="published",
            source="GoldenGate Apply Server: 18.9M",
            low=1e6,
            high=1e8,
            scale="log",
        ),
    )


def _unexplained(row_id, label, remark):
    return Published(session_data()[row_id], label, "unexplained", remark=remark)


@cache
def session_case() -> Case:
    """Return the case of the report of the sessions."""
    title, document = CASES["wlcg_session"]
    return Case(
        name="wlcg_session",
        chapter="replication",
        title=title,
        document=document,
        parameters=session_parameters(),
        outputs=(
            Output("apply_s", "Apply time", "s", 2),
            Output("throughput_lcr_s", "Throughput", "LCR/s", 0),
            Output("user_io_utilisation", "Utilisation of the table disks", "1", 3),
            Output("cpu_utilisation", "Utilisation of the CPU", "1", 3),
            Output("user_io_bound_lcr_s", "Throughput limit of the table disks", "LCR/s", 0),
            Output("cpu_bound_lcr_s", "Throughput limit of the CPU", "LCR/s", 0),
            Output("upstream_bound_lcr_s", "Throughput limit of receiver and reader", "LCR/s", 0),
        ),
        numbers=(
            Published(
                session_data()["server-apply-time"],
                "Apply time",
                "calibrated",
                "apply_s",
                {"replicats": 1},
            ),
            _unexplained(
                "reader-lag",
                "Lag of the reader (s)",
                "10.59 days; an asterisk means that apply was (re)started between snapshots",
            ),
            _unexplained(
                "server-lcrs-retrieved",
                "LCRs retrieved",
                "0, although 18.9 million were applied",
            ),
            _unexplained(
                "server-txns-retrieved",
                "Transactions retrieved",
                "0, although 265,400 were applied",
            ),
        ),
        main_outputs=("apply_s", "throughput_lcr_s", "user_io_utilisation"),
        main_parameters=("replicats", "io", "user_io_s"),
        views=(
            View("replicats", "apply_s", "Apply time against the number of Replicats", 32),
            View("user_io_s", "apply_s", "Apply time against the wait for table I/O", 61),
        ),
        predict=predict_session,
        simulation=Simulation(run_session, SESSION_RUNS),
        fits=(Calibration(("unaccounted_s",), ("server-apply-time",)),),
        baseline=Baseline(
            "n Replicats apply n times as fast as one",
            {"server-apply-time": session_report().apply_s},
            rows=("server-apply-time",),
            earns="For one process, the model and the baseline return the time they were fitted "
            "to. With more processes they differ, but the report has no number to test them "
            "against.",
        ),
    )
