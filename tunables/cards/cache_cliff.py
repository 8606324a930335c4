"""The card of chapter 3: a cache that a scan must fit into."""

from tunables.cards.card import Card, Watch, borrowed, card_model
from tunables.cases.case import Output, Parameter
from tunables.cases.rrd import CASE

_PARAMETERS = (
    borrowed(CASE, "graphs", label="Graphs (files, keys) in each scan", low=1, high=100_000_000),
    borrowed(
        CASE, "memory_gib", label="Memory that the cache may use", low=0.01, high=4096, scale="log"
    ),
    borrowed(CASE, "bytes_per_graph", low=16, high=1_000_000_000),
    borrowed(CASE, "cost_ratio", low=1, high=100_000),
    Parameter(
        "hit_ms",
        "Time of a write that finds its file",
        "ms",
        0.25,
        "assumed",
        "a twentieth of a disk's 5 ms",
        low=0.0001,
        high=1000,
        scale="log",
    ),
    Parameter(
        "interval_s",
        "A scan starts every",
        "s",
        300.0,
        "assumed",
        "customary for such collectors; not in the report",
        low=0.1,
        high=86_400,
        scale="log",
    ),
)

CARD = Card(
    model=card_model(
        CASE,
        "tunables.predictors.cache_headroom",
        _PARAMETERS,
        (
            Output("capacity_graphs", "Knee: graphs that fit", "graphs", 0),
            Output("spare_graphs", "Headroom", "graphs", 0),
            Output("spare_percent", "Headroom", "%", 1),
            Output("alarm_graphs", "Alert from", "graphs", 0),
            Output("memory_needed_gib", "Memory that your graphs need", "GiB", None),
            Output("scan_s", "A scan takes", "s", None),
            Output("scan_beyond_s", "One graph too many", "s", None),
            Output("scan_zigzag_s", "Every second scan reversed", "s", None),
            Output("late_graphs", "In time even without a cache", "graphs", 0),
        ),
    ),
    tunable="The memory that the cache may use, and the order of the scan. (In the report: "
    "PoolUsageMaximum and the RAM.)",
    knee="{capacity_graphs} graphs fit. Your headroom is {spare_graphs} graphs, {spare_percent} % "
    "of what you run. One more than fit, and LRU hits nothing: a scan of {scan_beyond_s} s.",
    failure="From one graph to the next. The hit ratio of the scan falls from 1 to 0, the disk "
    "reads every file, and nothing warned: an hour before, all was as always.",
    watch=(
        Watch("Graphs in the scan", "graphs", "from {alarm_graphs} on: order memory"),
        Watch("Hit ratio of the scan's own reads", "1", "below 0.99 in any scan"),
        Watch("Bytes a graph (cache used / graphs)", "B", "up by 5 % since the last change"),
        Watch("Time of a scan", "s", "twice {scan_s} s, or half of the interval"),
        Watch("Disk reads during a scan", "1/s", "above zero once warm"),
    ),
    steps=(
        "Count what one graph takes in the cache: memory used over graphs, on a warm server.",
        "Reverse every second scan if you may. The cliff becomes a slope, now {scan_zigzag_s} s.",
        "Move 5 % of the graphs to the server that is to take more, and wait for three scans.",
        "Go on in steps of 5 % up to {alarm_graphs} graphs, never to the last.",
        "After a reboot check the size of the cache again: the system may choose another.",
    ),
    roll_back="One scan with a hit ratio below 0.99, or longer than twice {scan_s} s. Move the "
    "last 5 % back; one scan later all is as before.",
)
