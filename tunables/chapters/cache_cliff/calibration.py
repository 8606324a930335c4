"""What chapter 3's case fits and assumes, computed from the report, and the sceptic's rival."""

from functools import cache

from tunables.chapters.cache_cliff.predictor import GIB_BYTES, capacity_graphs
from tunables.evidence.published import Record, published
from tunables.theory.caching import slowdown


@cache
def data() -> dict[str, Record]:
    """Return the report's numbers by row id."""
    return published("rrd-system-cache")


def value(row_id: str) -> float:
    """Return one of the report's numbers."""
    return data()[row_id].value


def bytes_per_graph(row_id: str = "graphs-at-98-percent") -> float:
    """Return the calibrated share of memory a graph takes: 8 GiB over the graphs of that row."""
    return value("memory-upgraded-server") * GIB_BYTES / value(row_id)


def production_percent() -> float:
    """Return the setting that production is taken to have run at; the report does not say.

    The first of the default and the test's own at which the old servers hold their load.
    """
    default, set_in_test = value("usage-maximum-default"), value("usage-maximum-set")
    fit = capacity_graphs(value("memory-old-server"), default, bytes_per_graph())
    return default if fit >= value("graphs-fit-old-server") else set_in_test


def share_that_fits() -> float:
    """Return which part of the production load the new servers have room for, as a fraction."""
    memory_bytes = value("usable-memory-new-server") * GIB_BYTES
    return memory_bytes / bytes_per_graph() / value("graphs-in-production")


def miss_cost_of_a_slope() -> float:
    """Return what a miss would cost, in hits, if only the share that does not fit missed.

    S = c + R (1 - c), solved for R at the published slowdown.
    """
    c = share_that_fits()
    return (value("slowdown-after-overflow") - c) / (1 - c)


def proportion() -> dict[str, float]:
    """Return the sceptic's rule of three: what fits, from 90,000, and misses for the rest."""
    per_gib_percent = value("graphs-at-98-percent") / (
        value("memory-upgraded-server") * value("usage-maximum-set")
    )
    servers = {
        "graphs-fit-old-server": ("memory-old-server", production_percent()),
        "graphs-fit-new-server": ("usable-memory-new-server", production_percent()),
        "graphs-at-80-percent": ("memory-upgraded-server", value("usage-maximum-default")),
    }
    room = {row: per_gib_percent * value(gib) * u for row, (gib, u) in servers.items()}
    return room | {
        "slowdown-after-overflow": slowdown(share_that_fits(), value("slowdown-after-overflow"))
    }
