"""Chapter 5: the numbers of the two tables of results, and the parameters fitted to them."""

from tunables.cases.case import Parameter
from tunables.cases.wlcg_calibration import calibrate
from tunables.cases.wlcg_paths import ASSUMED_RTT_S, SITES
from tunables.evidence.published import published
from tunables.predictors.wlcg import COMPRESS, LAWS

DATA = published("wlcg-results")
TABLES = {"plain": "off", "compress": "on"}  # the prefix of a row, and the switch COMPRESS


def times(table) -> dict[str, float]:
    """Return the published seconds of "plain" or "compress", by site."""
    return {site: DATA[f"{table}-{site.lower()}-time"].value for site in SITES}


PLAIN_S, COMPRESSED_S = times("plain"), times("compress")
OPERATIONS = DATA["plain-operations"].value
TIME_HALF_WIDTH_S = DATA["plain-bnl-time"].resolution / 2


def lcrs_per_operation_bounds() -> tuple[float, float]:
    """Return between which bounds all eight cells of the last column put LCRs an operation."""
    bounds = []
    for table in TABLES:
        for site, time_s in times(table).items():
            cell = DATA[f"{table}-{site.lower()}-txns"]
            half = cell.resolution / 2
            rates = (cell.value - half, cell.value + half)
            bounds.append([1000 * rate * time_s / OPERATIONS for rate in rates])
    return max(low for low, _ in bounds), min(high for _, high in bounds)


LCRS_PER_OPERATION = round(sum(lcrs_per_operation_bounds()) / 2)
FITTED = calibrate("cubic", PLAIN_S, COMPRESSED_S, OPERATIONS, LCRS_PER_OPERATION)


def _fitted(name, label, unit, source, low, high, scale="log", origin="calibrated", whole=False):
    """Return a parameter whose default is that of the calibration."""
    return Parameter(name, label, unit, FITTED[name], origin, source, low, high, scale, whole)


PARAMETERS = (
    Parameter(
        name="law",
        label="Law of the network",
        unit="",
        default="cubic",
        origin="assumed",
        source="the one that predicts TRIUMF from BNL, given the round trips assumed",
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
        source="not in the slides; longer than light in fibre needs",
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
        "geometric mean of the speed-ups at BNL and TRIUMF",
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
        "fitted to the sixteen rates",
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
    _fitted("mss_bytes", "Segment", "B", "fills an Ethernet frame", 536, 8_960, origin="assumed"),
    _fitted("link_gbps", "Link", "Gbit/s", "never the limit", 0.01, 100, origin="assumed"),
)
