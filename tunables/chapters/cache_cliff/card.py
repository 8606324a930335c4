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
            label="Memory the cache may use",
            low=0.01,
            high=4096,
            scale="log",
        ),
        borrow_parameter(of, "bytes_per_graph", low=16, high=1_000_000_000),
        borrow_parameter(of, "cost_ratio", low=1, high=100_000),
        Parameter(
            "hit_ms",
            "Time of a write that finds its file in the cache",
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
            "Time from one scan's start to the next",
            "s",
            300.0,
            "assumed",
            "customary for such collectors; not in the report",
            low=0.1,
            high=86_400,
            scale="log",
        ),
    )


STATES = ("fits", "tight", "over", "far", "mild")
FILLED = ("fits", "tight")
CLIFF = ("fits", "tight", "over")
ALL_BUT_MILD = ("fits", "tight", "over", "far")


def _watches() -> tuple[Watch, ...]:
    return (
        Watch(
            "Graphs in the scan", "graphs", "above", "alarm_graphs", states=("fits", "tight", "far")
        ),
        Watch(
            "Graphs in the scan that go through the cache, once others bypass it",
            "graphs",
            "above",
            "alarm_graphs",
            states=("over",),
        ),
        Watch(
            "Hit ratio of the scan's own writes",
            "%",
            "below",
            "alarm_hit_percent",
            "in two consecutive scans",
            ALL_BUT_MILD,
        ),
        Watch(
            "Mean time of a write (scan time / graphs)",
            "ms",
            "above",
            "alarm_write_ms",
            "in two consecutive scans",
            CLIFF,
        ),
        Watch("Time of a scan", "s", "above", "busy_s", "in two consecutive scans"),
        Watch("Graphs with a new gap", "graphs", "above", 0.0, "after a scan"),
        Watch(
            "Bytes per graph, relative to the value entered above",
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
            "On a warm server, measure what one graph takes: memory used by the cache, divided by "
            "the graphs. Enter it above.",
        ),
        When(
            ("fits",),
            "Add at most 5% more graphs at a time, up to {alarm_graphs} in all. Wait for three "
            "scans each time.",
        ),
        When(
            ("tight",),
            "Add no graphs. In a quiet hour move {surplus_graphs} of them to a server that has "
            "room. In a planned window you can add memory instead, until the cache may use "
            "{memory_wanted_gib} GiB.",
        ),
        When(
            FILLED,
            "After each reboot check the size of the cache: the system may choose another.",
        ),
        When(
            ("over",),
            "Check that it is this cliff: hardly a write of the scan finds its file in the cache. "
            "If most do, look elsewhere.",
        ),
        When(
            ("over",),
            "Move {surplus_graphs} graphs to a server that has room. From the second scan on LRU "
            "finds every file again. In a planned window you can add memory instead, until the "
            "cache may use {memory_wanted_gib} GiB.",
        ),
        When(
            ("over",),
            "If you can do neither, let {surplus_graphs} graphs bypass the cache (on Linux with "
            "POSIX_FADV_DONTNEED), the same ones in each scan, and every graph that you add later. "
            "A scan then takes {scan_bypass_s} s.",
        ),
        When(
            ("over",),
            "If you cannot bypass, and RRD's heartbeat is longer than {longest_gap_s} s, reverse "
            "every second scan: {scan_zigzag_s} s. With a shorter heartbeat graphs get gaps.",
        ),
        When(
            ("over",),
            "Take one of these steps, not several, and wait for three scans.",
        ),
        When(
            ("far",),
            "Move {surplus_graphs} graphs to servers that have room. Neither a bypass nor another "
            "order saves enough here.",
        ),
        When(
            ("far",),
            "Give the cache {memory_wanted_gib} GiB instead only if {scan_found_s} s, a scan that "
            "finds every file, is soon enough.",
        ),
        When(
            ("mild",),
            "Leave the memory and the order as they are, because over the cliff a scan takes less "
            "than twice as long.",
        ),
        When(
            ("mild",),
            "After a move to another disk measure again what a miss costs, and enter it above.",
        ),
    )


def _roll_back() -> tuple[When, ...]:
    return (
        When(
            ("fits",),
            "A graph gets a gap, a scan takes more than {busy_s} s, or in two consecutive scans "
            "the "
            "mean write takes more than {alarm_write_ms} ms. Move the last 5% back: one scan "
            "later LRU finds every file again.",
        ),
        When(
            ("tight",),
            "On the server that took the graphs, a graph gets a gap or scans end late. Take them "
            "back: they still fit here. Give this cache memory instead.",
        ),
        When(
            ("far",),
            "On a server that took graphs, a graph gets a gap or scans end late. Move them on to "
            "another server, not back here.",
        ),
        When(
            ("over",),
            "A graph gets a new gap, or three scans later the mean write still takes more than "
            "{alarm_write_ms} ms. Undo a bypass or a reversal, and move graphs instead. Don't "
            "bring moved graphs back: move more.",
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
                Output("capacity_graphs", "Knee: graphs that fit", "graphs", 0),
                Output("spare_graphs", "Headroom in graphs", "graphs", 0),
                Output("spare_percent", "Headroom in percent", "%", 1),
                Output("alarm_graphs", "Graphs to run, at most", "graphs", 0),
                Output("surplus_graphs", "Graphs beyond that", "graphs", 0),
                Output("cured_graphs", "Graphs up to which a bypass helps", "graphs", 0),
                Output(
                    "memory_wanted_gib", "Memory for all graphs, with a tenth to spare", "GiB", None
                ),
                Output("scan_s", "Time of a scan now", "s", None),
                Output("scan_beyond_s", "Time of a scan with one graph too many", "s", None),
                Output("scan_found_s", "Time of a scan that finds every file", "s", None),
                Output(
                    "scan_bypass_s", "Time of a scan if the surplus bypasses the cache", "s", None
                ),
                Output(
                    "scan_zigzag_s", "Time of a scan if every second one is reversed", "s", None
                ),
                Output(
                    "longest_gap_s",
                    "Longest time between two writes of a file if every second scan is reversed",
                    "s",
                    None,
                ),
                Output("alarm_hit_percent", "Alert: hit ratio below", "%", 1),
                Output("alarm_write_ms", "Alert: mean time of a write above", "ms", None),
                Output("busy_s", "Alert: time of a scan above", "s", None),
            ),
            states=True,
        ),
        tunable="The memory the cache may use, what is let into it, and the order of the scan. (In "
        "the report: PoolUsageMaximum and the RAM.)",
        knee="{capacity_graphs} graphs fit into an LRU cache that the scan has to itself. Your "
        "headroom is {spare_graphs} graphs, {spare_percent}% of what you run. With one more than "
        "fit, LRU hits nothing and a scan takes {scan_beyond_s} s. What other programs read during "
        "a scan takes room too. With fewer than a few hundred files this room varies, and so does "
        "the knee.",
        failure="From one graph to the next, the hit ratio of the scan falls from 1 to 0 and every "
        "file is read from the disk. Nothing warns you: an hour earlier everything looked normal.",
        watch=_watches(),
        steps=_steps(),
        roll_back=_roll_back(),
        never=(
            "Don't restart the server or drop its caches: the next scan must read every file from "
            "the disk, and over the knee so must each later one. A FIFO, SIEVE or 2Q cache may "
            "lose hits that it will not get back.",
            "Don't start a backup, a virus scan or a search over the files: each file read takes "
            "the place of another.",
            "Don't raise PoolUsageMaximum tonight. Against a paged pool that runs dry (event "
            "2020) Microsoft advises lowering it, to 60; 98 leaves 2% for a burst.",
            When(
                ("tight", "over", "far"),
                "Don't add new graphs to this server.",
            ),
        ),
        states=STATES,
    )
