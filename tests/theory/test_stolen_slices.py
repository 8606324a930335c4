"""Slices under theft of the processor, against sums of exponential times and against sampling."""

import numpy as np
import pytest
from scipy.stats import gamma, poisson

from tunables.theory.slicing import cycles_per_run
from tunables.theory.stolen_slices import stolen_continuation_probabilities


@pytest.mark.parametrize("share", [0.05, 0.5, 0.9])
@pytest.mark.parametrize("burst_s", [5e-5, 5e-4, 5e-3])
def test_the_chance_is_that_of_a_sum_of_exponential_thefts(share, burst_s):
    g, cost_s, quantum_s = 7, 170e-6, 0.010
    chances = stolen_continuation_probabilities(g, cost_s, share, burst_s, quantum_s)
    thefts = np.arange(1, 3_000)
    for looks, chance in enumerate(chances[1:], start=1):
        busy_s = looks * g * cost_s
        mu = busy_s * share / (1 - share) / burst_s
        fits = gamma.cdf((quantum_s - busy_s) / burst_s, thefts) if busy_s <= quantum_s else 0.0
        none = poisson.pmf(0, mu) if busy_s <= quantum_s else 0.0
        assert chance == pytest.approx(none + (poisson.pmf(thefts, mu) * fits).sum(), abs=1e-12)


def test_no_theft_gives_the_constant_slice():
    for g in (1, 23, 29):
        chances = stolen_continuation_probabilities(g, 217e-6, 0, 1e-3, 0.010)
        assert g * sum(chances) == pytest.approx(cycles_per_run(g, 217e-6, 0.010))


def test_sampled_thefts_take_their_share_and_end_as_many_runs():
    g, cost_s, share, burst_s = 29, 173e-6, 0.5, 0.55e-3
    draw = np.random.default_rng(6)
    thefts = draw.poisson(g * cost_s * share / (1 - share) / burst_s, 100_000)
    stolen_s = draw.gamma(np.maximum(thefts, 1e-12), burst_s)
    wall_s = stolen_s.sum() + 100_000 * g * cost_s
    assert stolen_s.sum() / wall_s == pytest.approx(share, abs=4e-3)
    on = (g * cost_s + stolen_s <= 0.010).mean()
    chance = stolen_continuation_probabilities(g, cost_s, share, burst_s, 0.010)[1]
    assert on == pytest.approx(chance, abs=0.006)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"granularity": 0}, "granularity = 0: must be"),
        ({"cost_s": 0}, "cost_s = 0: must be"),
        ({"share": 1}, "share = 1: must be"),
        ({"burst_s": 0}, "burst_s = 0: must be"),
        ({"quantum_s": 1}, "quantum_s = 1: must be .* at most 0.275"),
        ({"cost_s": 3e-8}, r"quantum_s / \(granularity \* cost_s\) = .*: must be .* at most 10000"),
    ],
)
def test_refuses(change, message):
    good = {"granularity": 29, "cost_s": 173e-6, "share": 0.5, "burst_s": 5.5e-4, "quantum_s": 0.01}
    with pytest.raises(ValueError, match=message):
        stolen_continuation_probabilities(**good | change)
