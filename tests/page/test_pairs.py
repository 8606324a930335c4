"""Two settings compared: seeds, intervals of the difference, and what they tell."""

import random

import pytest

from tunables.page.pairs import (
    APART,
    SERIES,
    compared,
    first_seeds,
    interval_words,
    steps,
    told,
    two_digits,
    verdict,
)
from tunables.parts.replication import Simulation
from tunables.plain.interval import confidence_interval


def test_common_seeds_are_those_of_the_simulation():
    seen: list[int] = []

    def run(seed):
        seen.append(seed)
        return {"x": 0.0}

    Simulation(run, replications=3).runs(7)
    assert first_seeds(7, 3, common=True) == [seen[0], seen[0]]


@pytest.mark.parametrize("replications", [1, 20])
def test_own_seeds_share_none_in_a_thousand_runs_a_replication(replications):
    first, second = first_seeds(3, replications, common=False)
    assert second - first == APART * replications


def test_the_intervals_are_those_of_the_samples_and_of_their_differences():
    draw = random.Random(4)
    a, b = ([draw.random() for _ in range(9)] for _ in range(2))
    gaps = [y - x for x, y in zip(a, b, strict=True)]
    assert compared(a, b) == [confidence_interval(samples) for samples in (a, b, gaps)]


def test_common_noise_leaves_the_difference():
    noise = [random.Random(seed).random() for seed in range(8)]
    _, _, (mean, half_width) = compared(noise, [each + 0.01 for each in noise])
    assert mean == pytest.approx(0.01)
    assert half_width < 1e-15


@pytest.mark.parametrize(
    ("difference", "words"),
    [
        ((2.0, 1.0), "B is above A"),
        ((-2.0, 1.0), "B is below A"),
        ((1.0, 1.0), "these runs do not tell"),
        ((0.0, 0.0), "A and B are equal"),
        ((0.1, 0.0), "B is above A"),
    ],
)
def test_the_verdict(difference, words):
    assert verdict(difference) == words


@pytest.mark.parametrize("runs", [2, 4, 5, 6, 40, 1000])
def test_steps_double_and_end_with_all_runs(runs):
    shown = steps(runs)
    assert shown[-1] == runs
    assert shown == sorted(set(shown))
    assert all(step in (5 * 2**n for n in range(9)) for step in shown[:-1])


def test_what_is_told_is_of_the_runs_so_far():
    draw = random.Random(4)
    a, b = ([draw.random() for _ in range(12)] for _ in range(2))
    said = told(a, b)
    assert said["texts"] == [interval_words(each) for each in compared(a, b)]
    assert said["verdict"] == verdict(compared(a, b)[2])
    assert [row[0] for row in said["widths"]] == ["5", "10", "12"]
    half, _, gap = [half_width for _, half_width in compared(a[:5], b[:5])]
    assert said["widths"][0] == ["5", *map(two_digits, (half, half * 5**0.5, gap))]


def test_one_run_has_no_interval():
    assert told([1.5], [2.0]) == {
        "texts": ["1.5", "2", "–"],
        "verdict": "one run tells no error",
        "widths": [],
        "points": [],
    }


def test_the_points_are_the_half_widths_and_a_law_through_the_first():
    draw = random.Random(4)
    a, b = ([draw.random() for _ in range(20)] for _ in range(2))
    points = {(point["of"], point["x"]): point["y"] for point in told(a, b)["points"]}
    assert set(points) == {(name, runs) for name in SERIES for runs in (5, 10, 20)}
    for runs in (5, 10, 20):
        half, _, gap = [half_width for _, half_width in compared(a[:runs], b[:runs])]
        law = points[SERIES[0], 5] * (5 / runs) ** 0.5
        assert [points[name, runs] for name in SERIES] == pytest.approx([half, law, gap])


def test_no_width_has_no_point():
    assert told([1.0] * 5, [2.0] * 5)["points"] == []
