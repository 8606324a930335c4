"""What a case's numbers rest on, and how many of them are left to test it: counted, not told."""

import math
from collections import Counter
from typing import NamedTuple

from tunables.parts.case import Case, Published
from tunables.parts.model import Parameter, Setting
from tunables.parts.origin import Choice, Fit
from tunables.plain.adding import added

FACTORS = (0.5, 0.999, 1.001, 2.0)  # some steps reach over the jumps of a model, some do not
TESTS = ("calibrated", "consistent", "predicted")  # what a fitted parameter is paid from


class Freedom(NamedTuple):
    """Numbers that a wrong model could miss, what was fitted, and the difference."""

    numbers: int
    fitted: tuple[str, ...]
    left: int


def _others(parameter: Parameter, value: Setting) -> list[Setting]:
    """Return settings of a parameter about a value, or all other choices that it has."""
    if isinstance(value, str):
        return [other for other in parameter.choices if other != value]
    if value == 0:
        return [0.001 * parameter.high, parameter.high]
    if parameter.whole:
        about = {value - 1, value + 1, value // 2, 2 * value}
    else:
        about = {factor * value for factor in FACTORS}
    return [other for other in about if parameter.low <= other <= parameter.high]


def moves(case: Case, number: Published, parameter: Parameter) -> bool:
    """Say whether the model's answer for a number changes with a parameter."""
    before, name = case.answer(number), parameter.name
    others = _others(parameter, number.settings.get(name, parameter.default))
    return any(
        not math.isclose(case.answer(number, **{name: other}), before, rel_tol=1e-12)
        for other in others
    )


def _moved_by(case: Case, names: tuple[str, ...], number: Published) -> bool:
    """Say whether any of the named parameters moves a number that does not set it by itself.

    No names stand for the whole model, which moves every number.
    """
    free = [p for p in case.parameters if p.name in names and p.name not in number.settings]
    return not names or any(moves(case, number, parameter) for parameter in free)


def rests_on(case: Case, number: Published) -> tuple[str, ...]:
    """Return the row ids of the other published numbers that the model's answer rests on.

    They are the rows of each fit and each choice whose parameters move the answer, and those
    that the number names itself, in the document's order.
    """
    if not number.output:
        return ()
    rows = set(number.rests_on)
    steps: list[Fit | Choice] = [*(fit for fit in case.fits if not fit.rival), *case.choices]
    for step in steps:
        if not rows.issuperset(step.rows) and _moved_by(case, step.parameters, number):
            rows.update(step.rows)
    rows.discard(number.record.row_id)
    return tuple(n.record.row_id for n in case.numbers if n.record.row_id in rows)


def freedom(case: Case) -> Freedom:
    """Count the case's degrees of freedom from its own calibration.

    Parameters of rival hypotheses do not count. Identities and numbers without a model test
    nothing, and do not count either.
    """
    labels = {parameter.name: parameter.label for parameter in case.parameters}
    fitted = [
        label
        for fit in case.fits
        if not fit.rival
        for label in fit.inner or [labels[name] for name in fit.parameters]
    ]
    numbers = added(number.status in TESTS for number in case.numbers)
    return Freedom(numbers, tuple(fitted), numbers - len(fitted))


def degrees_of_freedom(case: Case) -> str:
    """Return in words how many parameters were fitted to how many numbers, and what was chosen."""
    counts = Counter(number.status for number in case.numbers)
    found = freedom(case)
    spent = ", ".join(f"{counts[status]} {status}" for status in counts)
    chosen = "; ".join(each.what for each in case.choices)
    return (
        f"{len(case.numbers)} published numbers: {spent}. "
        f"Fitted parameters: {len(found.fitted)} ({', '.join(found.fitted) or 'none'}). "
        f"Degrees of freedom: {found.numbers} - {len(found.fitted)} = {found.left}."
        + (f" Chosen with sight of the numbers: {chosen}." if chosen else "")
    )
