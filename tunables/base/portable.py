"""A sum and a cache that are the same in CPython and in MicroPython."""


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
