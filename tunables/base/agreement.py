"""What it means that a model agrees with a published number.

MicroPython runs this too: the ledger and the page must not differ in it.
"""


def agrees(predicted, value, resolution, relation) -> bool:
    """Say whether a prediction rounds to the published value, or respects the published bound.

    resolution is the width of the interval that rounds to value. An exact count has resolution
    0; a model gives the mean of a count, which agrees if it rounds to it.

    >>> agrees(6.19, 6, 1, "="), agrees(6.6, 6, 1, "="), agrees(45_000, 40_000, 0, "at least")
    (True, False, True)
    >>> agrees(7018.02, 7018, 0, "="), agrees(365.97, 370, 0, "=")
    (True, False)
    """
    half = resolution / 2
    if relation in ("at least", "above"):
        return predicted >= value - half
    if relation in ("at most", "below"):
        return predicted <= value + half
    # The edge of the interval rounds to the number; the margin absorbs float noise.
    return abs(predicted - value) <= (half or 0.5) + 1e-9 * abs(value)


def relative_error(predicted, value, relation):
    """Return (predicted - value)/value, or None where the document only bounds the number.

    >>> relative_error(73_500, 70_000, "about"), relative_error(45_000, 40_000, "at least")
    (0.05, None)
    """
    if relation not in ("=", "about") or value == 0:
        return None
    return (predicted - value) / value
