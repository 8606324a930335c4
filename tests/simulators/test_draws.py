"""The draws against numpy's Generator with the same seed, bit for bit.

numpy does not show the tables of its ziggurats. They are measured: a state is set so that the next
word is the one to try. Each layer's edge is the draw of a small word, and the largest word that is
accepted at once, found by bisection, shows where the region that needs no test ends.
"""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from tunables.simulators import draws
from tunables.simulators.compiled import compiled, njit
from tunables.simulators.draws import from_seed, quick_gamma
from tunables.simulators.variates import exponential_edges, normal_edges

DRAWS = 1_000_000
SEED = 5


def state_of(generator):
    """Return the state of a numpy Generator as our six words."""
    held = generator.bit_generator.state
    numbers = held["state"]["state"], held["state"]["inc"]
    words = [part for number in numbers for part in divmod(number, 2**64)]
    return np.array([*words, held["has_uint32"], held["uinteger"]], np.uint64)


def draw_many(name, state, parameters, n):
    """Draw n times with a function, given by name."""
    draw = getattr(draws, name)

    @njit
    def fill(state, parameters, n):
        filled = np.empty(n)
        for i in range(n):
            filled[i] = draw(state, *parameters)
        return filled

    return fill(state, parameters, n)


CASES = [
    ("random",),
    ("standard_exponential",),
    ("standard_normal",),
    *(("standard_gamma", shape) for shape in (0.0, 1.0, 2.5, 50.0)),
    *(("integers", n) for n in (1, 2, 6, 1000, 2**31 + 1, 2**32, 2**32 + 5, 2**62 + 9)),
    *(("geometric", p) for p in (0.01, 0.3, 0.4, 0.9, 1.0)),
    *(("poisson", mean) for mean in (0.0, 0.5, 9.9, 10.0, 300.0, 1e6)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "parameters"), [(name, rest) for name, *rest in CASES])
def test_a_million_draws_are_numpys(name, parameters):
    generator, state = np.random.default_rng(SEED), draws.from_seed(SEED)
    numpys = getattr(generator, name)(*parameters, size=DRAWS).astype(float)
    ours = draw_many(name, state, tuple(parameters), DRAWS)
    assert (ours.view(np.int64) == numpys.view(np.int64)).all()
    assert (state == state_of(generator)).all()


@compiled
def compiled_seed(seed):
    """Return the state as kernels make it, with `new_state`."""
    return draws.new_state(seed)


@pytest.mark.parametrize(
    "seed", [0, 1, 7, 2**32 - 1, 2**32, 2**53, 2**62, 2**63 - 1, 2**64, 2**127 + 1, 2**160 + 3]
)
def test_seeds_are_numpys(seed):
    numpys = state_of(np.random.default_rng(seed))
    assert (draws.from_seed(seed) == numpys).all()
    if seed < 2**63:
        assert (compiled_seed(seed) == numpys).all()


@pytest.mark.slow
@pytest.mark.parametrize("shape", [0.05, 0.2, 0.7])
def test_gamma_below_1_is_numpys_but_for_last_bits_of_the_c_library(shape):
    generator, state = np.random.default_rng(SEED), draws.from_seed(SEED)
    numpys, ours = (
        generator.standard_gamma(shape, DRAWS),
        draws.standard_gammas(state, shape, DRAWS),
    )
    np.testing.assert_allclose(ours, numpys, rtol=2e-15, atol=0)
    assert (ours != numpys).mean() < 0.01
    assert (state == state_of(generator)).all()


@pytest.mark.parametrize("seed", [0, 2**32 - 1, 2**53, 2**62])
def test_mixed_draws_are_numpys(seed):
    generator, state = np.random.default_rng(seed), draws.from_seed(seed)
    for _ in range(200):
        assert draws.random(state) == generator.random()
        assert draws.integers(state, 7) == generator.integers(7)
        assert draws.standard_normal(state) == generator.standard_normal()
        assert draws.integers(state, 2**40) == generator.integers(2**40)
        assert draws.poisson(state, 3.0) == generator.poisson(3.0)
        assert draws.standard_gamma(state, 1.5) == generator.standard_gamma(1.5)
        assert draws.integers(state, 10) == generator.integers(10, dtype=np.int32)
        assert draws.geometric(state, 0.2) == generator.geometric(0.2)
    assert (state == state_of(generator)).all()


@pytest.mark.parametrize("n", [1, 2, 10, 1000, 100_000])
def test_a_shuffle_is_numpys_and_a_permutation(n):
    generator, state = np.random.default_rng(SEED), draws.from_seed(SEED)
    ours, numpys = np.arange(n), np.arange(n)
    draws.shuffle(state, ours)
    generator.shuffle(numpys)
    assert (ours == numpys).all()
    assert (ours == np.random.default_rng(SEED).permutation(n)).all()
    assert (state == state_of(generator)).all()


def test_a_choice_is_numpys():
    p = np.array([0.2, 0.0, 0.5, 0.3])
    cumulative = np.cumsum(p) / p.sum()
    numpys = np.random.default_rng(SEED).choice(len(p), DRAWS, p=p)
    assert (draw_many("choice", draws.from_seed(SEED), (cumulative,), DRAWS) == numpys).all()


FILLERS = [("randoms",), ("standard_exponentials",), ("standard_gammas", 2.5)]


@pytest.mark.parametrize(("name", "parameters"), [(name, rest) for name, *rest in FILLERS])
def test_fillers_draw_one_by_one(name, parameters):
    filled = getattr(draws, name)(draws.from_seed(SEED), *parameters, 1000)
    one_by_one = draw_many(name.removesuffix("s"), draws.from_seed(SEED), tuple(parameters), 1000)
    assert (filled == one_by_one).all()


@pytest.mark.parametrize("make", [draws.new_state, draws.from_seed])
def test_a_seed_below_0_is_refused(make):
    with pytest.raises(ValueError, match="seed"):
        make(-1)


def everything():
    """Return draws of every kind as text."""
    state, items = draws.from_seed(SEED), np.arange(20)
    draws.shuffle(state, items)
    kinds = ["random", "standard_exponential", "standard_normal"]
    values = [getattr(draws, name)(state) for name in kinds for _ in range(300)]
    values += [draws.standard_gamma(state, 2.5), draws.integers(state, 10), items[0], items[19]]
    values += [draws.geometric(state, 0.1), draws.poisson(state, 5.0), draws.poisson(state, 50.0)]
    values += [draws.choice(state, np.array([0.3, 1.0])), *draws.randoms(state, 3)]
    values += [*draws.standard_exponentials(state, 3), *draws.standard_gammas(state, 2.5, 3)]
    values += [draws.random(draws.from_seed(2**70))]
    return repr([float(value) for value in values])


def test_numpys_own_generator_draws_the_same_where_numba_is_not_installed():
    program = (
        "import sys; sys.modules['numba'] = None\n"
        "from tests.simulators.test_draws import everything\nprint(everything())"
    )
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert result.stdout.strip() == everything()


@compiled
def _fill(state, shape, drawn):
    for i in range(len(drawn)):
        drawn[i] = quick_gamma(state, shape)


@pytest.mark.parametrize("shape", [0.0, 0.2, 0.5, 0.8, 0.99, 1.0, 2.5])
def test_quick_gamma_is_numpys_but_for_the_last_digits(shape):
    drawn, rng = np.empty(1_000_000), np.random.default_rng(11)
    _fill(from_seed(11), shape, drawn)
    numpys = rng.standard_gamma(shape, len(drawn))
    assert (np.abs(drawn - numpys) <= 1e-13 * numpys).all()


LAYERS = range(256)
_BACK = pow(0x2360ED051FC65DA44385DF649FCCF645, -1, 2**128)  # undoes a step's product
_BITS: Any = np.random.PCG64(1)
_GENERATOR, _HELD = np.random.Generator(_BITS), _BITS.state
_STEP = _HELD["state"]["inc"]
ZIGGURATS = {
    "standard_exponential": (53, lambda x, layer: x << 11 | layer << 3, exponential_edges),
    "standard_normal": (52, lambda x, layer: x << 9 | layer, normal_edges),
}


def _set_before(word):
    """Set numpy's state so that its next 64 bits are word."""
    state = {"state": (word - _STEP) * _BACK % 2**128, "inc": _STEP}
    _BITS.state = _HELD | {"state": state, "has_uint32": 0, "uinteger": 0}


def numpys(name, word):
    """Return numpy's draw, and whether it needed no other word."""
    _set_before(word)
    drawn = getattr(_GENERATOR, name)()
    return drawn, _BITS.state["state"]["state"] == word


def ours(name, word):
    """Return our draw, and whether it needed no other word."""
    _set_before(word)
    state = state_of(_GENERATOR)
    drawn = getattr(draws, name)(state)
    return drawn, state[0] == 0 and state[1] == word


@pytest.mark.parametrize("name", ZIGGURATS)
def test_edges_are_numpys(name):
    size, word, edges = ZIGGURATS[name]
    all_edges = edges()
    # 0 means the last layer, 256; in the first no word is accepted at once
    for layer in (0, *LAYERS[2:]):
        drawn, enough = numpys(name, word(1, layer))
        assert enough
        assert all_edges[layer or 256] / 2**size == drawn


def first_refused(drawn, name, layer):
    """Return the least x that is not accepted at once, by bisection."""
    size, word, _ = ZIGGURATS[name]
    low, high = 0, 2**size
    while low < high:
        middle = (low + high) // 2
        if drawn(name, word(middle, layer))[1]:
            low = middle + 1
        else:
            high = middle
    return low


@pytest.mark.parametrize("name", ZIGGURATS)
def test_what_is_accepted_at_once_differs_from_numpys_less_than_once_in_2_to_50_draws(name):
    size, _, _ = ZIGGURATS[name]
    gaps = [
        abs(first_refused(numpys, name, layer) - first_refused(ours, name, layer))
        for layer in LAYERS
    ]
    assert sum(gaps) / len(gaps) / 2**size < 2**-50
