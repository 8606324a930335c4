"""Second ways to the answers of chapter 8: counts, simulated copies, root finding."""

import math

import numpy as np
from scipy.optimize import brentq
from scipy.stats import binom

_DRAWS = 2_000_000


def any_of_many(given):
    return 100 * binom.sf(0, given["leaves"], given["slow_percent"] / 100)


def leaf_percentile(given):
    wanted = given["slow_percent"] / 100
    return 1e6 * brentq(lambda s: binom.sf(0, given["leaves"], s) - wanted, 1e-9, 0.5, xtol=1e-15)


def two_copies(given):
    """Count the four cases: shared or not, slow or not."""
    s, c = given["slow_percent"] / 100, given["shared_percent"] / 100
    cases = [(c * s, True), (c * (1 - s), False), ((1 - c) * s * s, True), ((1 - c) * s, False)]
    return 100 * sum(share for share, slow in cases if slow)


def delay_for_budget(given):
    budget = given["budget_percent"] / 100
    return brentq(lambda d: math.exp(-d / given["mean_ms"]) - budget, 0, 50 * given["mean_ms"])


def hedged_percentile(given):
    rng = np.random.default_rng(1)
    first, second = given["mean_ms"] * rng.standard_exponential((2, _DRAWS))
    delay = np.quantile(first, given["delay_percent"] / 100)
    return float(np.quantile(np.minimum(first, delay + second), 0.99))


def budget(given):
    load = given["load_percent"] / 100
    return 100 * brentq(lambda q: load * (1 + q) - 1, 0, 1)


PATHS = {
    "any-of-many": any_of_many,
    "leaf-percentile": leaf_percentile,
    "two-copies": two_copies,
    "delay-for-budget": delay_for_budget,
    "hedged-percentile": hedged_percentile,
    "budget": budget,
}
