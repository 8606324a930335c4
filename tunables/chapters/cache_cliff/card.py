"""The card of chapter 3: a cache that a scan must fit into."""

from functools import cache

from tunables.chapters.cache_cliff.case import case
from tunables.chapters.cache_cliff.predictor import predict_headroom
from tunables.core.card import Card, Watch, When, borrow_parameter, card_model
from tunables.core.model import Output, Parameter


def _parameters() -> tuple[Parameter, ...]:
    of = case()
    return (
        borrow_parameter(
            of, "graphs", label="Graphs (files, keys) in each scan", low=1, high=100_000_000
        ),
        borrow_parameter(
            of,
            "memory_gib",
            label="Memory that the cache may use",
            low=0.01,
            high=4096,
            scale="log",
        ),
        borrow_parameter(of, "bytes_per_graph", low=16, high=1_000_000_000),
        borrow_parameter(of, "cost_ratio", low=1, high=100_000),
        Parameter(
            "hit_ms",
            "Time per write if the file is in the cache",
            "ms",
            0.25,
            "assumed",
            "one twentieth of the 5 ms that a disk access takes",
            low=0.0001,
            high=1000,
            scale="log",
        ),
        Parameter(
            "interval_s",
            "Time from the start of one scan to the start of the next",
            "s",
            300.0,
            "assumed",
            "typical of such collectors; not in the report",
            low=0.1,
            high=86_400,
            scale="log",
        ),
    )


STATES = ("fits", "tight", "slow", "over", "far", "mild")
FILLED = ("fits", "tight")
CLIFF = ("fits", "tight", "over")
ALL_BUT_MILD = ("fits", "tight", "slow", "over", "far")


def _watches() -> tuple[Watch, ...]:
    return (
        Watch(
            "Graphs in the scan",
            "graphs",
            "above",
            "alarm_graphs",
            states=("fits", "tight", "slow", "far"),
        ),
        Watch(
            "Graphs in the scan that still use the cache (all except those that bypass it)",
            "graphs",
            "above",
            "alarm_graphs",
            states=("over",),
        ),
        Watch(
            "Hit ratio of the scan's writes",
            "%",
            "below",
            "alarm_hit_percent",
            "in two consecutive scans",
            ALL_BUT_MILD,
        ),
        Watch(
            "Mean time per write (scan time / graphs)",
            "ms",
            "above",
            "alarm_write_ms",
            "in two consecutive scans",
            CLIFF,
        ),
        Watch("Scan time", "s", "above", "busy_s", "in two consecutive scans"),
        Watch("Graphs with a new gap in their data", "graphs", "above", 0.0, "after a scan"),
        Watch(
            "Cache space per graph, relative to the value entered above",
            "%",
            "above",
            105.0,
            states=ALL_BUT_MILD,
        ),
    )


def _steps() -> tuple[When, ...]:
    return (
        When(
            FILLED,
            "On a server that has run for several scans, divide the memory that the cache uses by "
            "the number of graphs. Above, enter the result as the cache space of one graph.",
        ),
        When(
            ("fits",),
            "Add at most 5% more graphs at a time, and never go above {alarm_graphs} in all. "
            "Each time, wait for three scans before you add more.",
        ),
        When(
            ("tight",),
            "Don't add any graphs. During a quiet hour, move {surplus_graphs} of the graphs to a "
            "server that has room. Or, in a planned maintenance window, add enough memory for the "
            "cache to use {memory_wanted_gib} GiB.",
        ),
        When(
            FILLED,
            "After each reboot, check the size of the cache: the system may choose a different "
            "size.",
        ),
        When(
            ("over",),
            "First check that the cliff is the cause. During a scan, divide the disk's reads per "
            "second (r/s in iostat -x on Linux, Disk Reads/sec on Windows) by the scanning "
            "program's writes per second (files in a scan divided by its length in seconds). Past "
            "the cliff, each write needs at least one read. If the result is well below 1, stop "
            "here and look for another cause.",
        ),
        When(
            ("over",),
            "Of the steps below, take only the first one that you can. Then wait for three scans.",
        ),
        When(
            ("over",),
            "Move {surplus_graphs} of the graphs to a server that has room. This is the best "
            "step, because every write hits again from the second scan on. Or, in a planned "
            "maintenance window, add enough memory for the cache to use {memory_wanted_gib} GiB.",
        ),
        When(
            ("over",),
            "If you can do neither, let {surplus_graphs} of the graphs (the same ones in every "
            "scan) bypass the cache, and do the same with every graph that you add later. (On "
            "Linux, call fsync, then posix_fadvise with POSIX_FADV_DONTNEED.) Each write to one "
            "of these graphs then waits for the disk, so time one such write first. If it takes no "
            "longer than a miss, a scan will take {scan_bypass_s} s.",
        ),
        When(
            ("over",),
            "If you can't bypass the cache either, and RRD's heartbeat is longer than "
            "{longest_gap_s} s, reverse every second scan. A scan then takes {scan_zigzag_s} s. "
            "Pause for more than a second at each turn, because RRDtool refuses two updates of a "
            "file with timestamps in the same second. Don't do this with a shorter heartbeat, "
            "because graphs would get gaps.",
        ),
        When(
            ("slow",),
            "Move {surplus_graphs} of the graphs to servers that have room, or scan less often.",
        ),
        When(
            ("slow",),
            "Don't add memory: every file is in the cache already, and a scan still takes "
            "{scan_found_s} s.",
        ),
        When(
            ("far",),
            "Move {surplus_graphs} of the graphs to servers that have room. Bypassing the cache "
            "doesn't save enough time here.",
        ),
        When(
            ("far",),
            "Until then, reversing every second scan shortens a scan from {scan_s} to "
            "{scan_zigzag_s} s. Do this if {scan_zigzag_s} s is less than {busy_s} s and RRD's "
            "heartbeat is longer than {longest_gap_s} s.",
        ),
        When(
            ("far",),
            "With every file in the cache, a scan takes {scan_found_s} s. Add memory instead only "
            "if that is fast enough: in a planned maintenance window, add enough for the cache to "
            "use {memory_wanted_gib} GiB.",
        ),
        When(
            ("mild",),
            "Leave the memory and the order of the scan as they are: even past the cliff, a scan "
            "takes less than twice as long as below it.",
        ),
        When(
            ("mild",),
            "If you move the files to another disk, measure the cost of a miss again and enter it "
            "above.",
        ),
    )


def _roll_back() -> tuple[When, ...]:
    return (
        When(
            ("fits",),
            "If a graph gets a gap, if a scan takes more than {busy_s} s, or if the mean time per "
            "write is above {alarm_write_ms} ms in two consecutive scans, move the most recently "
            "added graphs to another server. One scan later, every write hits again.",
        ),
        When(
            ("tight",),
            "If a graph gets a gap, or if scans end late on the server that took the graphs, move "
            "them back, because they still fit here. Give this cache more memory instead.",
        ),
        When(
            ("slow", "far"),
            "If a graph gets a gap, or if scans end late on a server that took graphs, move them "
            "on to another server, not back here.",
        ),
        When(
            ("over",),
            "If, three scans after a step, a graph gets a new gap or the mean time per write is "
            "still above {alarm_write_ms} ms, undo the step if it was a bypass or a reversal, and "
            "move graphs instead. Don't bring moved graphs back: move more.",
        ),
    )


@cache
def card() -> Card:
    """Return the card of the chapter, filled in with the report's numbers."""
    return Card(
        model=card_model(
            case(),
            predict_headroom,
            _parameters(),
            (
                Output("capacity_graphs", "Knee: number of graphs that fit", "graphs", 0),
                Output("spare_graphs", "Headroom in graphs", "graphs", 0),
                Output("spare_percent", "Headroom in percent", "%", 1),
                Output("alarm_graphs", "Largest number of graphs to run", "graphs", 0),
                Output("surplus_graphs", "Surplus graphs", "graphs", 0),
                Output(
                    "cured_graphs", "Largest number of graphs for which a bypass helps", "graphs", 0
                ),
                Output(
                    "memory_wanted_gib", "Memory for all graphs, with a tenth to spare", "GiB", None
                ),
                Output("scan_s", "Scan time now", "s", None),
                Output("scan_beyond_s", "Scan time with one graph too many", "s", None),
                Output("scan_found_s", "Scan time if every file is in the cache", "s", None),
                Output(
                    "scan_bypass_s",
                    "Scan time if the surplus graphs bypass the cache",
                    "s",
                    None,
                ),
                Output("scan_zigzag_s", "Scan time if every second scan is reversed", "s", None),
                Output(
                    "longest_gap_s",
                    "Longest time between two writes to a file if every second scan is reversed",
                    "s",
                    None,
                ),
                Output("alarm_hit_percent", "Alert: hit ratio below", "%", 1),
                Output("alarm_write_ms", "Alert: mean time per write above", "ms", None),
                Output("busy_s", "Alert: scan time above", "s", None),
            ),
            main=("capacity_graphs", "spare_graphs", "memory_wanted_gib"),
            states=True,
        ),
        tunable="The memory that the cache may use, which files are let into it, and the order of "
        "the scan. (In the report: PoolUsageMaximum and the RAM.)",
        knee="{capacity_graphs} graphs fit into an LRU cache that only the scan uses. Your "
        "headroom is {spare_graphs} graphs, {spare_percent}% of the number you run. With one graph "
        "too many, no write hits and a scan takes {scan_beyond_s} s. Data that other programs read "
        "during a scan takes up room too. If your scan has a few hundred files or fewer, that "
        "room varies from scan to scan, and so does the knee.",
        failure="A single graph too many takes the scan's hit ratio from 1 to 0, so every file is "
        "read from the disk. Scan times give no warning, because they look normal until then.",
        watch=_watches(),
        steps=_steps(),
        roll_back=_roll_back(),
        never=(
            "Don't restart the server or empty its caches: the next scan would have to read every "
            "file from the disk, and past the knee every later scan would too. A FIFO, SIEVE or 2Q "
            "cache may lose hits permanently.",
            "Don't start a backup, a virus scan or a search through the files: each file that it "
            "reads takes the place of another in the cache.",
            "Don't raise PoolUsageMaximum during an incident. A value of 98 leaves only 2% for a "
            "burst, and if the paged pool runs out (event 2020), Microsoft advises lowering the "
            "setting to 60.",
            When(
                ("tight", "slow", "over", "far"),
                "Don't add new graphs to this server.",
            ),
        ),
        states=STATES,
    )
