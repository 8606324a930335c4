"""Exponential and normal draws, as numpy draws them.

A falling density with density(0) = 1 is cut into 256 layers of one area. Layer j reaches from 0 to
edge[j]; what lies within edge[j - 1] is sure to be under the density. The last layer, 256, is the
rectangle to r = edge[255] and the tail beyond, and edge[256] is as wide as a rectangle of its area.
numpy keeps two more tables, of whole numbers and of densities; here both follow from the edges,
so that a draw could differ only where they round apart, once in about 2^50 draws.
Source: Marsaglia & Tsang (2000), "The ziggurat method for generating random variables".
"""

import math
from decimal import Decimal, localcontext

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.elementary import exp, log1p
from tunables.simulators.pcg64 import random, word

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
    """Return the 257 edges under exp(-x^2 / 2), worked out in doubles as numpy's were.

    numpy's carry the rounding of the machine that made them: the area is four units of the last
    place below the exact one, and one exponential is one above.
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
    """Return the layer that the lowest eight bits stand for: 0 is the last."""
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
    """Draw from beyond r."""
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
