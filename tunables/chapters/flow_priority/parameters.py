"""Chapter 4's parameters: what each is, and how its default is known."""

from tunables.chapters.flow_priority.predictor import STRUCTURE_NAMES, STRUCTURES
from tunables.chapters.flow_priority.structures import calibrated, data, inferred_users
from tunables.parts.model import Parameter

DEFAULT_STRUCTURE = "M4"


def _seconds(name, label, default, source, origin="calibrated", high=0.02):
    return Parameter(name, label, "s", default, origin, source, low=0, high=high)


_RATE_FIT = "fitted to the mean of the large rows without DPP, 646 and 651 s"


def parameters() -> tuple[Parameter, ...]:
    """Return the parameters of the case; the calibrated ones at what the data give."""
    fitted = calibrated()[DEFAULT_STRUCTURE]
    return (
        Parameter(
            "structure",
            "Model structure",
            "",
            DEFAULT_STRUCTURE,
            "assumed",
            "chosen after sharing only and one wait had missed rows of Table 2",
            choices=STRUCTURES,
            choice_texts=STRUCTURE_NAMES,
        ),
        Parameter(
            "users",
            "Users of each database",
            "users",
            inferred_users(),
            "calibrated",
            "not published; the most whose bytes 10 Gb/s can carry in 642 s",
            low=1,
            high=30,
            whole=True,
        ),
        Parameter(
            "max_packets",
            "max-num-pkts, packets that go ahead",
            "packets",
            data()["max-num-pkts"].value,
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
            data()["mtu-set"].value,
            "published",
            "page 5, Test Setup; the configuration shown says 1500",
            low=576,
            high=9216,
            whole=True,
        ),
        Parameter(
            "port_rate_gbps",
            "Port rate, payload",
            "Gb/s",
            fitted["port_rate_gbps"],
            "calibrated",
            _RATE_FIT,
            low=5,
            high=40,
            scale="log",
        ),
        _seconds(
            "queueing_delay_s",
            "Wait of a last packet without priority",
            fitted["queueing_delay_s"],
            "fitted to extra small without DPP, 572 s",
        ),
        _seconds(
            "extra_small_residual_s",
            "Residual of extra small",
            fitted["extra_small_residual_s"],
            "fitted to extra small with DPP, 390 s; in 'one residual' for all three",
        ),
        _seconds(
            "small_residual_s",
            "Residual of small",
            fitted["small_residual_s"],
            "fitted to small with DPP, 396 s",
        ),
        _seconds(
            "medium_residual_s",
            "Residual of medium",
            fitted["medium_residual_s"],
            "fitted to medium with DPP, 479 s",
        ),
        _seconds(
            "medium_excess_s",
            "Excess of medium, in 'one residual'",
            calibrated()["M5"]["medium_excess_s"],
            "fitted to medium without DPP, 672 s; no other structure uses it",
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
            "table_1_port_rate_gbps",
            "Port rate in Table 1, payload",
            "Gb/s",
            fitted["table_1_port_rate_gbps"],
            "assumed",
            "the same as in Table 2",
            low=9,
            high=10,
        ),
    )
