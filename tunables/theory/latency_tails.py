"""A latency's tail from a few percentiles: how likely a longer latency is, and its inverse.

A tail is a list of points (time, probability of a longer latency). Between two points, and beyond
the last, the tail falls exponentially, or as a power of the time.
"""

import math

from tunables.base.arguments import number, refuse, sequence
from tunables.base.kinds import Pairs

SMALLEST_TAIL = 1e-15  # below this a double cannot tell a quantile from the next


def tail_points(percentiles: Pairs, floor: float = 0.0) -> list[tuple[float, float]]:
    """Return the points of a tail: the floor, which every latency exceeds, and the percentiles.

    percentiles: [(time, share of the latencies that are longer), ...]; any unit of time.
    Raises ValueError unless times rise from the floor, and shares fall from below 1 to above 0.

    >>> tail_points([(19.0, 0.5), (38.0, 0.1)], floor=12.0)
    [(12.0, 1.0), (19.0, 0.5), (38.0, 0.1)]
    """
    points = [(number("floor", floor, at_least=0), 1.0)]
    for each in sequence("percentiles", percentiles, "pairs (time, share)"):
        if not isinstance(each, (list, tuple)) or len(each) != 2:
            refuse("entry of percentiles", each, "a pair (time, share)")
        last, larger = points[-1]
        time = number("time of a percentile", each[0], above=last)
        points.append((time, number("share of a percentile", each[1], above=0, below=larger)))
    return points


def _piece(points, reached):
    """Return the first pair of neighbours of which `reached` says yes, or the last pair."""
    place = 1
    while place < len(points) - 1 and not reached(points[place]):
        place += 1
    return points[place - 1], points[place]


def tail_at(points: list[tuple[float, float]], time: float, power_from: float = math.inf) -> float:
    """Return the probability of a latency above a time: 1 below the floor.

    Between (t0, s0) and (t1, s1), and beyond the last point,

        S(t) = s0 (s1/s0)^((t - t0)/(t1 - t0)),

    or, where t0 >= power_from, S(t) = s0 (t/t0)^(ln(s1/s0)/ln(t1/t0)).
    Errors are those of `tail_points`, which makes the points: they are not checked again.

    >>> points = tail_points([(19.0, 0.5), (38.0, 0.1), (67.0, 0.01)])
    >>> round(tail_at(points, 52.5), 4), round(tail_at(points, 52.5, power_from=38), 4)
    (0.0316, 0.0269)
    """
    if time <= points[0][0]:
        return 1.0
    (t0, s0), (t1, s1) = _piece(points, lambda point: time <= point[0])
    if t0 >= power_from:
        return s0 * (time / t0) ** (math.log(s1 / s0) / math.log(t1 / t0))
    return s0 * math.exp(math.log(s1 / s0) * (time - t0) / (t1 - t0))


def time_at(points: list[tuple[float, float]], share: float, power_from: float = math.inf) -> float:
    """Return the time that a share of the latencies exceeds: the inverse of `tail_at`.

    Errors are those of `tail_points`, which makes the points: they are not checked again.

    >>> points = tail_points([(19.0, 0.5), (38.0, 0.1), (67.0, 0.01)])
    >>> time_at(points, 0.1), round(time_at(points, 0.001), 6)
    (38.0, 96.0)
    """
    if share >= 1:
        return points[0][0]
    (t0, s0), (t1, s1) = _piece(points, lambda point: share >= point[1])
    if t0 >= power_from:
        return t0 * (share / s0) ** (math.log(t1 / t0) / math.log(s1 / s0))
    return t0 + (t1 - t0) * math.log(share / s0) / math.log(s1 / s0)
