"""Where a curve is computed, so that what is drawn between its points is true to a pixel.

Plain Python that MicroPython runs.
"""

PIXELS = 500  # width of a chart: no two points need be closer, except at a jump
STRAIGHT = 1 / 250  # share of the axis: a point this far off the line hardly shows
TALL = 1 / 40  # share of the axis: a larger difference hides a jump or a steep climb
SHORT, STEP = 40, 1 / 4  # at most this many integers are drawn as dots; only a large step is a jump
UNIT = 1e-9  # share of a real parameter's range: a difference within it is a jump
FLATTEST = 1 / 100  # share of the axis: smaller variations are not refined


def grid(low, high, scale, points) -> list:
    """Return points from low to high, evenly on a linear or a log scale.

    >>> grid(1, 100, "log", 3)
    [1.0, 10.0, 100.0]
    """
    steps = [index / (points - 1) for index in range(points)]
    if scale == "log":
        inner = [low * (high / low) ** step for step in steps]
    else:
        inner = [low + (high - low) * step for step in steps]
    return [float(low)] + inner[1:-1] + [float(high)]


def beginning(parameter, points) -> list:
    """Return where a curve over a parameter is computed first: on a grid of `points`.

    Integers that are fewer than pixels are all taken.
    """
    low, high = parameter["low"], parameter["high"]
    if not parameter["integer"]:
        return grid(low, high, parameter["scale"], points)
    if high - low <= PIXELS:
        return [float(x) for x in range(int(low), int(high) + 1)]
    return sorted({float(round(x)) for x in grid(low, high, parameter["scale"], points)})


def _between(parameter, a, b):
    """Return the middle of a and b on the parameter's scale, or None if nothing is between."""
    if parameter["integer"]:
        return float((a + b) // 2) if b - a > 1 else None
    if b - a <= UNIT * (parameter["high"] - parameter["low"]):
        return None
    return (a * b) ** 0.5 if parameter["scale"] == "log" else (a + b) / 2


def _difference(a, b) -> float:
    """Return the distance of two values; infinity and nan are near themselves only."""
    if a == b or (a != a and b != b):
        return 0.0
    apart = abs(a - b)
    return apart if apart == apart else float("inf")


def _varies(points, height):
    """Return by how much of an axis' height the points vary, within what is worth a look."""
    values = [y for _, y in points if abs(y) < float("inf")]
    return min(height, max(height * FLATTEST, max(values) - min(values))) if values else height


def _pixel(parameter):
    """Return the function that says whether two values are more than a pixel apart."""
    low, high = parameter["low"], parameter["high"]
    if parameter["scale"] == "log":
        ratio = (high / low) ** (1 / PIXELS)
        return lambda a, b: b > a * ratio
    return lambda a, b: b - a > (high - low) / PIXELS


def _climb(value, parameter, a, b, tall):
    """Yield None after each value, then the points between two neighbours a pixel apart."""
    ends = a, b
    x = _between(parameter, a[0], b[0])
    while x is not None and _difference(a[1], b[1]) > tall:
        middle = x, value(x)
        yield None
        if _difference(a[1], middle[1]) >= _difference(middle[1], b[1]):
            b = middle
        else:
            a = middle
        x = _between(parameter, a[0], b[0])
    edge = (a[0] + b[0]) / 2
    upright = [(edge, a[1]), (edge, b[1])] if _difference(a[1], b[1]) > tall else []
    yield [point for point in [a] + upright + [b] if point not in ends]


def sample(value, parameter, points, height):
    """Yield None after each value of a function, and at last its curve as a list of (x, y).

    The curve begins on a grid of `points`. Two neighbours get a point between them where it
    is off their line, or where they differ much; those a pixel apart that still
    do are bisected to one unit, and what differs then is a jump, drawn upright.

    parameter: of the x-axis, as `tunables.views.explorer` describes it; height: of the y-axis.
    """
    rest = []
    for x in beginning(parameter, points):
        rest.append((x, value(x)))
        yield None
    varies = _varies(rest, height)
    short = parameter["integer"] and parameter["high"] - parameter["low"] <= SHORT
    tall = height * (STEP if short else TALL)
    far = _pixel(parameter)
    rest.reverse()
    curve = [rest.pop()]
    while rest:
        a, b = curve[-1], rest[-1]
        differs = _difference(a[1], b[1]) > tall
        x = _between(parameter, a[0], b[0])
        if x is not None and far(a[0], b[0]):
            middle = x, value(x)
            yield None
            if differs or _difference(middle[1], (a[1] + b[1]) / 2) > varies * STRAIGHT:
                rest.append(middle)
                continue
            curve.append(middle)
        elif differs:
            for found in _climb(value, parameter, a, b, tall):
                if found is None:
                    yield None
            curve += found
        curve.append(rest.pop())
    yield curve


def with_point(curve, point):
    """Return a curve that also runs through a point of it.

    >>> with_point([(0, 0), (2, 4)], (1, 1))
    [(0, 0), (1, 1), (2, 4)]
    """
    before = [each for each in curve if each[0] < point[0]]
    after = curve[len(before) :]
    return curve if after and after[0][0] == point[0] else before + [point] + after
