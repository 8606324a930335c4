"""A slice of items whose costs are independent and gamma distributed: its length's moments."""

from tunables.base.arguments import integer, number
from tunables.base.portable import plain_sum
from tunables.base.refusals import refusal
from tunables.theory.special import LARGEST_SHAPE, lower_gammas

_MOST_CHECKS = 100_000
_TOLERANCE = 1e-11  # of a chance; a check that is reached less often is the last that counts


def chances_to_go_on(block_shape: float, x: float) -> list[tuple[float, float]]:
    """Return [(P(a, x), P(a + 1, x))] for a = 0, block_shape, 2 block_shape, ..., unchecked.

    The first of each pair is the chance that a run goes on after 0, 1, 2, ... blocks of items
    whose costs are gamma distributed with block_shape each; x is the quantum over the cost's
    scale. The list ends where that chance is below 1e-11. Raises ValueError if it does not end.
    """
    number("quantum_s * shape / mean_cost_s", x, at_most=LARGEST_SHAPE)
    result = [(1.0, 0.0)]  # no item is done before the run begins, and no time has passed
    while result[-1][0] > _TOLERANCE:
        result.append(lower_gammas(len(result) * block_shape, x, _TOLERANCE))
        if len(result) > _MOST_CHECKS:
            raise refusal(
                f"shape = {block_shape:g} (all items between two checks of the clock together) and "
                f"quantum_s * shape / mean_cost_s = {x:g}: must give a run of at most "
                f"{_MOST_CHECKS} checks"
            )
    return result


def moments(chances, granularity: int, mean_cost_s: float, shape: float) -> tuple[float, float]:
    """Return `slice_moments` from these `chances_to_go_on`, without checks."""
    block_s = granularity * mean_cost_s
    checks = plain_sum([p for p, _ in chances])
    within = plain_sum([j * m for j, (_, m) in enumerate(chances)])
    square = block_s * (2 * block_s * within + (block_s + mean_cost_s / shape) * checks)
    return block_s * checks, square


def _check_arguments(granularity, mean_cost_s, shape, quantum_s):
    """Return (`chances_to_go_on`, granularity, mean_cost_s, shape), the numbers as Python's."""
    g = integer("granularity", granularity, at_least=1)
    c = number("mean_cost_s", mean_cost_s, above=0)
    kappa = number("shape", shape, above=0)
    x = number("quantum_s", quantum_s, at_least=0) * kappa / c
    return chances_to_go_on(g * kappa, x), g, c, kappa


def continuation_probabilities(
    granularity: int, mean_cost_s: float, shape: float, quantum_s: float
) -> list[float]:
    """P_j = Pr(S_jg <= Q) for j = 0, 1, 2, ...: the chance that a run goes on after check j.

    S_n is the cost of n items with independent gamma costs (mean c, shape kappa), so
    P_j = P(j g kappa, Q kappa/c), the regularised lower incomplete gamma function. The list
    ends where P_j is below 1e-11.

    Raises ValueError for a granularity that is not a whole number at least 1, a mean cost
    or shape that is not above 0, a negative quantum, or one with room for 100,000 looks.

    >>> [round(p, 3) for p in continuation_probabilities(30, 0.00033, 0.8, 0.010)]
    [1.0, 0.547, 0.0, 0.0]
    """
    return [p for p, _ in _check_arguments(granularity, mean_cost_s, shape, quantum_s)[0]]


def expected_cycles_per_run(
    granularity: int, mean_cost_s: float, shape: float, quantum_s: float
) -> float:
    """Mean number of items in a run with gamma costs: E[cycles] = g sum_{j >= 0} P_j.

    P_j as in continuation_probabilities. The mean slice lasts c E[cycles] (Wald's equation).
    Raises ValueError as continuation_probabilities does.

    >>> round(expected_cycles_per_run(29, 0.00033, 0.8, 0.010), 2)
    46.72
    """
    chances, g, _, _ = _check_arguments(granularity, mean_cost_s, shape, quantum_s)
    return g * plain_sum([p for p, _ in chances])


def slice_moments(
    granularity: int, mean_cost_s: float, shape: float, quantum_s: float
) -> tuple[float, float]:
    """Mean and mean square of a slice's length with gamma costs, in s and s^2.

    E[S] = c E[cycles] and E[S^2] = sum_j (2 g c M_j + g c^2 (g + 1/kappa) P_j), where
    M_j = E[S_jg; S_jg <= Q] = j g c P(j g kappa + 1, Q kappa/c) is the part of the mean of
    S_jg that lies within the quantum. Follows from S_(j+1)g = S_jg + an independent sum of g
    costs, by telescoping over the checks.
    Raises ValueError as continuation_probabilities does.

    >>> mean, square = slice_moments(29, 0.00033, 0.8, 0.010)
    >>> round(1000 * mean, 2), round(1000 * (square - mean**2) ** 0.5, 2)
    (15.42, 3.65)
    """
    return moments(*_check_arguments(granularity, mean_cost_s, shape, quantum_s))
