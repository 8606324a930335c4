"""The chain of granularities against the simulated queue and against exact small cases."""

import math

import numpy as np
import pytest

from tunables.simulators.work_queue import drain_work_queue
from tunables.theory.granularity import granularity_runs
from tunables.theory.granularity_paths import mean_cost_between, runs_between
from tunables.theory.slicing import (
    continuation_probabilities,
    expected_cycles_per_run,
    limiting_granularity,
)

RULES = ("2005-05-06", "2005-05-23", "2010")


def drain_queue(seed, items, mean_s, shape, rule):
    costs = np.random.default_rng(seed).gamma(shape, mean_s / shape, items)
    return drain_work_queue(costs, 0.010, rule)


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_probability_and_items_of_a_path_are_those_of_simulated_queues(rule):
    runs = 200
    ends = []
    for seed in range(400):
        drain = drain_queue(seed, 16_000, 0.00035, 0.8, rule)
        ends.append((int(drain.granularity[runs - 1]), int(drain.cycles[:runs].sum())))
    granularities = [g for g, _ in ends]
    common = max(set(granularities), key=granularities.count)
    items = np.array([total for g, total in ends if g == common])
    probability, expected = runs_between(1, common, runs, 0.00035, 0.8, 0.010, rule)
    share = len(items) / len(ends)
    assert abs(share - probability) < 4 * math.sqrt(probability * (1 - probability) / len(ends))
    assert abs(items.mean() - expected) < 4 * items.std() / math.sqrt(len(items))


def test_all_ends_of_the_chain_sum_to_one():
    chances = [runs_between(1, g, 50, 0.00035, 0.8, 0.010, "2005-05-06")[0] for g in range(1, 102)]
    assert sum(chances) == pytest.approx(1, rel=1e-12)
    assert all(chance == 0 for chance in chances[1::2])  # even granularities are out of reach


def test_a_fixed_granularity_takes_the_expected_cycles():
    probability, items = runs_between(29, 29, 100, 0.00033, 0.8, 0.010, "fixed")
    assert probability == 1
    assert items / 100 == pytest.approx(expected_cycles_per_run(29, 0.00033, 0.8, 0.010))


def test_out_of_reach_has_no_items():
    probability, items = runs_between(1, 9, 2, 0.0001, 0.8, 0.010, "2005-05-06")
    assert probability == 0
    assert math.isnan(items)


@pytest.mark.parametrize(("start", "end", "runs"), [(1, 23, 370), (23, 29, 4126), (29, 29, 454)])
def test_the_calibrated_cost_gives_the_items_back(start, end, runs):
    items = 35.5 * runs
    cost_s = mean_cost_between(items, runs, start, end, 0.8, 0.010, "2005-05-06")
    back = runs_between(start, end, runs, cost_s, 0.8, 0.010, "2005-05-06")[1]
    assert back == pytest.approx(items, rel=1e-10)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("mean_s", "items"), [(5e-6, 300_000), (217e-6, 300_000), (0.015, 400)])
def test_nearly_constant_costs_follow_the_constant_path(rule, mean_s, items):
    runs, chances, _ = granularity_runs(items, mean_s, 1e6, 0.010, rule)
    drain = drain_work_queue([mean_s] * items, 0.010, rule)
    assert sum(runs.values()) == pytest.approx(len(drain.cycles), rel=0.02)
    last = max(chances, key=chances.get)
    assert last == pytest.approx(drain.granularity[-1], rel=0.02)
    assert last <= limiting_granularity(mean_s, 0.010, rule)


@pytest.mark.parametrize("rule", [*RULES, "fixed"])
def test_all_items_are_taken_and_the_chances_sum_to_one(rule):
    runs, chances, _ = granularity_runs(50_000, 0.0004, 0.8, 0.010, rule)
    items = sum(n * expected_cycles_per_run(g, 0.0004, 0.8, 0.010) for g, n in runs.items())
    assert items == pytest.approx(50_000, rel=1e-3)  # the runs that are sure to grow are rounded
    assert sum(chances.values()) == pytest.approx(1, rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_runs_chances_and_lengths_are_those_of_simulated_queues(rule):
    runs, chances, square = granularity_runs(20_000, 0.0004, 0.8, 0.010, rule)
    drains = [drain_queue(seed, 20_000, 0.0004, 0.8, rule) for seed in range(300)]
    ends = [int(d.granularity[-1]) for d in drains]
    common = max(set(ends), key=ends.count)
    assert ends.count(common) / 300 == pytest.approx(chances[common], abs=0.1)
    assert sum(runs.values()) == pytest.approx(np.mean([len(d.cycles) for d in drains]), rel=0.01)
    lengths = np.concatenate([d.slice_s for d in drains])
    assert square == pytest.approx(np.mean(lengths**2), rel=0.01)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: granularity_runs(0, 1e-4, 1, 0.01, "2010"), "items = 0: must be"),
        (lambda: granularity_runs(1, 0, 1, 0.01, "2010"), "mean_cost_s = 0: must be"),
        (lambda: granularity_runs(1, 1e-4, math.nan, 0.01, "2010"), "shape = nan: must be"),
        (lambda: granularity_runs(1, 1e-4, 1, -1, "2010"), "quantum_s = -1: must be"),
        (lambda: granularity_runs(1, 1e-4, 1, 0.01, "2005"), "rule = '2005': must be one of"),
        (lambda: granularity_runs(1, 1e-4, 1, 0.01, "2010", 0), "granularity = 0: must be"),
        (
            lambda: granularity_runs(10**30, 1e-9, 1, 1, "2005-05-06"),
            "quantum_s = 1.0: must be so short that",
        ),
        (lambda: runs_between(3, 1, 5, 1e-4, 1, 0.01, "2010"), "end = 1: must be .* at least 3"),
        (lambda: runs_between(1, 3, 0, 1e-4, 1, 0.01, "2010"), "runs = 0: must be"),
        (
            lambda: runs_between(1, 999, 10**30, 1e-6, 1, 0.01, "2005-05-06"),
            "runs = 10*: too many for the 500 granularities",
        ),
        (lambda: mean_cost_between(0, 1, 1, 3, 1, 0.01, "2010"), "items = 0: must be"),
        (lambda: mean_cost_between(10, 9, 1, 2, 1, 0.01, "2005-05-06"), "items = 10: no mean cost"),
    ],
)
def test_refuses(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_many_runs_taken_by_squaring_are_the_powers_of_the_matrix():
    """The chain's matrix, written down here from the chances to go on, and raised by numpy."""
    costs, runs = (0.00033, 0.8, 0.010), 4126
    states = [23, 25, 27, 29]
    grows = [continuation_probabilities(g, *costs)[2] for g in states]
    matrix = np.diag([1 - p for p in grows]) + np.diag(grows[:-1], 1)
    whole = np.linalg.matrix_power(matrix, runs)
    for end, expected in zip(states, whole[0], strict=True):
        probability, _ = runs_between(23, end, runs, *costs, "2005-05-06")
        assert probability == pytest.approx(expected, rel=1e-9)
    one_run = [runs_between(g, g, 1, *costs, "2005-05-06")[1] for g in states]
    items = runs_between(29, 29, runs, *costs, "2005-05-06")[1]
    assert items == pytest.approx(runs * one_run[-1], rel=1e-9)


@pytest.mark.parametrize("cost", [1e-5, 4e-5])
def test_beyond_the_quantum_a_long_run_of_exponential_costs_has_no_memory(cost):
    """It goes on for one cost more: E[(Q + X)^2] = Q^2 + 2 Q c + 2 c^2."""
    *_, square = granularity_runs(10_000_000, cost, 1, 0.010, "fixed")
    assert square == pytest.approx(1e-4 + 2 * 0.010 * cost + 2 * cost**2, rel=1e-9)
