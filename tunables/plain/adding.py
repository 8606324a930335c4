"""A sum that is the same on every Python."""


def added(values):
    """Return the sum of numbers, added one after the other in their order.

    Since Python 3.12 the built-in `sum` carries the rounding of floats along, which older Pythons
    and MicroPython do not: its last digits depend on who adds.

    >>> added([0.1] * 10) == 1.0
    False
    """
    total = 0
    for value in values:
        total += value
    return total
