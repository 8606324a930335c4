"""Chapter 5: eight runs of a database replication over the WAN (Lobato Pardavila, 2016)."""

from tunables.cases.case import Case, Output, Published, View
from tunables.cases.wlcg_parameters import DATA, PARAMETERS, TABLES
from tunables.cases.wlcg_paths import ASSUMED_RTT_S, SITES
from tunables.cases.wlcg_simulation import simulate
from tunables.predictors.wlcg import predict

_ONE_RATIO = "BNL and TRIUMF share one ratio; it cannot give both"
_STATUSES = {
    "plain-bnl": ("calibrated", "the loss is fitted to it"),
    "plain-triumf": ("predicted", "rests on two assumed round-trip times and 400 B an LCR"),
    "plain-ral": ("calibrated", "the pump is fitted to it"),
    "plain-in2p3": ("predicted", ""),
    "compress-bnl": ("calibrated", _ONE_RATIO),
    "compress-triumf": ("calibrated", _ONE_RATIO),
    "compress-ral": ("calibrated", "the source is fitted to it"),
    "compress-in2p3": ("predicted", ""),
}
_CUT_OFF = "printed 9.8: cut off, not rounded"
_COLUMNS = {"time": "time", "lcr-rate": "LCR/s", "txns": "txns"}


def _number(cell, column, site, status, output, factor=1.0, remark=""):
    table = cell.split("-")[0]
    return Published(
        DATA[f"{cell}-{column}"],
        f"{site}{', COMPRESS' if table == 'compress' else ''}: {_COLUMNS[column]}",
        status,
        output,
        {"rtt_s": ASSUMED_RTT_S[site], "compress": TABLES[table]},
        factor,
        remark,
    )


def _time(table, site):
    cell = f"{table}-{site.lower()}"
    status, remark = _STATUSES[cell]
    return _number(cell, "time", site, status, "seconds", remark=remark)


def _rates(table, site):
    """Return LCR rate and "txns" of a cell, which repeat its time."""
    cell = f"{table}-{site.lower()}"
    cut_off = _CUT_OFF if cell == "compress-triumf" else ""
    rate = ("identity", "throughput_lcr_s", 1000)
    return (
        _number(cell, "lcr-rate", site, *rate, cut_off),
        _number(cell, "txns", site, *rate),
    )


_CELLS = [(table, site) for table in TABLES for site in SITES]


CASE = Case(
    name="wlcg",
    chapter=5,
    title="Replication over the WAN",
    document="Lobato Pardavila, Network performance optimization at WLCG, 2016",
    predictor="tunables.predictors.wlcg",
    parameters=PARAMETERS,
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
        *(rate for cell in _CELLS for rate in _rates(*cell)),
    ),
    views=(View("rtt_s", "seconds", "Time against the round trip", 101),),
    predict=predict,
    simulate=simulate,
)
