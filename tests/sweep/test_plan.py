"""The points of a sweep: each once, the same whatever the chunks, refused where there are none."""

import itertools
import json
from collections import Counter
from dataclasses import replace

import pytest

from tunables.parts.registry import find_case
from tunables.sweep.axes import parsed_axis
from tunables.sweep.plan import Plan, plan_of

STORM = find_case("storm")
GRID = ("timeout_s=0.1:2:5", "retries=0:3", "arrival_rate_per_s=10,20,30")


def plan(*texts, **others):
    return Plan("storm", tuple(parsed_axis(STORM, text) for text in texts), **others)


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


def test_it_can_be_told_as_text_and_back():
    for sweep in (
        plan(*GRID, seeds=3, chunk=9),
        plan("timeout_s=0.1:2", "retries", drawn=50, chunk=8),
    ):
        again = plan_of(json.dumps(sweep.described()))
        assert again == sweep
        assert points(again) == points(sweep)


@pytest.mark.parametrize(
    ("texts", "others", "words"),
    [
        ((), {}, r"grid = \[\]: must be one or more parameters"),
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
