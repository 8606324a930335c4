"""The draws by numpy's own Generator, where numba is not installed: see `draws`."""

from typing import Any

import numpy as np

_of = np.random.Generator
seeded: Any = np.random.default_rng
from_seed: Any = seeded
random = randoms = _of.random
standard_exponential = standard_exponentials = _of.standard_exponential
standard_normal = _of.standard_normal
standard_gamma = standard_gammas = _of.standard_gamma
integers, geometric, poisson, shuffle = _of.integers, _of.geometric, _of.poisson, _of.shuffle


def choice(state, cumulative):
    """See `variates.choice`."""
    return np.searchsorted(cumulative, state.random(), side="right")
