"""What published digits leave open: parameters, predictions, and hypotheses that survive them.

"646 s" may be anything from 645.5 to 646.5 s. So a fit has not one answer but a set of them, and a
prediction has an interval: its least and its greatest value over that set. A fit that misses a
number refutes no hypothesis, since another fit might not. So a hypothesis is judged by the
parameters that make its worst miss as small as possible.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np

from tunables.base.arguments import integer, run_seed
from tunables.base.portable import plain_sum
from tunables.core.case import Case, Published
from tunables.core.model import Setting

Interval = tuple[float, float]
Vector = np.ndarray
Values = Sequence[float] | Vector

_FARTHEST = 0.9  # from the start, as a share of each parameter
_STEP = 1e-4  # step of a difference quotient, as a share too
_TOLERANCE, _LEAST = 1e-10, 1e-300
_HALVINGS, _ROUNDS = 50, 200


def digits_interval(number: Published) -> Interval:
    """Return what rounds to a published number, in the unit of the case's output."""
    half = number.resolution / 2
    return number.value - half, number.value + half


@dataclass(frozen=True, kw_only=True)
class Allowed:
    """Parameters of a case that are free, the outputs that they give, and what these may be.

    answers(values) returns {name: output}, of all names in `bounds` and of the row ids in
    `asked`, which no parameter was fitted to; start meets all bounds. All values are above 0.
    `means`: in a sentence or two, what the bounds are, and what is held fixed.
    Raises ValueError for a start that does not meet a bound.
    """

    case: str
    names: tuple[str, ...]
    start: tuple[float, ...]
    bounds: Mapping[str, Interval]
    answers: Callable[[Values], Mapping[str, float]]
    means: str
    asked: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        answers = self.answers(self.start)
        for row, (low, high) in self.bounds.items():
            if not low <= answers[row] <= high:
                raise ValueError(
                    f"{row} = {answers[row]!r} at the start: must be from {low:g} to {high:g}"
                )

    def meets(self, values: Values) -> bool:
        """Return whether these values give every number within its digits."""
        answers = self.answers(values)
        return all(low <= answers[row] <= high for row, (low, high) in self.bounds.items())

    @cached_property
    def intervals(self) -> dict[str, Interval]:
        """The interval of each row that is asked for, by its id."""
        return {row: self.extremes(row) for row in self.asked}

    @cached_property
    def ranges(self) -> dict[str, Interval]:
        """The least and the greatest value of each parameter over all that is allowed."""
        return {name: self.range_of(name) for name in self.names}

    def misses(self, values: Values) -> dict[str, float]:
        """Return how far each number is from the middle of its digits, in halves of their width.

        A number is within its digits where this is 1 at most.
        """
        answers = self.answers(values)
        return {
            row: abs(answers[row] - (low + high) / 2) / ((high - low) / 2)
            for row, (low, high) in self.bounds.items()
        }

    def extremes(self, row: str) -> Interval:
        """Return the least and the greatest value of a row's output over all that is allowed.

        By sequential quadratic programs (Kraft 1988), from the start. What is returned is
        reached, so the true interval is no narrower; it is wider only where another hill of the
        set is higher.
        """
        return -self._most(row, -1.0), self._most(row, 1.0)

    def range_of(self, name: str) -> Interval:
        """Return the least and the greatest value of a parameter over all that is allowed."""
        index = self.names.index(name)
        own = replace(self, answers=lambda values: {**self.answers(values), name: values[index]})
        return own.extremes(name)

    def _most(self, row: str, sign: float) -> float:
        from scipy.optimize import minimize  # imported late: listing the cases does not need it

        start, lows, highs = self._start, *np.array(list(self.bounds.values())).T
        widths = highs - lows
        size = max(abs(self.answers(start)[row]), _LEAST)

        @cache
        def answers(changes: tuple[float, ...]) -> Mapping[str, float]:
            return self.answers(start * (1 + np.array(changes)))

        def room(changes: Vector) -> Vector:
            outputs = answers(tuple(changes))
            inner = np.array([outputs[each] for each in self.bounds])
            return np.concatenate([inner - lows, highs - inner]) / np.tile(widths, 2)

        def loss(changes: Vector) -> float:
            return -sign * answers(tuple(changes))[row] / size

        found = minimize(
            loss,
            np.zeros(len(start)),
            jac=lambda changes: slopes(lambda at: np.array([loss(at)]), changes)[0],
            constraints={
                "type": "ineq",
                "fun": room,
                "jac": lambda changes: slopes(room, changes),
            },
            bounds=[(-_FARTHEST, _FARTHEST)] * len(start),
            method="SLSQP",
            options={"ftol": _TOLERANCE, "maxiter": _ROUNDS},
        )
        reached = self._as_far(start * found.x)
        return float(sign * self.answers(reached)[row])

    def _as_far(self, step: Vector) -> Vector:
        """Return where a step from the start leads, or the last point before it leaves the set."""
        if self.meets(self._start + step):
            return self._start + step
        near, far = 0.0, 1.0
        for _ in range(_HALVINGS):
            middle = (near + far) / 2
            near, far = (middle, far) if self.meets(self._start + middle * step) else (near, middle)
        return self._start + near * step

    @property
    def _start(self) -> Vector:
        return np.array(self.start, float)


def slopes(function: Callable[[Vector], Vector], at: Vector) -> Vector:
    """Return the Jacobian by central differences, which are wide enough for whole numbers."""
    columns = []
    for k in range(len(at)):
        aside = np.zeros(len(at))
        aside[k] = _STEP
        columns.append((function(at + aside) - function(at - aside)) / (2 * _STEP))
    return np.array(columns).T


def box_image_faces(matrix: Vector, halves: Values) -> tuple[Vector, Vector]:
    """Return what bounds the image of a box under a matrix: directions, and the reach in each.

    The image of the numbers |x_i| <= h_i under an m by n matrix A, n >= m, is the zonotope of the
    points y with |d y| <= sum |(d A)_i| h_i for each direction d that is orthogonal to m - 1 of the
    columns (Ziegler 1995, chapter 7). A fit of m parameters to n > m numbers takes m weighted sums
    from them, and this says which sums the digits of the numbers allow together.
    Shapes: (faces, m) and (faces,), with one face for every m - 1 of the n columns.

    >>> directions, reach = box_image_faces(np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]), [1, 1, 1])
    >>> np.abs(directions).round(3).tolist(), reach.round(3).tolist()
    ([[0.0, 1.0], [1.0, 0.0], [0.707, 0.707]], [2.0, 2.0, 1.414])
    """
    edges = (matrix * np.asarray(halves, float)).T
    chosen = list(combinations(range(len(edges)), len(matrix) - 1))
    directions = np.linalg.svd(edges[chosen])[2][:, -1]
    return directions, np.abs(directions @ edges.T).sum(axis=1)


_SEEN = ("calibrated", "consistent")  # numbers that a hypothesis was made after seeing
_REACHES = (0.9, 0.1, 0.01)  # from the best so far, as a share of each parameter: in turn
_MOST_ROUNDS, _CALLS = 300, 400
_AS_FAR = 0.999  # share of the worst miss: at the best fit several numbers tie
_REFUSED = 1e9


@dataclass(frozen=True, kw_only=True)
class Hypothesis:
    """A case's model under one of its hypotheses: what is free, from where, and what is not.

    start: {parameter: its fitted value}, all above 0. tied: {parameter: the free one that it
    equals}. replaced: {row id: {parameter: the free one that it equals for that number alone}};
    such a free one need not be a parameter of the case (a stage that only one site has).
    """

    name: str
    start: Mapping[str, float]
    settings: Mapping[str, Setting]
    tied: Mapping[str, str] = field(default_factory=dict)
    replaced: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def values(self, factors, row_id: str) -> dict[str, Setting]:
        """Return the settings for one number, each free parameter at its start times its factor."""
        pairs = zip(self.start.items(), factors, strict=True)
        free = {name: fitted * float(factor) for (name, fitted), factor in pairs}
        local = {name for each in self.replaced.values() for name in each.values()}
        shared = {name: value for name, value in free.items() if name not in local}
        equal = {**self.tied, **self.replaced.get(row_id, {})}
        return {**self.settings, **shared} | {name: free[other] for name, other in equal.items()}


class Miss(NamedTuple):
    """The least worst miss, in halves of the digits' width: 1 at most if the hypothesis survives.

    `row`: the first of the numbers that are missed that far; `numbers`: how many were asked.
    """

    miss: float
    row: str
    numbers: int


def seen_numbers(case: Case) -> list[Published]:
    """Return the numbers with digits, and no bounds, that were fitted or chosen by."""
    return [
        number
        for number in case.numbers
        if number.status in _SEEN and number.record.relation == "=" and number.resolution > 0
    ]


def _off(number: Published, answer: float) -> float:
    return 2 * (answer - number.value) / number.resolution


def _by_slopes(misses: Callable[[Vector], Vector], start: Vector, reach: float) -> Vector:
    """Return the factors, so far about the start, at which the worst miss is the least found."""
    from scipy.optimize import minimize  # imported late: listing the cases does not need it

    worst, count = float(np.abs(misses(start)).max()), len(start)
    if worst == 0:
        return start

    def room(point) -> Vector:  # the last of the point: the worst miss, as a share of the first
        off = misses(point[:-1]) / worst
        return np.concatenate([point[-1] - off, point[-1] + off])

    def room_slopes(point) -> Vector:
        off = slopes(misses, point[:-1]) / worst
        ones = np.ones((len(off), 1))
        return np.block([[-off, ones], [off, ones]])

    found = minimize(
        lambda point: point[-1],
        np.append(start, 1.0),
        jac=lambda point: np.eye(count + 1)[-1],
        constraints={"type": "ineq", "fun": room, "jac": room_slopes},
        bounds=[(factor * (1 - reach), factor * (1 + reach)) for factor in start] + [(0, 1)],
        method="SLSQP",
        options={"maxiter": _MOST_ROUNDS, "ftol": 1e-12},
    )
    return np.array(found.x[:-1])


def _by_simplex(misses: Callable[[Vector], Vector], start: Vector, reach: float) -> Vector:
    """Return the same by a simplex, which needs no slopes: a model may have kinks and jumps."""
    from scipy.optimize import minimize

    corners = np.vstack([start, start * (1 + reach * np.eye(len(start)))])
    found = minimize(
        lambda factors: float(np.abs(misses(factors)).max()),
        start,
        method="Nelder-Mead",
        options={"initial_simplex": corners, "xatol": 1e-12, "fatol": 1e-9, "maxfev": _CALLS},
    )
    return np.array(found.x)


def least_miss(case: Case, hypothesis: Hypothesis) -> Miss:
    """Return by how much the worst number is missed at least.

    By sequential quadratic programs for the minimum of a maximum (Kraft 1988) and by simplexes
    (Nelder & Mead 1965), in turn, from the fit and ever nearer. What is returned is reached: the
    true least miss is no greater.
    """
    numbers = seen_numbers(case)

    def misses(factors) -> np.ndarray:
        try:
            return np.array(
                [
                    _off(n, case.answer(n, **hypothesis.values(factors, n.record.row_id)))
                    for n in numbers
                ]
            )
        except ValueError:  # a step of the search to what the model refuses
            return np.full(len(numbers), _REFUSED)

    def worst(factors) -> float:
        return float(np.abs(misses(factors)).max())

    best = np.ones(len(hypothesis.start))
    for reach in _REACHES:
        for search in (_by_slopes, _by_simplex):
            best = min(best, search(misses, best, reach), key=worst)
    off = np.abs(misses(best))
    first = int(np.argmax(off >= _AS_FAR * off.max()))
    return Miss(float(off.max()), numbers[first].record.row_id, len(numbers))


MOST_DRAWS = 10**6


class Share(NamedTuple):
    """The part of the points that met all numbers, and its 95% interval, from low to high."""

    share: float
    low: float
    high: float


def share_allowed(allowed_set: Allowed, draws: int = 1000, seed: int = 1) -> Share:
    """Return which part of the box of its ranges an allowed set fills.

    By that many uniform draws in the box; the interval is the exact binomial one (Clopper and
    Pearson 1934), so it covers the true part in at least 95% of the seeds. The volume is this
    part of the product of the ranges' widths.
    Raises ValueError for draws that are not a whole number from 1 to a million, or a bad seed.

    >>> from tunables.core.registry import allowed
    >>> share = share_allowed(allowed()["wlcg"], draws=10, seed=1)
    >>> 0 <= share.low <= share.share <= share.high <= 1
    True
    """
    from scipy.stats import binomtest  # imported late: listing the cases does not need it

    draws, seed = integer("draws", draws, 1, MOST_DRAWS), run_seed(seed)
    low, high = np.array(list(allowed_set.ranges.values())).T
    points = low + np.random.default_rng(seed).random((draws, len(low))) * (high - low)
    met = plain_sum(map(allowed_set.meets, points))
    interval = binomtest(met, draws).proportion_ci(0.95, method="exact")
    return Share(met / draws, float(interval.low), float(interval.high))
