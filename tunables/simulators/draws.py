"""Random draws for compiled code: a state first, then what `numpy.random.Generator` takes.

`seeded(seed)` makes the state that `numpy.random.default_rng(seed)` makes, and every draw is
numpy's to the last bit, in numba as in WebAssembly. `choice` takes the cumulative probabilities,
and `randoms`, `standard_exponentials` and `standard_gammas` fill an array of n. Where numba is not
installed the state is numpy's Generator itself.
"""

from tunables.simulators.compiled import njit

if njit is None:
    from tunables.simulators.numpy_draws import (
        choice,
        from_seed,
        geometric,
        integers,
        poisson,
        random,
        randoms,
        seeded,
        shuffle,
        standard_exponential,
        standard_exponentials,
        standard_gamma,
        standard_gammas,
        standard_normal,
    )
else:
    from tunables.simulators.pcg64 import from_seed, random, randoms, seeded
    from tunables.simulators.variates import (
        choice,
        geometric,
        integers,
        poisson,
        shuffle,
        standard_gamma,
        standard_gammas,
    )
    from tunables.simulators.ziggurat import (
        standard_exponential,
        standard_exponentials,
        standard_normal,
    )

__all__ = [
    "choice",
    "from_seed",
    "geometric",
    "integers",
    "poisson",
    "random",
    "randoms",
    "seeded",
    "shuffle",
    "standard_exponential",
    "standard_exponentials",
    "standard_gamma",
    "standard_gammas",
    "standard_normal",
]
