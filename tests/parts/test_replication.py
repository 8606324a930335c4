"""Replications: which seeds they run with, what makes an interval, and what draws nothing."""

import random

import pytest

from tunables.parts.registry import find_case
from tunables.parts.replication import Simulation, interval
from tunables.simulators.interval import confidence_interval


def drawn(seed, *, mean):
    return {"x": mean + random.Random(seed).random(), "seed": float(seed)}


def test_a_seed_stands_for_so_many_runs_that_no_other_seed_has():
    simulation = Simulation(drawn, replications=3)
    seeds = [[run["seed"] for run in simulation.runs(seed, mean=0)] for seed in (0, 1, 2)]
    assert seeds == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]


def test_settings_compared_under_one_seed_have_the_same_draws():
    simulation = Simulation(drawn, replications=3)
    low, high = (simulation.runs(7, mean=mean) for mean in (0, 1))
    gaps = [b["x"] - a["x"] for a, b in zip(low, high, strict=True)]
    assert gaps == pytest.approx([1, 1, 1])


def test_the_interval_is_student_s_over_the_runs():
    simulation = Simulation(drawn, replications=4)
    samples = [run["x"] for run in simulation.runs(1, mean=2)]
    assert simulation.intervals(1, mean=2)["x"] == confidence_interval(samples)


def test_arguments_may_need_fewer_runs_from_the_same_first_seed():
    simulation = Simulation(drawn, replications=5, needed=lambda mean: 1 if mean == 0 else 5)
    assert simulation.intervals(2, mean=0) == {"x": (drawn(10, mean=0)["x"], 0.0), "seed": (10, 0)}
    assert len(simulation.runs(2, mean=1)) == 5


def test_a_single_run_has_no_width():
    assert interval([2]) == (2.0, 0.0)


@pytest.mark.parametrize("seed", [-1, 1.5, "one", True])
def test_a_seed_that_is_not_whole_is_refused(seed):
    with pytest.raises(ValueError, match=f"seed = {seed!r}: must be a whole number at least 0"):
        Simulation(drawn).runs(seed, mean=0)


@pytest.mark.parametrize("scheme", ["lru", "opt"])
def test_a_scheme_that_draws_nothing_runs_once(scheme):
    settings = find_case("rrd").settings(scheme=scheme, graphs=2_000)
    simulated = find_case("rrd").simulate(1, **settings)
    assert [half_width for _, half_width in simulated.values()] == [0, 0, 0]
    assert simulated == find_case("rrd").simulate(2, **settings)
