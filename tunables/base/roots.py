"""Where a function of one number passes 0, or a condition begins to hold; in MicroPython too."""

import math

from tunables.base.refusals import refusal

_MOST_HALVINGS = 100
_MOST_STEPS = 200


def bisect(holds, low, high) -> float:
    """Return the number of [low, high] from which on holds(number) is true, by halving.

    It is high if it is true nowhere else.

    >>> bisect(lambda x: x * x >= 2, 0.0, 2.0)
    1.4142135623730951
    """
    if holds(low):
        return low
    for _ in range(_MOST_HALVINGS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if holds(middle):
            high = middle
        else:
            low = middle
    return high


def root(function, low, high, within=1e-10) -> float:
    """Return the x of [low, high] where function(x) is 0, or where it jumps across 0, to within.

    False position, by the rule called Illinois: of an end that stays twice half the value is
    taken. A step that does not halve the bracket in three is made up for by bisection, and none
    is shorter than half of within, so that the bracket closes from both sides.
    Raises ValueError where both ends have values of one sign, or one that is not finite.
    Source: Dowell and Jarratt (1971), A modified regula falsi method, BIT 11, 168-174.

    >>> round(root(lambda x: x * x - 2, 0.0, 2.0), 9)
    1.414213562
    """
    below, above = function(low), function(high)
    if not (math.isfinite(below) and math.isfinite(above)) or below * above > 0:
        raise refusal(f"low, high = {low!r}, {high!r}: must enclose a change of sign")
    return _between(function, (low, below), (high, above), within)


def falling_root(function, low, high, within=1e-10) -> float:
    """Return where in [low, high] a falling function passes 0, or the end beyond which it does.

    >>> falling_root(lambda x: 1 - x, 0.0, 3.0), falling_root(lambda x: 1 - x, 2.0, 3.0)
    (1.0, 2.0)
    """
    below = function(low)
    if below <= 0:
        return low
    above = function(high)
    return high if above >= 0 else _between(function, (low, below), (high, above), within)


def _between(function, lower, upper, within):
    """Return the root between two points (x, function(x)) whose values differ in sign."""
    (low, below), (high, above) = lower, upper
    if below == 0 or above == 0:
        return high if above == 0 else low
    stayed, wide = 0, [high - low] * 3
    for _ in range(_MOST_STEPS):
        x = high - above * (high - low) / (above - below)
        if high - low < within:
            return x
        if high - low > wide.pop(0) / 2:
            x = (low + high) / 2
        x = min(max(x, low + within / 2), high - within / 2)
        wide.append(high - low)
        value = function(x)
        if value == 0 or not low < x < high:
            return x
        if (value > 0) == (above > 0):
            high, above = x, value
            below, stayed = (below / 2 if stayed < 0 else below), -1
        else:
            low, below = x, value
            above, stayed = (above / 2 if stayed > 0 else above), 1
    return (low + high) / 2
