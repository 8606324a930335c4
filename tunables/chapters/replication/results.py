"""Chapter 5: the numbers of the two tables of results, and what is fitted to them."""

import math
from functools import cache

from tunables.chapters.replication.calibration import calibrate
from tunables.chapters.replication.paths import SITES
from tunables.evidence.published import Record, published

TABLES = {"plain": "off", "compress": "on"}  # the prefix of a row, and the switch COMPRESS
# LCRs an operation are fitted to one row; `lcrs_per_operation_bounds` says that all eight agree.
LCRS_ROWS = ("plain-ral-time", "plain-ral-txns")


@cache
def data() -> dict[str, Record]:
    """Return the numbers of both tables by row id."""
    return published("wlcg-results")


def times(table) -> dict[str, float]:
    """Return the published seconds of "plain" or "compress", by site."""
    return {site: data()[f"{table}-{site.lower()}-time"].value for site in SITES}


def operations() -> float:
    """Return how many operations each run replicated."""
    return data()["plain-operations"].value


def time_half_width_s() -> float:
    """Return within how many seconds of the printed time a run's time was."""
    return data()["plain-bnl-time"].resolution / 2


def lcrs_per_operation_bounds() -> tuple[float, float]:
    """Return between which bounds all eight cells of the last column put LCRs an operation."""
    bounds = []
    for table in TABLES:
        for site, time_s in times(table).items():
            cell = data()[f"{table}-{site.lower()}-txns"]
            half = cell.resolution / 2
            rates = (cell.value - half, cell.value + half)
            bounds.append([1000 * rate * time_s / operations() for rate in rates])
    return max(low for low, _ in bounds), min(high for _, high in bounds)


def lcrs_per_operation() -> int:
    """Return the whole number of LCRs an operation that RAL's time and rate make."""
    return round(1000 * math.prod(data()[row].value for row in LCRS_ROWS) / operations())


@cache
def calibrated() -> dict:
    """Return the parameters of `predict` but rtt_s and compress, by CUBIC."""
    tables = times("plain"), times("compress")
    return calibrate("cubic", *tables, operations(), lcrs_per_operation())
