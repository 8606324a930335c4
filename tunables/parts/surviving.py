"""Which hypotheses the published digits leave: the least that each can miss, whatever its fit.

A fit that misses a number refutes nothing: another might not. So the parameters are chosen here
for one aim, that the number missed worst be missed as little as can be.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from tunables.parts.allowed import Vector, slopes
from tunables.parts.case import Case, Published
from tunables.parts.model import Setting

_SEEN = ("calibrated", "consistent")  # numbers that a hypothesis was made with sight of
_REACHES = (0.9, 0.1, 0.01)  # from the best so far, as a share of each parameter: in turn
_ROUNDS, _CALLS = 300, 400
_AS_FAR = 0.999  # of the worst miss: at the best fit several numbers are missed alike
_REFUSED = 1e9


@dataclass(frozen=True, kw_only=True)
class Hypothesis:
    """A case's model under one of its hypotheses: what is free, from where, and what is not.

    start: {parameter: its fitted value}, all above 0. tied: {parameter: the free one that it
    equals}.
    """

    name: str
    start: Mapping[str, float]
    settings: Mapping[str, Setting]
    tied: Mapping[str, str] = field(default_factory=dict)

    def values(self, factors) -> dict[str, Setting]:
        """Return all settings with each free parameter at its start times its factor."""
        pairs = zip(self.start.items(), factors, strict=True)
        free = {name: fitted * float(factor) for (name, fitted), factor in pairs}
        return {**self.settings, **free} | {name: free[other] for name, other in self.tied.items()}


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
    from scipy.optimize import minimize  # which who only lists the cases does not need

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
        options={"maxiter": _ROUNDS, "ftol": 1e-12},
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
        settings = hypothesis.values(factors)
        try:
            return np.array([_off(n, case.answer(n, **settings)) for n in numbers])
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
