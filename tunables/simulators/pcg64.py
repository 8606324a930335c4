"""numpy's default generator, bit for bit, in the subset of Python that numba compiles.

A state is six words, made by `new_state` and changed in place, so that the same code runs natively
and as WebAssembly. Constants are uint64 too: numba turns a word and a signed number into a float.
Sources: O'Neill (2014) for PCG64 (XSL-RR 128/64), (2015) for the seeding. Which bits of a word a
draw uses is numpy's choice; the tests compare every function with numpy's.
"""

import numpy as np

from tunables.base.arguments import integer
from tunables.simulators.compiled import compiled

_U = np.uint64
_STATE_HIGH, _STATE_LOW, _STEP_HIGH, _STEP_LOW, _HAS_HALF, _HALF = range(6)
_MULTIPLIER_HIGH, _MULTIPLIER_LOW = _U(0x2360ED051FC65DA4), _U(0x4385DF649FCCF645)
_0, _1, _11, _32, _58, _63, _64 = (_U(n) for n in (0, 1, 11, 32, 58, 63, 64))
_LOW32 = _U(2**32 - 1)
_MASK32 = 2**32 - 1  # signed


@compiled
def _scramble(value, factor):
    """Return value mixed with a running factor: 32 bits in a signed 64-bit integer."""
    value = (value ^ factor[0]) & _MASK32
    factor[0] = (factor[0] * factor[1]) & _MASK32
    value = (value * factor[0]) & _MASK32
    return value ^ (value >> 16)


@compiled
def _mix(x, y):
    result = (((0xCA01F9DD * x) & _MASK32) - ((0x4973F715 * y) & _MASK32)) & _MASK32
    return result ^ (result >> 16)


@compiled
def _pool(words):
    """Return the four words into which the seed's 32-bit words, at least four, are mixed."""
    pool, factor = words[:4].copy(), np.array([0x43B0D7E5, 0x931E8875])
    for i in range(4):
        pool[i] = _scramble(pool[i], factor)
    for source in range(4):
        for target in range(4):
            if source != target:
                pool[target] = _mix(pool[target], _scramble(pool[source], factor))
    for word in words[4:]:
        for target in range(4):
            pool[target] = _mix(pool[target], _scramble(word, factor))
    return pool


@compiled
def _state_from_words(words):
    """Return the state for a seed in 32-bit words, lowest first, at least four."""
    pool, factor = _pool(words), np.array([0x8B51F9DD, 0x58F38DED])
    seed = np.zeros(4, np.uint64)
    for i in range(8):
        seed[i // 2] |= _U(_scramble(pool[i % 4], factor)) << _U(32 * (i % 2))
    state = np.zeros(6, np.uint64)
    state[_STEP_HIGH], state[_STEP_LOW] = (seed[2] << _1) | (seed[3] >> _63), (seed[3] << _1) | _1
    _step(state)
    low = state[_STATE_LOW] + seed[1]
    state[_STATE_HIGH] += seed[0] + _U(low < seed[1])
    state[_STATE_LOW] = low
    _step(state)
    return state


@compiled
def new_state(seed):
    """Return the state of `numpy.random.default_rng(seed)`, for a seed from 0 to 2^63 - 1.

    For compiled code; Python code calls `from_seed`. Once a kernel that includes this function has
    been loaded from numba's cache, a call from Python finds no array type ("descr is NULL").
    Raises ValueError for one below 0.
    """
    if seed < 0:
        raise ValueError("seed must be at least 0")
    words = np.zeros(4, np.int64)
    words[0], words[1] = seed & _MASK32, seed >> 32
    return _state_from_words(words)


def from_seed(seed):
    """Return the state of `numpy.random.default_rng(seed)` for an integer seed of any size.

    Raises ValueError for one that is not a whole number at least 0.

    >>> random(from_seed(1)) == np.random.default_rng(1).random()
    True
    """
    words: list[int] = []
    rest = integer("seed", seed)
    while rest or len(words) < 4:
        words.append(rest & _MASK32)
        rest >>= 32
    return _state_from_words(np.array(words))


@compiled
def product_high(a, b):
    """Return the upper 64 bits of the product of two words."""
    a_low, a_high, b_low, b_high = a & _LOW32, a >> _32, b & _LOW32, b >> _32
    middle = a_high * b_low + ((a_low * b_low) >> _32)
    other = a_low * b_high + (middle & _LOW32)
    return a_high * b_high + (middle >> _32) + (other >> _32)


@compiled
def _step(state):
    high, low = state[_STATE_HIGH], state[_STATE_LOW]
    high = product_high(low, _MULTIPLIER_LOW) + high * _MULTIPLIER_LOW + low * _MULTIPLIER_HIGH
    low = low * _MULTIPLIER_LOW + state[_STEP_LOW]
    state[_STATE_HIGH] = high + state[_STEP_HIGH] + _U(low < state[_STEP_LOW])
    state[_STATE_LOW] = low


@compiled
def word(state):
    """Draw 64 bits."""
    _step(state)
    high = state[_STATE_HIGH]
    folded, turn = high ^ state[_STATE_LOW], high >> _58
    return (folded >> turn) | (folded << ((_64 - turn) & _63))


@compiled
def half_word(state):
    """Draw 32 bits: the lower half of a word, and its upper half at the next call."""
    if state[_HAS_HALF]:
        state[_HAS_HALF] = _0
        return state[_HALF]
    bits = word(state)
    state[_HAS_HALF], state[_HALF] = _1, bits >> _32
    return bits & _LOW32


@compiled
def random(state):
    """Draw uniformly from [0, 1)."""
    return (word(state) >> _11) * 2.0**-53


@compiled
def randoms(state, n):
    """Draw n times uniformly from [0, 1)."""
    drawn = np.empty(n)
    for i in range(n):
        drawn[i] = random(state)
    return drawn


@compiled
def place_of(state):
    """Return a state's place in its stream as four numbers of 32 bits."""
    high, low = state[_STATE_HIGH], state[_STATE_LOW]
    return (
        np.int64(high >> _32),
        np.int64(high & _LOW32),
        np.int64(low >> _32),
        np.int64(low & _LOW32),
    )


@compiled
def move_to(state, place):
    """Move a state of the same seed to a place returned by `place_of`; half a word is lost."""
    state[_STATE_HIGH] = (_U(place[0]) << _32) | _U(place[1])
    state[_STATE_LOW] = (_U(place[2]) << _32) | _U(place[3])
    state[_HAS_HALF] = _0
