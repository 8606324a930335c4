"""The solvers of fits to a user's numbers, against scipy and numpy."""

import math

import numpy as np
import pytest
from scipy import optimize, stats

from tunables.base.user_data import numerics
from tunables.base.user_data.numerics import least_squares

PROBLEMS = range(100)


@pytest.mark.parametrize("unknowns", [1, 2])
def test_least_squares_agree_with_scipy(unknowns):
    """Noisy logarithms of sums of a constant and a line, as the fits have them."""
    for seed in PROBLEMS:
        rng = np.random.default_rng(seed)
        x = rng.uniform(0.1, 10, 12)
        truth = rng.normal(0, 1, 2)
        y = np.log(math.exp(truth[0]) + math.exp(truth[1]) * x) + rng.normal(0, 0.2, 12)

        def residuals(logs, x=x, y=y, truth=truth):
            slope = logs[1] if unknowns == 2 else truth[1]
            return (np.log(math.exp(logs[0]) + math.exp(slope) * x) - y).tolist()

        start = [0.0] * unknowns
        found, total = least_squares(residuals, start)
        peer = optimize.least_squares(residuals, start, xtol=1e-14, ftol=1e-14, gtol=1e-14)
        assert total <= 2 * peer.cost * (1 + 1e-9)  # scipy stops early where it is flat
        if math.exp(min(peer.x)) > 0.1:  # else a part is nought, and its logarithm is open
            assert found == pytest.approx(peer.x.tolist(), abs=1e-5)


def test_least_squares_start_where_there_are_residuals():
    with pytest.raises(ValueError, match=r"start = \[-1\.0\]: must be a point where"):
        least_squares(lambda x: [math.log(x[0])], [-1.0])


def test_quantiles_lines_and_correlations_agree_with_numpy():
    for seed in PROBLEMS:
        rng = np.random.default_rng(seed)
        x, y = rng.normal(0, 1, (2, 9)).tolist()
        slope, start = np.polyfit(x, y, 1)
        assert numerics.line(x, y) == pytest.approx((start, slope))
        assert numerics.correlation(x, y) == pytest.approx(np.corrcoef(x, y)[0, 1])
        for share in (0.0, 0.3, 0.5, 1.0):
            assert numerics.quantile(x, share) == pytest.approx(np.quantile(x, share))
    assert numerics.correlation([1.0, 1.0], [1.0, 2.0]) == 0


def test_equal_numbers_share_their_rank():
    for seed in PROBLEMS:
        values = np.random.default_rng(seed).integers(0, 5, 1 + seed % 9).astype(float)
        assert numerics.ranks(values.tolist()) == (stats.rankdata(values) - 1).tolist()
