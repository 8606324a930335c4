"""One parameter of a sweep, as a command line says it."""

import itertools
import json
import math
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunables.core.registry import find_case
from tunables.sweep.plan import Plan, parse_axis, plan_of

STORM, RRD, RDU = (find_case(name) for name in ("storm", "rrd", "rdu"))


def values(axis):
    return [axis[n] for n in range(len(axis))]


@pytest.mark.parametrize(
    ("case", "text", "expected"),
    [
        (STORM, "retries=0:4", [0, 1, 2, 3, 4]),
        (STORM, "retries", list(range(9))),
        (STORM, "retries=0:8:3", [0, 4, 8]),
        (STORM, "retries=3", [3]),
        (STORM, " arrival_rate_per_s = 10 : 30 : 5 ", [10, 15, 20, 25, 30]),
        (STORM, "timeout_s=0.05:5:3", [0.05, 0.5, 5]),  # on its scale, by equal factors
        (STORM, "timeout_s=100 ms,2 s", [0.1, 2]),
        (RRD, "memory_gib=2048 MiB:4:3", [2, 3, 4]),
        (RRD, "graphs=40k", [40_000]),
        (RRD, "scheme=lru,mru", ["lru", "mru"]),
        (RRD, "scheme=lru, zigzag", ["lru, zigzag"]),  # its name has a comma
        (RDU, "hypothesis", list(RDU.parameter("hypothesis").choices)),
    ],
)
def test_a_text_names_values(case, text, expected):
    got = values(parse_axis(case, text))
    assert got == (expected if isinstance(expected[0], str) else pytest.approx(expected))
    assert len(got) == len(expected)


@pytest.mark.parametrize(
    ("case", "text", "words"),
    [
        (STORM, "retrys=0:4", "parameter = 'retrys': must be one of arrival_rate_per_s"),
        (STORM, "timeout_s=2:0.1:5", "timeout_s = 2:0.1: must go from low to high"),
        (STORM, "timeout_s=1:1:5", "must go from low to high"),
        (STORM, "retries=4:0", "must go from low to high"),
        (STORM, "timeout_s=0.1:9:5", "timeout_s = 9.*at most 5"),
        (STORM, "timeout_s=0.1:2 GiB:4", "GiB.*must be in s"),
        (STORM, "timeout_s=0.1:2:0", "count of timeout_s = 0: must be a whole number at least 2"),
        (STORM, "timeout_s=0.1:2:1e12", "count of timeout_s = '1e12'"),
        (STORM, "timeout_s=0.1:2:²", "count of timeout_s = '²'"),
        (STORM, "timeout_s=nan:1:4", "is not a number"),
        (STORM, "retries=0:4:9", "count of retries = 9: must be at most 5"),
        (STORM, "retries=0.5", "retries = 0.5: must be a whole number"),
        (STORM, "retries=1,1", "the values must all be different"),
        (STORM, "timeout_s=1::3", "must be NAME, NAME=VALUE"),
        (STORM, "timeout_s=1:2:3:4", "must be NAME, NAME=VALUE"),
        (STORM, "timeout_s=", "must be NAME, NAME=VALUE"),
        (STORM, "", "parameter = ''"),
        (RRD, "scheme=lifo", "scheme = 'lifo': must be one of"),
        (RRD, "scheme=lru:mru", "scheme must be one of"),
    ],
)
def test_what_makes_no_sense_is_refused_with_what_is_allowed(case, text, words):
    with pytest.raises(ValueError, match=words):
        parse_axis(case, text)


@pytest.mark.parametrize(
    ("case", "text", "words"),
    [
        (STORM, "timeout_s=3", "timeout_s: 3 s"),
        (STORM, "timeout_s=300 ms", "timeout_s: 0.3 s"),
        (STORM, "timeout_s=4/s", "timeout_s: 0.25 s"),  # as in a field: the time of one
        (STORM, "timeout_s=0.1,2 s", "timeout_s: 0.1 s, 2 s"),
        (STORM, "timeout_s=0.1:2:5", "timeout_s: from 0.1 s to 2 s"),
        (RRD, "memory_gib=2048 MiB:4", "memory_gib: from 2 GiB to 4 GiB"),
        (RRD, "scheme=lru,mru", "scheme: lru, mru"),
    ],
)
def test_a_sweep_says_what_it_read_a_value_as(case, text, words):
    assert parse_axis(case, text).words() == words


@given(st.text(alphabet="retis=0123456789.:,-e _", max_size=24))
def test_any_text_is_an_axis_or_a_sentence(text):
    try:
        axis = parse_axis(STORM, f"retries{text}")
    except ValueError:
        return
    assert all(STORM.parameter("retries").check(value) == value for value in values(axis))


@given(st.floats(0, 1), st.sampled_from(["retries=1:3", "timeout_s=0.1:2", "retries=2,5"]))
def test_a_share_of_a_range_is_within_it(share, text):
    axis = parse_axis(STORM, text)
    value = axis.at(share)
    assert STORM.parameter(axis.parameter.name).check(value) == value
    low, here, high = (float(axis.at(each)) for each in (0.0, share, 1.0))
    assert low <= here <= high


def test_half_of_a_logarithmic_range_is_its_geometric_mean():
    assert parse_axis(STORM, "timeout_s=0.1:2").at(0.5) == pytest.approx(math.sqrt(0.2))


STORM_PLAN = find_case("storm")
GRID = ("timeout_s=0.1:2:5", "retries=0:3", "arrival_rate_per_s=10,20,30")


def plan(*texts, **others):
    return Plan("storm", tuple(parse_axis(STORM_PLAN, text) for text in texts), **others)


def points(sweep):
    return [each for chunk in range(sweep.chunks) for each in sweep.chunk_settings(chunk)]


@pytest.mark.parametrize("chunk", [1, 7, 60, 512])
def test_a_grid_has_each_combination_once_in_order_whatever_the_chunks(chunk):
    sweep = plan(*GRID, chunk=chunk)
    axes = [[axis[n] for n in range(len(axis))] for axis in sweep.axes]
    names = [axis.parameter.name for axis in sweep.axes]
    expected = [dict(zip(names, each, strict=True)) for each in itertools.product(*axes)]
    assert [{name: each[name] for name in names} for each in points(sweep)] == expected
    assert len(expected) == sweep.points == 60


@pytest.mark.parametrize("chunk", [1, 3, 64, 300])
def test_drawn_points_are_the_same_whatever_the_chunks(chunk):
    sweep = plan("timeout_s=0.1:2", "retries", drawn=200, chunk=200)
    assert points(replace(sweep, chunk=chunk)) == points(sweep)


def test_drawn_points_fill_the_ranges_evenly():
    sweep = plan("timeout_s=0.1:2", "retries=0:7", drawn=4096)
    drawn = points(sweep)
    retries = Counter(each["retries"] for each in drawn)
    assert retries == dict.fromkeys(range(8), 512)  # a Sobol sequence of 2^12 points
    below = sum(float(each["timeout_s"]) < (0.1 * 2) ** 0.5 for each in drawn)
    assert below == 2048
    assert len({each["timeout_s"] for each in drawn}) == 4096


def test_a_plan_survives_its_description_as_text():
    for sweep in (
        plan(*GRID, seeds=3, chunk=9),
        plan("timeout_s=0.1:2", "retries", drawn=50, chunk=8),
    ):
        again = plan_of(json.dumps(sweep.describe()))
        assert again == sweep
        assert points(again) == points(sweep)


@pytest.mark.parametrize(
    ("texts", "others", "words"),
    [
        ((), {}, r"grid = \[\]: must name one or more parameters"),
        (("retries", "retries=1"), {}, "each once"),
        (("timeout_s=0.1:2",), {}, "must say how many values"),
        (("timeout_s",), {}, "must say how many values"),
        (
            ("timeout_s=0.1:2:1000000", "arrival_rate_per_s=1:2:1000000"),
            {},
            "rows of the sweep = 1000000000000: must be a whole number .* at most 1e\\+08",
        ),
        (("retries",), {"seeds": 100_000_000}, "rows of the sweep = 900000000"),
        (("timeout_s",), {"drawn": 10_000_001}, "sobol = 10000001"),
        (("retries",), {"seeds": -1}, "seeds = -1"),
        (("retries",), {"chunk": 0}, "chunk = 0"),
    ],
)
def test_a_sweep_that_makes_no_sense_is_refused_before_anything_starts(texts, others, words):
    with pytest.raises(ValueError, match=words):
        plan(*texts, **others)
