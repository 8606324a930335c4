"""A case beside the simplest rival that a sceptic would offer: what does the model earn?"""

import math

from tunables.parts.case import Case, Published
from tunables.plain.adding import added
from tunables.plain.agreement import relative_error


def baseline_value(case: Case, number: Published) -> float | None:
    """Return what the baseline says of a number, or None where it says nothing."""
    return case.baseline.values.get(number.record.row_id) if case.baseline else None


def _root_mean_square(errors: list[float]) -> float:
    return math.sqrt(added(error**2 for error in errors) / len(errors))


def fair_errors(case: Case) -> list[tuple[float, float]]:
    """Return (baseline's, model's) relative error of each number that neither was fitted to.

    Left out are bounds, and numbers that the baseline does not speak of.
    """
    errors = []
    for number in case.numbers:
        rival = baseline_value(case, number)
        own = case.baseline.rows if case.baseline else ()
        if rival is None or number.status == "calibrated" or number.record.row_id in own:
            continue
        value, relation = number.value, number.record.relation
        pair = (
            relative_error(rival, value, relation),
            relative_error(case.answer(number), value, relation),
        )
        if None not in pair:
            errors.append(pair)
    return errors


def earned(case: Case) -> str:
    """Return what the model earns over its baseline: root mean square errors, and a sentence."""
    rival = case.baseline
    if rival is None:
        return "Baseline: none."
    errors = fair_errors(case)
    words = f"Baseline: {rival.label}."
    if errors:
        theirs, ours = (_root_mean_square(list(side)) for side in zip(*errors, strict=True))
        count = "one number" if len(errors) == 1 else f"{len(errors)} numbers"
        words += (
            f" On the {count} that neither was fitted to it errs by {100 * theirs:.1f} % "
            f"(root mean square), the model by {100 * ours:.1f} %."
        )
    return f"{words} {rival.earns}".rstrip()
