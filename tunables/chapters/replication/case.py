"""Chapter 5: eight runs of a database replication over the WAN (Lobato Pardavila, 2016)."""

from functools import cache

from tunables.chapters.replication import CASES
from tunables.chapters.replication.parameters import parameters
from tunables.chapters.replication.paths import ASSUMED_RTT_S, SITES
from tunables.chapters.replication.predictor import predict
from tunables.chapters.replication.results import LCRS_ROWS, TABLES, data, times
from tunables.chapters.replication.simulation import run
from tunables.parts.case import Case, Published
from tunables.parts.model import Output, View
from tunables.parts.origin import Baseline, Choice, Fit
from tunables.parts.replication import Simulation

_ONE_RATIO = "BNL and TRIUMF share one ratio; it cannot give both"
_STATUSES = {
    "plain-bnl": ("calibrated", "the loss is fitted to it"),
    "plain-triumf": (
        "consistent",
        "law, round trips and bytes an LCR were chosen with sight of it",
    ),
    "plain-ral": ("calibrated", "the pump is fitted to it"),
    "plain-in2p3": (
        "consistent",
        "the pump was put in because RAL and IN2P3 take the same time",
    ),
    "compress-bnl": ("calibrated", _ONE_RATIO),
    "compress-triumf": ("calibrated", _ONE_RATIO),
    "compress-ral": ("calibrated", "the source is fitted to it"),
    "compress-in2p3": (
        "consistent",
        "a common stage was put in because three sites take the same time",
    ),
}
_CUT_OFF = "printed 9.8: cut off, not rounded"
_COLUMNS = {"time": "time", "lcr-rate": "LCR/s", "txns": "txns"}


def _number(cell, column, site, status, output, factor=1.0, remark="", rests_on=()):
    table = cell.split("-")[0]
    return Published(
        data()[f"{cell}-{column}"],
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
    """Return LCR rate or "txns" of a cell, which is 18 million over its time."""
    cell = f"{table}-{site.lower()}"
    status = "calibrated" if f"{cell}-{column}" in LCRS_ROWS else "identity"
    remark = _CUT_OFF if f"{cell}-{column}" == "compress-triumf-lcr-rate" else ""
    if status == "calibrated":
        remark = "LCRs an operation are fitted to it"
    repeats = tuple(dict.fromkeys((f"{cell}-time", *LCRS_ROWS)))
    output = ("throughput_lcr_s", 1000)
    return _number(cell, column, site, status, *output, remark, repeats)


_CELLS = [(table, site) for table in TABLES for site in SITES]
_FAR, _NEAR = {"BNL": "BNL", "TRIUMF": "BNL"}, {"RAL": "RAL", "IN2P3": "RAL"}


def _as_its_neighbour():
    """Return the rival without a law: a far site takes what BNL takes, a near one what RAL does."""
    return Baseline(
        "a far site takes as long as BNL, a near one as long as RAL",
        {
            f"{table}-{site.lower()}-time": times(table)[like]
            for table in TABLES
            for site, like in (_FAR | _NEAR).items()
        },
        rows=tuple(f"{table}-{site}-time" for table in TABLES for site in ("bnl", "ral")),
        earns="All of that is TRIUMF without COMPRESS; and law, round trips and bytes an LCR "
        "were chosen with sight of that number.",
    )


@cache
def case() -> Case:
    """Return all that is known of the two tables of results."""
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
            Output("source_rate_lcr_s", "Source could", "LCR/s", 0),
            Output("pump_rate_lcr_s", "Pump could", "LCR/s", 0),
            Output("network_rate_lcr_s", "Network could", "LCR/s", 0),
            Output("apply_rate_lcr_s", "Apply could", "LCR/s", 0),
        ),
        numbers=(
            *(_time(*cell) for cell in _CELLS),
            *(_rate(*cell, column) for cell in _CELLS for column in ("lcr-rate", "txns")),
        ),
        main_outputs=("seconds", "throughput_lcr_s", "network_rate_lcr_s"),
        main_parameters=("law", "compress", "rtt_s"),
        views=(View("rtt_s", "seconds", "Time against the round trip", 101),),
        predict=predict,
        simulation=Simulation(run),
        fits=(
            Fit(("loss",), ("plain-bnl-time",)),
            Fit(("window_bytes",), ("plain-bnl-time",), rival=True),
            Fit(("round_trips",), ("plain-bnl-time", "plain-ral-time"), rival=True),
            Fit(("pump_lcr_s",), ("plain-ral-time",)),
            Fit(("source_lcr_s",), ("compress-ral-time",)),
            Fit(("compression_ratio",), ("compress-bnl-time", "compress-triumf-time")),
            Fit(("lcrs_per_operation",), LCRS_ROWS),
        ),
        choices=(
            Choice(
                "CUBIC, of four laws, at round trips of 95 and 155 ms that nobody published",
                ("plain-triumf-time",),
                ("law",),
            ),
            Choice(
                "400 B an LCR, where CUBIC gives BNL, TRIUMF and RAL",
                ("plain-bnl-time", "plain-triumf-time", "plain-ral-time"),
                ("lcr_bytes",),
            ),
            Choice(
                "a pump that knows no distance",
                ("plain-ral-time", "plain-in2p3-time"),
                ("pump_lcr_s",),
            ),
            Choice(
                "one stage that three sites share with COMPRESS",
                ("compress-bnl-time", "compress-ral-time", "compress-in2p3-time"),
                ("source_lcr_s", "apply_lcr_s"),
            ),
        ),
        baseline=_as_its_neighbour(),
    )
