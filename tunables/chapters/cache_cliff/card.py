"""The card of chapter 3: a cache that a scan must fit into."""

from functools import cache

from tunables.chapters.cache_cliff.case import case
from tunables.chapters.cache_cliff.knee import predict
from tunables.parts.card import Card, Watch, borrowed, card_model
from tunables.parts.model import Output, Parameter


def _parameters() -> tuple[Parameter, ...]:
    of = case()
    return (
        borrowed(of, "graphs", label="Graphs (files, keys) in each scan", low=1, high=100_000_000),
        borrowed(
            of,
            "memory_gib",
            label="Memory that the cache may use",
            low=0.01,
            high=4096,
            scale="log",
        ),
        borrowed(of, "bytes_per_graph", low=16, high=1_000_000_000),
        borrowed(of, "cost_ratio", low=1, high=100_000),
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


@cache
def card() -> Card:
    """Return the card of the chapter, opened with the report's numbers."""
    return Card(
        model=card_model(
            case(),
            predict,
            _parameters(),
            (
                Output("capacity_graphs", "Knee: graphs that fit", "graphs", 0),
                Output("spare_graphs", "Headroom", "graphs", 0),
                Output("spare_percent", "Headroom", "%", 1),
                Output("alarm_graphs", "Alert from", "graphs", 0),
                Output("memory_needed_gib", "Memory that your graphs need", "GiB", None),
                Output("scan_s", "A scan takes", "s", None),
                Output("scan_beyond_s", "One graph too many", "s", None),
                Output("scan_zigzag_s", "Every second scan reversed", "s", None),
                Output("longest_gap_s", "Then between two writes of a file, at most", "s", None),
                Output("alarm_hit_percent", "Alert below a hit ratio of", "%", 1),
                Output("alarm_reads", "Alert above, files read in a scan", "files", 0),
                Output("alarm_s", "Alert above, time of a scan", "s", None),
                Output("back_s", "Roll back above, time of a scan", "s", None),
                Output("late_graphs", "In time even without a cache", "graphs", 0),
            ),
        ),
        tunable="The memory that the cache may use, and the order of the scan. (In the report: "
        "PoolUsageMaximum and the RAM.)",
        knee="{capacity_graphs} graphs fit. Your headroom is {spare_graphs} graphs, "
        "{spare_percent} % of what you run. One more than fit, and LRU hits nothing: a scan of "
        "{scan_beyond_s} s.",
        failure="From one graph to the next. The hit ratio of the scan falls from 1 to 0, the disk "
        "reads every file, and nothing warned: an hour before, all was as always.",
        watch=(
            Watch(
                "Graphs in the scan",
                "graphs",
                "from {alarm_graphs} on, while the order is fixed: order memory (a ticket, no "
                "page)",
            ),
            Watch(
                "Hit ratio of the scan's own reads",
                "%",
                "below {alarm_hit_percent} in two scans running",
            ),
            Watch("Files read from the disk in a scan", "files", "above {alarm_reads}, once warm"),
            Watch("Time of a scan", "s", "above {alarm_s} in two scans running"),
            Watch(
                "Bytes a graph (cache used / graphs)", "B", "5 % above what you counted in step 1"
            ),
        ),
        steps=(
            "Count what one graph takes in the cache: memory used over graphs, on a warm server.",
            "Reverse every second scan if you may. The cliff becomes a slope, now {scan_zigzag_s} "
            "s. Two writes of one file are then up to {longest_gap_s} s apart: first see that "
            "RRD's heartbeat is longer, or its graphs get gaps.",
            "Move 5 % of the graphs to the server that is to take more, and wait for three scans.",
            "Go on in steps of 5 % up to {alarm_graphs} graphs, never to the last.",
            "After a reboot check the size of the cache again: the system may choose another.",
        ),
        roll_back="Two scans running with a hit ratio below {alarm_hit_percent} %, or one longer "
        "than {back_s} s. Move the last 5 % back; with LRU all is as before one scan later.",
        today=(
            "rrdcached holds updates back and writes a file once for many: -w (every 300 s by "
            "default), -z to spread the writes, -j for a journal.",
            "RRDtool itself asks Linux not to read ahead, so a file takes less of the cache. In a "
            "program of your own: posix_fadvise with POSIX_FADV_RANDOM.",
            "MySQL: innodb_old_blocks_pct (37) and innodb_old_blocks_time (1000 ms). PostgreSQL: "
            "large sequential scans go through a small ring, with nothing to set. Both protect "
            "other data from your scan; the scan itself is then read from the disk.",
            "Linux: the multi-generation LRU, /sys/kernel/mm/lru_gen/enabled and min_ttl_ms.",
            "A cache of your own: LIRS and S3-FIFO keep most of a loop. SIEVE and ARC, started "
            "empty, keep nothing of it.",
        ),
        never=(
            "Do not restart the server or drop its caches: LRU is as slow again one scan later, "
            "and a FIFO, SIEVE or 2Q cache may lose hits that it will not get back.",
            "Do not start a backup, a virus scan or a search over the files: each file read takes "
            "the place of another.",
            "Do not raise PoolUsageMaximum tonight. Against a paged pool that runs dry (event "
            "2020) Microsoft advises to lower it, to 60; 98 leaves 2 % for a burst.",
        ),
    )
