"""Chapter 4: five database workloads on one switch port, with and without flow priority."""

from tunables.cases.case import Case, Output, Parameter, Published, View
from tunables.cases.dpp_calibration import goodput_bps, users_bound
from tunables.cases.dpp_simulation import simulate
from tunables.cases.dpp_structures import COLUMNS, DATA, FITTED_SETTINGS, FITTED_TO, row_id
from tunables.predictors.dpp import CLASSES, STRUCTURES, predict

DEFAULT_STRUCTURE = "M4"
_FITTED = FITTED_SETTINGS[DEFAULT_STRUCTURE]


def inferred_users() -> int:
    """Return the most users a database that a 10 Gb/s port can serve in the time of Large 2."""
    payload = goodput_bps(DATA["port-traffic"].value * 1e9, int(DATA["mtu-set"].value))
    return int(users_bound(payload, DATA["large-2-with"].value))


def _label(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _seconds(name, label, default, source, origin="calibrated", high=0.02):
    return Parameter(name, label, "s", default, origin, source, low=0, high=high)


_RATE_FIT = "fitted to the mean of the large rows without DPP, 646 and 651 s"
_PARAMETERS = (
    Parameter(
        "structure",
        "Model structure",
        "",
        DEFAULT_STRUCTURE,
        "assumed",
        "S0 sharing only; S1 one queueing delay; M4 residuals by class; M5 one residual",
        choices=STRUCTURES,
    ),
    Parameter(
        "users",
        "Users of each database",
        "users",
        inferred_users(),
        "calibrated",
        "the most that 10 Gb/s can serve in 642 s; not published",
        low=1,
        high=30,
        whole=True,
    ),
    Parameter(
        "max_packets",
        "max-num-pkts, packets that go ahead",
        "packets",
        DATA["max-num-pkts"].value,
        "published",
        "page 5, Switch Configuration",
        low=0,
        high=30,
        whole=True,
    ),
    Parameter(
        "mtu_bytes",
        "MTU",
        "B",
        DATA["mtu-set"].value,
        "published",
        "page 5, Test Setup; the configuration shown says 1500",
        low=576,
        high=9216,
        whole=True,
    ),
    Parameter(
        "port_rate_bps",
        "Port rate, payload",
        "b/s",
        _FITTED["port_rate_bps"],
        "calibrated",
        _RATE_FIT,
        low=5e9,
        high=40e9,
        scale="log",
    ),
    _seconds(
        "queueing_delay_s",
        "Queueing delay of a last packet without priority",
        _FITTED["queueing_delay_s"],
        "fitted to extra small without DPP, 572 s",
    ),
    _seconds(
        "extra_small_residual_s",
        "Residual of extra small",
        _FITTED["extra_small_residual_s"],
        "fitted to extra small with DPP, 390 s; of M5, to all small classes",
    ),
    _seconds(
        "small_residual_s",
        "Residual of small (M4)",
        _FITTED["small_residual_s"],
        "fitted to small with DPP, 396 s",
    ),
    _seconds(
        "medium_residual_s",
        "Residual of medium (M4)",
        _FITTED["medium_residual_s"],
        "fitted to medium with DPP, 479 s",
    ),
    _seconds(
        "medium_excess_s",
        "Excess of medium (M5)",
        FITTED_SETTINGS["M5"]["medium_excess_s"],
        "fitted to medium without DPP, 672 s, in M5 alone; M4 does not use it",
    ),
    Parameter(
        "table_1_users",
        "Users of each database in Table 1",
        "users",
        inferred_users(),
        "assumed",
        "as many as in Table 2",
        low=1,
        high=20,
        whole=True,
    ),
    Parameter(
        "table_1_port_rate_bps",
        "Port rate in Table 1, payload",
        "b/s",
        _FITTED["table_1_port_rate_bps"],
        "assumed",
        "the same as in Table 2",
        low=9e9,
        high=10e9,
    ),
)

_REMARKS = {
    "extra-small-transactions": "each class's delay is computed from its count: five more "
    "fitted numbers",
    "large-2-with": "the number of users was inferred from it; any time from 624 to 654 s gives 20",
    "large-1-without": "one rate fitted to the mean of the two large rows",
}


def _number(row, label, status, output=""):
    return Published(DATA[row], label, status, output, remark=_REMARKS.get(row, ""))


def _table_2(column):
    for name in CLASSES:
        output, row = f"{name}_{column}_s", row_id(name, column)
        fitted = output in FITTED_TO[DEFAULT_STRUCTURE] or row == "large-2-with"
        status = "calibrated" if fitted else "predicted"
        yield _number(row, f"{_label(name)}, {column} DPP", status, output)


CASE = Case(
    name="dpp",
    chapter=4,
    title="The last packet",
    document="Cisco, Enhancing Database Performance with Nexus 9000 and ACI, January 2017",
    predictor="tunables.predictors.dpp",
    parameters=_PARAMETERS,
    outputs=(
        *(
            Output(f"{name}_{column}_s", f"{_label(name)}, {column} DPP", "s", 0)
            for column in COLUMNS
            for name in CLASSES
        ),
        Output("port_utilisation", "Port utilisation without DPP", "1", 3),
        Output("port_traffic_gbps", "Traffic on the port", "Gb/s", 2),
        *(
            Output(f"{name}_alone_transactions", f"{_label(name)}, alone", "transactions", 0)
            for name in CLASSES
        ),
    ),
    numbers=(
        _number("port-traffic", "Traffic on the saturated port", "predicted", "port_traffic_gbps"),
        Published(
            DATA["transaction-delay"],
            "Delay between transactions",
            "unexplained",
            remark="extra small transactions follow each other in 7.18 ms, delay included",
        ),
        *(
            _number(
                row_id(name, "transactions"),
                f"{_label(name)}, transactions in 300 s alone",
                "calibrated",
                f"{name}_alone_transactions",
            )
            for name in CLASSES
        ),
        *_table_2("without"),
        *_table_2("with"),
    ),
    views=(
        View("users", "extra_small_without_s", "Extra small without DPP against users", 11),
        View("max_packets", "medium_with_s", "Medium with DPP against max-num-pkts", 11),
    ),
    predict=predict,
    simulate=simulate,
)
