"""Chapter 3's parameters: what each is, and how its default is known."""

from tunables.chapters.cache_cliff.calibration import bytes_per_graph, production_percent, value
from tunables.chapters.cache_cliff.predictor import SCHEMES
from tunables.parts.model import Parameter


def parameters() -> tuple[Parameter, ...]:
    """Return the parameters of the case; the calibrated ones at what the data give."""
    return (
        Parameter(
            name="graphs",
            label="Graphs updated in each scan",
            unit="graphs",
            default=value("graphs-in-production"),
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
            default=value("usable-memory-new-server"),
            origin="published",
            source="paragraph 2: 3.25 usable in the new servers",
            low=1,
            high=16,
        ),
        Parameter(
            name="usage_maximum_percent",
            label="PoolUsageMaximum",
            unit="%",
            default=production_percent(),
            origin="assumed",
            source="paragraphs 7 and 8 give the default, 80, and the test's 98; for production "
            "98 is assumed",
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
            default=value("slowdown-after-overflow"),
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
    )
