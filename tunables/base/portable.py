"""A sum, a rounding and a cache that are the same in CPython and in MicroPython."""

import math


def plain_sum(values):
    """Return the sum of numbers, added one by one in their order.

    Since Python 3.12 the built-in `sum` compensates for the rounding of floats; older Pythons and
    MicroPython do not. So the last digits of a `sum` depend on the interpreter.

    >>> plain_sum([0.1] * 10) == 1.0
    False
    """
    total = 0
    for value in values:
        total += value
    return total


def round_up(value, decimals=None):
    """Return the least number with so many decimals that is not below value.

    decimals None: as many as three significant digits need, so that the number shown is enough.

    >>> round_up(214.2857), round_up(3.9508), round_up(36562.4), round_up(94.11, 1)
    (215.0, 3.96, 36563.0, 94.2)
    """
    if decimals is None:
        decimals = max(0, 2 - math.floor(math.log10(value))) if value > 0 else 0
    steps = 10**decimals
    return math.ceil(value * steps * (1 - 1e-12)) / steps


def memoize(function, most=500):
    """Return function with a cache of its results, which is emptied when it holds `most` of them.

    >>> calls = []
    >>> double = memoize(lambda x: calls.append(x) or 2 * x)
    >>> double(3), double(3), calls
    (6, 6, [3])
    """
    known: dict = {}

    def look_up(*arguments, **named):
        key = arguments, tuple(sorted(named.items()))
        if key not in known:
            result = function(*arguments, **named)
            if len(known) >= most:
                known.clear()
            known[key] = result
        return known[key]

    return look_up
