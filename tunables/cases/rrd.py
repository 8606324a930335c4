"""Chapter 3: an RRD collector's files in the Windows System Cache (Han, 2007)."""

from tunables.cases.case import Case, Output, Parameter, Published, View
from tunables.cases.rrd_simulation import simulate
from tunables.evidence.published import published
from tunables.predictors.rrd import GIB_BYTES, SCHEMES, predict

_data = published("rrd-system-cache")


def _value(row_id: str) -> float:
    return _data[row_id].value


def bytes_per_graph(row_id: str = "graphs-at-98-percent") -> float:
    """Return the calibrated share of memory a graph takes: 8 GiB over the graphs of that row."""
    return _value("memory-upgraded-server") * GIB_BYTES / _value(row_id)


def _number(row_id, label, status, output="", remark="", **settings):
    return Published(_data[row_id], label, status, output, settings, remark=remark)


_PRODUCTION = {
    "graphs": _value("graphs-in-production"),
    "usage_maximum_percent": _value("usage-maximum-set"),
}
_UPGRADED = {"memory_gib": _value("memory-upgraded-server")}
_ASSUMED_98 = "assumes that production ran at the setting of the test, 98"
_REBOOT = "no model here says which size Windows picks at a reboot"

CASE = Case(
    name="rrd",
    chapter=3,
    title="The LRU cliff",
    document="Han, Data Collector and Windows System Cache, April 2007",
    predictor="tunables.predictors.rrd",
    parameters=(
        Parameter(
            name="graphs",
            label="Graphs updated in each scan",
            unit="graphs",
            default=_value("graphs-in-production"),
            origin="published",
            source="paragraph 2: a little over 40,000",
            low=1_000,
            high=200_000,
            scale="log",
            whole=True,
        ),
        Parameter(
            name="memory_gib",
            label="Usable memory",
            unit="GiB",
            default=_value("usable-memory-new-server"),
            origin="published",
            source="paragraph 2: 3.25 usable in the new servers",
            low=1,
            high=16,
        ),
        Parameter(
            name="usage_maximum_percent",
            label="PoolUsageMaximum",
            unit="%",
            default=_value("usage-maximum-set"),
            origin="published",
            source="paragraph 8: default 80, set to 98",
            low=10,
            high=100,
            whole=True,
        ),
        Parameter(
            name="bytes_per_graph",
            label="Cache taken by one graph",
            unit="B",
            default=bytes_per_graph(),
            origin="calibrated",
            source="fitted to 90,000 graphs in 8 GiB at 98 %",
            low=20_000,
            high=400_000,
            scale="log",
        ),
        Parameter(
            name="cost_ratio",
            label="Cost of a miss over a hit",
            unit="1",
            default=_value("slowdown-after-overflow"),
            origin="calibrated",
            source="fitted to the factor 20 of paragraph 1",
            low=1,
            high=200,
            scale="log",
        ),
        Parameter(
            name="scheme",
            label="Eviction policy and scan order",
            unit="",
            default="lru",
            origin="published",
            source="paragraph 3: LRU, updated in sequence",
            choices=SCHEMES,
        ),
    ),
    outputs=(
        Output("capacity_graphs", "Graphs that fit", "graphs", 0),
        Output("hit_ratio", "Hit ratio", "1", 4),
        Output("slowdown", "Slowdown", "1", 2),
    ),
    numbers=(
        _number(
            "slowdown-after-overflow",
            "Slowdown, 40,000 graphs in 3.25 GiB",
            "calibrated",
            "slowdown",
            memory_gib=_value("usable-memory-new-server"),
            **_PRODUCTION,
        ),
        _number(
            "graphs-fit-old-server",
            "Graphs that fit in 4 GiB",
            "predicted",
            "capacity_graphs",
            _ASSUMED_98,
            memory_gib=_value("memory-old-server"),
            **_PRODUCTION,
        ),
        _number(
            "graphs-fit-new-server",
            "Graphs that fit in 3.25 GiB",
            "predicted",
            "capacity_graphs",
            _ASSUMED_98,
            memory_gib=_value("usable-memory-new-server"),
            **_PRODUCTION,
        ),
        _number(
            "auto-sized-lowest", "Sized by Windows, 8 GiB, lowest", "unexplained", remark=_REBOOT
        ),
        _number(
            "auto-sized-highest", "Sized by Windows, 8 GiB, highest", "unexplained", remark=_REBOOT
        ),
        _number(
            "graphs-at-80-percent",
            "Graphs that fit in 8 GiB at 80 %",
            "predicted",
            "capacity_graphs",
            usage_maximum_percent=_value("usage-maximum-default"),
            **_UPGRADED,
        ),
        _number(
            "graphs-at-98-percent",
            "Graphs that fit in 8 GiB at 98 %",
            "calibrated",
            "capacity_graphs",
            usage_maximum_percent=_value("usage-maximum-set"),
            **_UPGRADED,
        ),
    ),
    views=(
        View("graphs", "slowdown", "Slowdown against the number of graphs", 121),
        View("memory_gib", "capacity_graphs", "Graphs that fit against memory", 31),
    ),
    predict=predict,
    simulate=simulate,
)
