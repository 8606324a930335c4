"""Random variates from the bits of `pcg64`, drawn as numpy draws them.

Exponential and normal draws use ziggurats. A falling density with density(0) = 1 is cut into 256
layers of equal area. Layer j reaches from 0 to edge[j], and its part within edge[j - 1] is under
the density. The last layer, 256, is the rectangle to r = edge[255] and the tail beyond; edge[256]
is the width of a rectangle of that area. numpy keeps two more tables, of integers and of densities.
Here both follow from the edges, so a draw differs only where the two round differently, once in
about 2^50 draws.
Source: Marsaglia & Tsang (2000), "The ziggurat method for generating random variables".
"""

import math
from decimal import Decimal, localcontext

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.elementary import exp, log, log1p, power, rounded_log
from tunables.simulators.pcg64 import half_word, product_high, random, word

_U = np.uint64
_1, _3, _8 = _U(1), _U(3), _U(8)
_BYTE, _LOW52 = _U(0xFF), _U(2**52 - 1)


def exponential_edges():
    """Return the 257 edges under exp(-x), rounded from 30 digits."""
    with localcontext(prec=30):
        r = Decimal("7.69711747013104971404462804802")  # so that the first layer ends at 1
        density = (-r).exp()
        area = (r + 1) * density
        edges = [area / density, r]
        for _ in range(254):
            density += area / edges[-1]
            edges.append(-density.ln())
        return np.array([0.0, *map(float, reversed(edges))])


def normal_edges():
    """Return the 257 edges under exp(-x^2 / 2), computed in doubles as numpy's were.

    numpy's carry the rounding of the machine that computed them: the area is four units in the last
    place below the exact one, and one exponential is one unit above.
    """
    r, area, odd = 3.6541528853610088, 0.004928673233974652, 38
    edges = np.zeros(257)
    with localcontext(prec=30):
        edges[255], edges[256] = r, area / float(Decimal(-0.5 * r * r).exp())
        for j in range(255, 1, -1):
            density = float(Decimal(-0.5 * edges[j] * edges[j]).exp())
            if j == odd:
                density = math.nextafter(density, 1.0)
            edges[j - 1] = math.sqrt(-2.0 * float(Decimal(area / edges[j] + density).ln()))
    return edges


_EXPONENTIAL, _NORMAL = exponential_edges(), normal_edges()
_EXPONENTIAL_R, _NORMAL_R = _EXPONENTIAL[255], _NORMAL[255]
_NORMAL_R_INVERSE = 1 / _NORMAL_R


@compiled
def _layer(bits):
    """Return the layer chosen by the lowest eight bits: 0 is the last."""
    return ((bits + _BYTE) & _BYTE) + _1


@compiled
def standard_exponential(state):
    """Draw from the exponential distribution of mean 1."""
    while True:
        bits = word(state) >> _3
        layer = _layer(bits)
        x = (bits >> _8) * 2.0**-53 * _EXPONENTIAL[layer]
        inner = _EXPONENTIAL[layer - _1]
        if x < inner:
            return x
        if layer > _BYTE:
            return _EXPONENTIAL_R - log1p(-random(state))
        above, below = exp(-inner), exp(-_EXPONENTIAL[layer])
        if (above - below) * random(state) + below < exp(-x):
            return x


@compiled
def standard_exponentials(state, n):
    """Draw n times from the exponential distribution of mean 1."""
    drawn = np.empty(n)
    for i in range(n):
        drawn[i] = standard_exponential(state)
    return drawn


@compiled
def _normal_tail(state):
    """Draw from the tail beyond r."""
    while True:
        beyond = -_NORMAL_R_INVERSE * log1p(-random(state))
        y = -log1p(-random(state))
        if y + y > beyond * beyond:
            return _NORMAL_R + beyond


@compiled
def standard_normal(state):
    """Draw from the normal distribution of mean 0 and standard deviation 1."""
    while True:
        bits = word(state)
        layer = _layer(bits)
        bits >>= _8
        x = ((bits >> _1) & _LOW52) * 2.0**-52 * _NORMAL[layer]
        inner = _NORMAL[layer - _1]
        if layer > _BYTE and x >= inner:
            tail = _normal_tail(state)
            return -tail if (bits >> _1 >> _8) & _1 else tail
        sign = -1.0 if bits & _1 else 1.0
        if x < inner:
            return sign * x
        above, below = exp(-0.5 * inner * inner), exp(-0.5 * _NORMAL[layer] * _NORMAL[layer])
        if (above - below) * random(state) + below < exp(-0.5 * x * x):
            return sign * x


_0, _32 = _U(0), _U(32)
_LOW32 = _U(2**32 - 1)
_STIRLING = (1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12)
_HALF_LOG_2PI = 0.9189385332046727


@compiled
def _gamma_below_1(state, shape):
    """Source: Ahrens & Dieter (1974), algorithm GS, with the test by an exponential."""
    while True:
        u = random(state)
        v = standard_exponential(state)
        y = 0.0
        if u > 1.0 - shape:
            y = -rounded_log((1 - u) / shape)
            u = 1.0 - shape + shape * y
        x = power(u, 1.0 / shape)
        if x <= v + y:
            return x


@compiled
def standard_gamma(state, shape):
    """Draw from the gamma distribution of a shape at least 0 and scale 1.

    With a shape below 1, about one draw in a thousand differs from numpy's by 1e-15 of its value:
    numpy uses the C library's log and pow, which round differently from `rounded_log` and `power`.
    Source: Marsaglia & Tsang (2000), "A simple method for generating gamma variables".
    """
    if shape == 1.0:
        return standard_exponential(state)
    if shape == 0.0:
        return 0.0
    if shape < 1.0:
        return _gamma_below_1(state, shape)
    b = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9 * b)
    while True:
        v = 0.0
        while v <= 0.0:
            x = standard_normal(state)
            v = 1.0 + c * x
        v = v * v * v
        u = random(state)
        if u < 1.0 - 0.0331 * (x * x) * (x * x):
            return b * v
        if log(u) < 0.5 * x * x + b * (1.0 - v + log(v)):
            return b * v


@compiled
def standard_gammas(state, shape, n):
    """Draw n times from the gamma distribution of a shape and scale 1."""
    drawn = np.empty(n)
    for i in range(n):
        drawn[i] = standard_gamma(state, shape)
    return drawn


@compiled
def integers(state, bound):
    """Draw uniformly from 0 ... bound - 1. Source: Lemire (2019)."""
    if bound <= 1:
        return 0
    size = _U(bound)
    if size == _LOW32 + _1:
        return np.int64(half_word(state))
    if size <= _LOW32:
        product = half_word(state) * size
        if product & _LOW32 < size:
            refused = (_LOW32 + _1 - size) % size
            while product & _LOW32 < refused:
                product = half_word(state) * size
        return np.int64(product >> _32)
    bits = word(state)
    if bits * size < size:
        refused = (_0 - size) % size
        while bits * size < refused:
            bits = word(state)
    return np.int64(product_high(bits, size))


@compiled
def _at_most(state, most):
    """Draw uniformly from 0 ... most by masking, as numpy's shuffle does."""
    mask = 1
    while mask < most:
        mask = 2 * mask + 1
    while True:
        bits = half_word(state) if mask < 2**32 else word(state)
        value = np.int64(bits & _U(mask))
        if value <= most:
            return value


@compiled
def shuffle(state, array):
    """Put the items of an array into random order (Fisher & Yates)."""
    for last in range(len(array) - 1, 0, -1):
        other = _at_most(state, last)
        array[last], array[other] = array[other], array[last]


@compiled
def choice(state, cumulative):
    """Draw an index i with probability cumulative[i] - cumulative[i - 1]; the last one is 1."""
    u, low, high = random(state), 0, len(cumulative)
    while low < high:
        middle = (low + high) // 2
        if cumulative[middle] <= u:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def geometric(state, p):
    """Draw the number of trials up to the first success; each has probability p, 0 < p <= 1."""
    if p < 1.0 / 3.0:
        return np.int64(math.ceil(-standard_exponential(state) / log1p(-p)))
    count, reach, term, u = 1, p, p, random(state)
    while u > reach:
        term *= 1.0 - p
        reach += term
        count += 1
    return count


@compiled
def _log_factorial(k):
    """Return ln k!, from the product or by Stirling's series."""
    if k < 16:
        product = 1.0
        for factor in range(2, k + 1):
            product *= factor
        return log(product)
    x = k + 1.0
    rest = 0.0
    for coefficient in _STIRLING:
        rest = rest / (x * x) + coefficient
    return rest / x + _HALF_LOG_2PI + (x - 0.5) * log(x) - x


@compiled
def poisson(state, mean):
    """Draw from the Poisson distribution. Source: Hörmann (1993), algorithm PTRS."""
    if mean == 0.0:
        return 0
    if mean < 10.0:
        floor, count, product = exp(-mean), 0, random(state)
        while product > floor:
            product *= random(state)
            count += 1
        return count
    b = 0.931 + 2.53 * math.sqrt(mean)
    a = -0.059 + 0.02483 * b
    log_inverse_alpha, v_r = log(1.1239 + 1.1328 / (b - 3.4)), 0.9277 - 3.6224 / (b - 2)
    while True:
        u = random(state) - 0.5
        v = random(state)
        us = 0.5 - abs(u)
        k = np.int64(math.floor((2 * a / us + b) * u + mean + 0.43))
        if us >= 0.07 and v <= v_r:
            return k
        if k < 0 or (us < 0.013 and v > us):
            continue
        likely = -mean + k * log(mean) - _log_factorial(k)
        if log(v) + log_inverse_alpha - log(a / (us * us) + b) <= likely:
            return k
