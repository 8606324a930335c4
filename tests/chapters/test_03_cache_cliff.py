"""Chapter 3: every number of its prose and of its solutions, computed."""

import math

import pytest

from tests.chapters.notebooks import ROOT, prose, solution
from tunables.cases.rrd import bytes_per_graph
from tunables.evidence.published import published
from tunables.predictors.rrd import GIB_BYTES, capacity_graphs
from tunables.reader.formats import grouped
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
CAPACITY = capacity_graphs(DATA["usable-memory-new-server"], 98, bytes_per_graph())


def offset(at_80, at_98):
    """Return x of C = k (u - x) through two points."""
    return (98 * at_80 - 80 * at_98) / (at_80 - at_98)


def bounds():
    """Return the largest and smallest memory a graph can take, from the two servers alone."""
    return 4 * GIB_BYTES / N, 3.25 * GIB_BYTES / N


def numbers_in_the_prose():
    largest, smallest = bounds()
    graph = bytes_per_graph()
    return {
        "room in 3.25 GiB": grouped(CAPACITY),
        "room in 4 GiB": grouped(capacity_graphs(4, 98, graph)),
        "bytes a graph": f"{grouped(graph)} bytes ({graph / 1024:.1f} KiB)",
        "bracket": f"{grouped(smallest)} to {grouped(largest)} bytes a graph",
        "graphs in 8 GiB": (
            f"{grouped(8 * GIB_BYTES / largest)} to {grouped(math.ceil(8 * GIB_BYTES / smallest))}"
        ),
        "zigzag": f"20 down to {slowdown(zigzag_hit_ratio(CAPACITY / N), R):.1f}",
        "shuffle": f"lesser cure: {slowdown(shuffled_hit_ratio(CAPACITY / N), R):.1f}",
        "old server at 80": f"held {grouped(capacity_graphs(4, 80, graph))} graphs",
        "old server by the report": f"{grouped(C80 * 4 / 8)} by the report",
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
    assert 8 * GIB_BYTES / smallest < 10 * C98 / 9


def test_two_points_two_parameters():
    low, high = offset(72_500, 87_500), offset(67_500, 92_500)
    text = solution(CHAPTER, "rrd-offset")
    assert f"−{-low:.0f} (72,500 and 87,500)" in text
    assert f"{high:.0f} (67,500 and 92,500)" in text
    assert low < 0 < high
    assert "zero included" in TEXT
    assert f"from −{-low:.0f} to {high:.0f}" in TEXT
