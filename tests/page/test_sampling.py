"""Curves are true: what is drawn between the computed points is the function."""

import json
import math
import random
from bisect import bisect
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.page.states import random_state, random_value
from tunables.core.registry import cases
from tunables.page.explorer import ExplorerSession
from tunables.page.sampling import grid, sample
from tunables.views.explorer import describe

WIDTH, HEIGHT = 500, 250  # pixels of a chart
NEAR = 8  # points to either side
# A value of these takes milliseconds, and hundreds make a curve.
STATES = {"dpp": 20, "quagga": 20, "storm": 60, "tied": 20, "fanout": 20, "hedge": 20}
VIEWS = [
    pytest.param(case, view, id=f"{case.name}-{view.x}-{view.y}")
    for case in cases().values()
    for view in case.views
]


@given(st.floats(0.01, 1e6), st.floats(1.001, 1e4), st.integers(2, 60))
@settings(derandomize=True, deadline=None, max_examples=60)
def test_a_grid_rises_and_keeps_its_ends(low, ratio, points):
    for scale in ("linear", "log"):
        values = grid(low, low * ratio, scale, points)
        assert values[0] == low
        assert values[-1] == low * ratio
        assert values == sorted(values)


def curve(value, points=11, height=1.0, **parameter):
    p = {"low": 0.0, "high": 10.0, "integer": False, "scale": "linear"} | parameter
    return list(sample(value, p, points, height))[-1]


def test_a_jump_is_found_to_a_billionth_of_the_range_and_drawn_upright():
    drawn = curve(lambda x: float(x > math.pi))
    upright = [(a, b) for a, b in pairwise(drawn) if a[1] != b[1]]
    (((x, low), (same, high)),) = upright
    assert x == same == pytest.approx(math.pi, abs=1e-8)
    assert (low, high) == (0, 1)


def test_a_jump_between_whole_numbers_is_drawn_half_way():
    drawn = curve(lambda x: float(x > 36_562), low=1000.0, high=200_000.0, integer=True)
    assert (36562.5, 0) in drawn
    assert (36562.5, 1) in drawn


def test_of_few_whole_numbers_each_is_a_point_and_only_great_steps_are_upright():
    steps = curve(lambda x: 0.2 * (x > 3) + 0.8 * (x > 6), integer=True)
    assert [x for x, _ in steps] == [0, 1, 2, 3, 4, 5, 6, 6.5, 6.5, 7, 8, 9, 10]


def test_a_straight_line_is_not_looked_at_closer_and_a_bend_is():
    assert len(curve(lambda x: x / 10, points=42)) == 83
    assert len(curve(lambda x: abs(x - math.pi) / 10, points=42)) > 83


def test_a_curve_may_leave_for_infinity():
    drawn = curve(lambda x: math.inf if x > 5 else 0.5)
    assert drawn[0] == (0, 0.5)
    assert drawn[-1] == (10, math.inf)


def distance(curve, point):
    """Return the distance of a point from a polyline, all in pixels."""
    best = math.inf
    px, py = point
    for (ax, ay), (bx, by) in pairwise(curve):
        squared = (bx - ax) ** 2 + (by - ay) ** 2
        along = ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / squared if squared else 0.0
        along = min(1.0, max(0.0, along))
        best = min(best, math.hypot(ax + along * (bx - ax) - px, ay + along * (by - ay) - py))
    return best


def on_screen(parameter, low, high):
    """Return the function that gives a point's place in pixels, on a y-axis from low to high."""
    log = parameter.scale == "log"

    def place(point):
        x, y = point
        p, q = parameter.low, parameter.high
        share = math.log(x / p) / math.log(q / p) if log else (x - p) / (q - p)
        return WIDTH * share, HEIGHT * (y - low) / (high - low)

    return place


def axes(view, ys):
    """Yield the axis of a view, widened to its curve, and one that fits the curve alone."""
    low, high = view["domain"]
    yield min(low, *ys), max(high, *ys)
    if max(ys) - min(ys) > (high - low) / 50:
        yield min(0.0, *ys), max(ys)


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize(("case", "view"), VIEWS)
def test_at_200_states_the_marker_is_within_a_pixel_of_its_curve(case, view):
    """Also of the curve that was there when the marker was elsewhere: it is not drawn again."""
    chance = random.Random(1971)
    description = describe(case)
    description["views"] = [v for v in description["views"] if (v["x"], v["y"]) == (view.x, view.y)]
    (drawn,) = description["views"]
    parameter = case.parameter(view.x)
    page = ExplorerSession(json.dumps(description), case.predict)

    def reply(state):
        page.reply(json.dumps({"state": state}))
        (found,) = json.loads(page.reply(json.dumps({"draw_s": 60})))["views"]
        return found

    for _ in range(STATES.get(case.name, 200)):
        state = random_state(case, chance)
        before = reply(state)
        moved = state | {view.x: random_value(parameter, chance)}
        points = [(row["x"], row["y"]) for row in before["curve"]]
        here = reply(moved)["here"][0]
        for low, high in axes(drawn, [y for _, y in points]):
            place = on_screen(parameter, low, high)
            for mark in (here, before["here"][0]):
                at = bisect(points, mark["x"], key=lambda point: point[0])
                near = [place(point) for point in points[max(0, at - NEAR) : at + NEAR]]
                assert distance(near, place((mark["x"], mark["y"]))) < 1, (moved, low, high)
