"""The validity maps: what they claim of closed form and simulation, held by other means."""

from functools import cache
from typing import Any

import pytest

from tests.core.asked import map_samples
from tunables.core.case import Simulation
from tunables.core.registry import find_map, maps
from tunables.core.validity import MapAxis, ValidityMap, sweep
from tunables.page.validity import judge
from tunables.views.validity import describe_map

# The maps whose simulation drops an assumption of the closed form, row by row.
DROPPED = [name for name, validity in maps().items() if validity.y.assumed is not None]

pytestmark = pytest.mark.slow


@cache
def description_of(name):
    return describe_map(find_map(name))


def count_parted(description, percent=5):
    said = [each for row in judge(description, percent)["verdicts"] for each in row]
    return sum(each.startswith("too") for each in said), len(said)


# `make notebook-tests` computes all maps, and sees that they are the printed ones.
@pytest.mark.sampled
@pytest.mark.parametrize("name", maps())
def test_a_map_has_an_inside_and_an_outside(name):
    count, cells = count_parted(description_of(name))
    assert 0.1 * cells < count < 0.7 * cells
    said = [each for row in judge(description_of(name), 5)["verdicts"] for each in row]
    assert said.count("agrees") > 0.3 * cells
    assert said.count("undecided") < 0.15 * cells


@pytest.mark.sampled
@pytest.mark.parametrize("name", maps())
def test_a_larger_tolerance_never_parts_more_cells(name):
    counts = [count_parted(description_of(name), percent)[0] for percent in range(1, 51)]
    assert counts == sorted(counts, reverse=True)


@pytest.mark.sampled
@pytest.mark.parametrize("name", DROPPED)
def test_where_the_assumption_is_kept_no_cell_parts(name):
    description = description_of(name)
    row = description["y"]["values"].index(description["y"]["assumed"])
    verdicts = judge(description, 5)["verdicts"][row]
    assert not [said for said in verdicts if said.startswith("too")]


def test_the_same_seed_gives_the_same_cells_and_another_one_others():
    settings, _ = find_map("storm").split(40, 0.3)
    runs = [map_samples("storm", settings, seed) for seed in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]


# What a declaration refuses.


@pytest.mark.parametrize("values", [(1.0,), (2.0, 1.0), (1.0, 1.0)])
def test_an_axis_must_rise(values):
    with pytest.raises(ValueError, match="two or more in ascending order"):
        MapAxis("graphs", "Graphs", "graphs", "", values)


def test_the_assumption_must_be_on_the_axis():
    with pytest.raises(ValueError, match="assumed = 3"):
        MapAxis("disorder", "Disorder", "disorder", "1", (0, 1), assumed=3)


def declare(**changes):
    case = maps()["rrd"].case
    plain: dict[str, Any] = {
        "case": case,
        "title": "Two by two",
        "x": MapAxis("graphs", "Graphs", "graphs", "", (10_000, 40_000)),
        "y": MapAxis("memory_gib", "Memory", "memory", "GiB", (2, 4)),
        "output": "slowdown",
        "simulation": Simulation(lambda seed, **settings: case.predict(**settings), 2),
        "why": "",
    }
    return ValidityMap(**(plain | changes))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"output": "speed"}, "output = 'speed'"),
        ({"settings": {"colour": 1}}, "parameter = 'colour'"),
        ({"x": MapAxis("colour", "Colour", "colour", "", (1, 2))}, "name of an axis = 'colour'"),
        ({"x": MapAxis("graphs", "Graphs", "graphs", "", (1, 40_000))}, "graphs = 1"),
    ],
)
def test_a_map_of_what_the_case_has_not_is_refused(changes, sentence):
    with pytest.raises(ValueError, match=sentence):
        declare(**changes)


def test_a_small_sweep_gives_closed_form_mean_and_half_width():
    cells = sweep(declare())
    assert [[cell.closed for cell in row] for row in cells] == [[1, 20], [1, 1]]
    assert all(c.closed == c.simulated and c.half_width == 0 for row in cells for c in row)


def test_a_simulation_that_gives_nothing_is_refused():
    with pytest.raises(ValueError, match="slowdown = 0"):
        sweep(declare(simulation=Simulation(lambda seed, **_: {"slowdown": 0.0}, 2)))


def test_an_unknown_map_is_refused():
    with pytest.raises(ValueError, match="map = 'lease'"):
        find_map("lease")
