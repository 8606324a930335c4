"""Chapter 3: every number of its prose and of its solutions, computed."""

import pytest

from tests.chapters.notebooks import ROOT, prose, solution
from tunables.chapters.cache_cliff.calibration import (
    bytes_per_graph,
    miss_cost_of_a_slope,
    proportion,
)
from tunables.chapters.cache_cliff.predictor import GIB_BYTES, capacity_graphs
from tunables.evidence.published import published
from tunables.page.formats import grouped
from tunables.parts.freedom import freedom
from tunables.parts.registry import find_case
from tunables.simulators.caches import (
    cyclic_trace,
    grown_trace,
    simulate_policy,
    zigzag_trace,
)
from tunables.theory.cache_memory import clock_rounds, grown_hit_ratio
from tunables.theory.caching import (
    shuffled_hit_ratio,
    slowdown,
    zigzag_hit_ratio,
)

CHAPTER = ROOT / "chapters" / "03-cache-cliff.ipynb"
TEXT = prose(CHAPTER)
DATA = {row_id: record.value for row_id, record in published("rrd-system-cache").items()}
N, R = DATA["graphs-in-production"], DATA["slowdown-after-overflow"]
C80, C98 = DATA["graphs-at-80-percent"], DATA["graphs-at-98-percent"]
RESOLUTION = 5_000  # of every count of graphs
CAPACITY = capacity_graphs(DATA["usable-memory-new-server"], 98, bytes_per_graph())


def offset(at_80, at_98):
    """Return x of C = k (u - x) through two points."""
    return (98 * at_80 - 80 * at_98) / (at_80 - at_98)


def bounds():
    """Return the largest and smallest memory a graph can take, from the two servers alone.

    The load was a little over 40,000: at least that, and less than what rounds to more.
    """
    most = N + RESOLUTION
    return DATA["memory-old-server"] * GIB_BYTES / N, 3.25 * GIB_BYTES / most


def most_other_memory_gib():
    """Return the M0 of C = (M - M0)/b with which C(8) is 90,000 and C(4) is 40,000."""
    return (4 * C98 - 8 * N) / (C98 - N)


def numbers_in_the_prose():
    largest, smallest = bounds()
    graph = bytes_per_graph()
    return {
        "room in 3.25 GiB": grouped(CAPACITY),
        "room in 4 GiB": grouped(capacity_graphs(4, 98, graph)),
        "bytes a graph": f"{grouped(graph)} bytes ({graph / 1024:.1f} KiB)",
        "bracket": f"{grouped(smallest)} to {grouped(largest)} bytes a graph",
        "graphs in 8 GiB": (
            f"{grouped(8 * GIB_BYTES / largest)} to {grouped(8 * GIB_BYTES / smallest)} graphs "
            "fill 8 GiB"
        ),
        "new files": f"Say {grouped(CAPACITY)} fit and are hit, and {grouped(N - CAPACITY)} new",
        "at 80 %": f"leaves room for {grouped(capacity_graphs(8, 80, graph))}, and",
        "miss of a slope": f"a slope gives 20 too, if a miss costs {miss_cost_of_a_slope():.0f}",
        "other memory": f"leaves at most $M_0 = {most_other_memory_gib():.1f}$",
        "decimal GB": f"a graph takes {grouped(8e9 / C98)}, and",
        "of the pool": f"98 % of 343 MB are {0.98 * 343e6 / C98 / 1000:.1f} kB a graph",
        "zigzag": f"20 down to {slowdown(zigzag_hit_ratio(CAPACITY / N), R):.1f}, on the new "
        f"servers with their {DATA['usable-memory-new-server']} GB",
        "SIEVE": "its authors say that it does not resist scans, in section 7.2",
        "shuffle": f"lesser cure: {slowdown(shuffled_hit_ratio(CAPACITY / N), R):.1f}",
        "old server at 80": f"would hold {grouped(capacity_graphs(4, 80, graph))}: production",
        "proportion": f"is {grouped(C98 * 80 / 98)}, not 70,000",
        "offset": f"$x = {offset(C80, C98):.0f}$",
        "third test, proportion": f"says {grouped(C80 * 60 / 80)} and",
        "third test, offset": (
            f"offset says {grouped(C80 * (60 - offset(C80, C98)) / (80 - offset(C80, C98)))}"
        ),
    }


@pytest.mark.parametrize(("what", "text"), numbers_in_the_prose().items())
def test_prose(what, text):
    assert text in TEXT, what


def test_ninety_thousand_lies_inside_the_bracket_and_nine_hundred_thousand_far_outside():
    largest, smallest = bounds()
    assert 8 * GIB_BYTES / largest <= C98 <= 8 * GIB_BYTES / smallest
    assert 10 * C98 / (8 * GIB_BYTES / smallest) == pytest.approx(8, abs=0.5)
    assert "900,000 is eight times too many" in TEXT


def test_two_points_two_parameters():
    low = offset(C80 + RESOLUTION, C98 - RESOLUTION)
    high = offset(C80 - RESOLUTION, C98 + RESOLUTION)
    text = solution(CHAPTER, "rrd-offset")
    assert f"−{-low:.0f} (75,000 and 85,000)" in text
    assert f"{high:.0f} (65,000 and 95,000)" in text
    assert low < 0 < high
    assert "zero included" in TEXT
    assert f"from −{-low:.0f} to {high:.0f}" in TEXT


def test_one_resolution_for_all_counts_of_graphs():
    counts = [
        record
        for record in published("rrd-system-cache").values()
        if record.unit == "graphs" and record.resolution
    ]
    assert {record.resolution / 2 for record in counts} == {RESOLUTION}
    assert "each is known to ±5,000" in TEXT
    assert "each known to ±5,000" in TEXT
    assert abs(capacity_graphs(8, 80, bytes_per_graph()) - C80) < RESOLUTION
    assert "outside ±2,500" in TEXT
    assert abs(capacity_graphs(8, 80, bytes_per_graph()) - C80) > RESOLUTION / 2


def test_the_prose_counts_degrees_of_freedom_as_the_ledger_does():
    case = find_case("rrd")
    found = freedom(case)
    assert (found.numbers, len(found.fitted), found.left) == (5, 2, 3)
    assert "two fitted parameters use up two of five numbers. Of the three that are left" in TEXT
    statuses = [number.status for number in case.numbers]
    assert (statuses.count("consistent"), statuses.count("predicted")) == (2, 1)


def test_what_the_model_earns_over_a_rule_of_three():
    room = proportion()
    assert int(room["graphs-at-80-percent"]) == capacity_graphs(8, 80, bytes_per_graph())
    assert slowdown(CAPACITY / N, miss_cost_of_a_slope()) == pytest.approx(R, rel=1e-3)


ENTRIES = {"end": CAPACITY, "middle": CAPACITY // 2, "quarter": CAPACITY // 4, "even": "spread"}


def warm(policy, graphs, entry, settle=12, measured=48):
    trace = grown_trace(CAPACITY, graphs, ENTRIES[entry], settle + measured)
    return simulate_policy(trace, CAPACITY, policy, len(trace) - measured * graphs) / (
        measured * graphs
    )


def cold(policy, graphs, settle=12, measured=48):
    trace = cyclic_trace(graphs, settle + measured)
    hits = simulate_policy(trace, CAPACITY, policy, warmup=settle * graphs)
    return hits / (measured * graphs)


@pytest.mark.parametrize("policy", ["fifo", "clock", "sieve"])
@pytest.mark.parametrize("entry", ["end", "middle", "quarter"])
def test_the_simulated_table_is_what_the_closed_forms_say(policy, entry):
    n = int(N)
    expected = grown_hit_ratio(n, CAPACITY, ENTRIES[entry], policy)
    assert warm(policy, n, entry) == pytest.approx(expected, abs=1e-9)


def test_lru_and_arc_forget_and_2q_loses_by_its_memory():
    for policy in ("lru", "arc"):
        assert {warm(policy, int(N), entry) for entry in ENTRIES} == {cold(policy, int(N))}
    start = cold("2q", int(N))
    assert all(warm("2q", int(N), entry) < start for entry in ENTRIES if entry != "end")
    assert warm("2q", int(N), "end") == pytest.approx(start, abs=0.002)


def test_2q_far_beyond():
    words = "50,000 files hit 0.58 from an empty cache and 0.27 if the new ones entered in the"
    assert words in TEXT
    assert [f"{cold('2q', 50_000):.2f}", f"{warm('2q', 50_000, 'middle'):.2f}"] == ["0.58", "0.27"]
    assert cold("2q", 56_000) == 0
    far = [f"{warm('2q', 56_000, entry):.2f}" for entry in ("middle", "quarter", "even")]
    assert f"and {far[0]}, {far[1]} and {far[2]} after a middle, a quarter and an even" in TEXT


def test_how_long_clock_remembers():
    middle = ENTRIES["middle"]
    soon, long = (clock_rounds(n, CAPACITY, middle) for n in (int(N), CAPACITY + 1))
    assert f"hitting for {soon} rounds" in TEXT
    days = long * 300 / 86_400
    assert f"it would be {grouped(long)}: {days:.0f} days, at a round every five" in TEXT
    assert warm("clock", CAPACITY + 1, "middle") == pytest.approx(0.5, abs=1e-4)


def test_where_fifo_keeps_half():
    text = solution(CHAPTER, "rrd-entry")
    keeps = [p for p in range(1001) if grown_hit_ratio(1200, 1000, p, "fifo") == 0.5]
    assert (keeps[0], keeps[-1]) == (200, 800)
    assert "after the first 200" in text
    assert "after the first 800" in text
    below, at = (
        simulate_policy(grown_trace(100, n, "spread", 80), 100, "fifo", 200 + 60 * n)
        for n in (199, 200)
    )
    assert (below / (20 * 199), at) == (0.5, 0)
    assert "Spread evenly that holds below $n = 2C$" in TEXT


def test_four_files_and_room_for_three():
    hits = simulate_policy(zigzag_trace(4, 12), 3, "lru", warmup=16)
    assert hits == 6 / 8 * 32
    assert "1, 2, 3, 4, 4, 3, 2, 1, again and again, hits six times in eight" in TEXT
