"""Chapter 5's parameters: what each is, and how its default is known."""

from tunables.chapters.replication.paths import ASSUMED_RTT_S
from tunables.chapters.replication.predictor import COMPRESS, LAWS
from tunables.chapters.replication.results import calibrated
from tunables.parts.model import Parameter


def _fitted(name, label, unit, source, low, high, scale="log", origin="calibrated", whole=False):
    """Return a parameter whose default is that of the calibration."""
    return Parameter(name, label, unit, calibrated()[name], origin, source, low, high, scale, whole)


def parameters() -> tuple[Parameter, ...]:
    """Return the parameters of the case; the calibrated ones at what the data give."""
    return (
        Parameter(
            name="law",
            label="Law of the network",
            unit="",
            default="cubic",
            origin="assumed",
            source="one constant for both far sites; a window set for each path fits them as well",
            choices=LAWS,
        ),
        Parameter(
            name="compress",
            label="COMPRESS",
            unit="",
            default="off",
            origin="published",
            source="Results: one table with it and one without",
            choices=COMPRESS,
        ),
        Parameter(
            name="rtt_s",
            label="Round-trip time",
            unit="s",
            default=ASSUMED_RTT_S["TRIUMF"],
            origin="assumed",
            source="not in the slides; above light in fibre, and chosen with TRIUMF's time in "
            "sight",
            low=0.001,
            high=0.25,
        ),
        _fitted(
            "loss",
            "Loss (reno, cubic)",
            "1",
            "fitted to BNL without COMPRESS by CUBIC",
            1e-7,
            0.05,
        ),
        _fitted(
            "window_bytes",
            "Window (window)",
            "B",
            "fitted to BNL without COMPRESS by W/RTT",
            5_000,
            20_000_000,
        ),
        _fitted(
            "round_trips",
            "Round trips waited for (stop-and-wait)",
            "1",
            "fitted to BNL and RAL without COMPRESS by T0 + n RTT",
            0,
            200_000,
            "linear",
        ),
        _fitted(
            "compression_ratio",
            "Compression ratio",
            "1",
            "fitted to BNL and TRIUMF with COMPRESS, which share it",
            1,
            20,
        ),
        _fitted(
            "pump_lcr_s",
            "Pump (without COMPRESS)",
            "LCR/s",
            "fitted to RAL without COMPRESS",
            1_000,
            100_000,
        ),
        _fitted(
            "source_lcr_s",
            "Source (and compression)",
            "LCR/s",
            "fitted to RAL with COMPRESS",
            1_000,
            100_000,
        ),
        _fitted(
            "apply_lcr_s",
            "Apply",
            "LCR/s",
            "as fast as the source: the tables cannot tell which of the two limits",
            1_000,
            100_000,
            origin="assumed",
        ),
        _fitted(
            "operations",
            "Operations",
            "1",
            "Results: 6000000",
            100_000,
            100_000_000,
            origin="published",
            whole=True,
        ),
        _fitted(
            "lcrs_per_operation",
            "LCRs an operation",
            "LCR",
            "fitted to RAL's time and last column, to a whole number; the other rows agree",
            1,
            10,
            "linear",
        ),
        _fitted(
            "lcr_bytes",
            "Bytes an LCR on the wire, without COMPRESS",
            "B",
            "within the 335 to 509 B for which CUBIC fits BNL and RAL",
            100,
            2_000,
            origin="assumed",
        ),
        _fitted(
            "mss_bytes", "Segment", "B", "fills an Ethernet frame", 536, 8_960, origin="assumed"
        ),
        _fitted("link_gbps", "Link", "Gbit/s", "never the limit", 0.01, 100, origin="assumed"),
    )
