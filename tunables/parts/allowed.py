"""What published digits leave open: the parameters that meet all of them, and what they predict.

"646 s" may be anything from 645.5 to 646.5 s. So a fit has not one answer but a set of them, and a
prediction has an interval: its least and its greatest value over that set.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np

from tunables.parts.case import Published

Interval = tuple[float, float]
Vector = np.ndarray
Values = Sequence[float] | Vector

_FARTHEST = 0.9  # from the start, as a share of each parameter
_STEP = 1e-4  # of a difference quotient, as a share too
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
        from scipy.optimize import minimize  # which who only lists the cases does not need

        start, lows, highs = self._start, *np.array(list(self.bounds.values())).T
        widths = highs - lows
        size = max(abs(self.answers(start)[row]), _LEAST)

        @cache
        def answers(changes: tuple[float, ...]) -> Mapping[str, float]:
            return self.answers(start * (1 + np.array(changes)))

        def room(changes: Vector) -> Vector:
            told = answers(tuple(changes))
            inner = np.array([told[each] for each in self.bounds])
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
