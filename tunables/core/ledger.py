"""The ledger: every published number beside what the models make of it, and its status.

Also what a number rests on, how many numbers are left to test a case, and its simplest rival.
"""

import math
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from tunables.base.agreement import agrees, relative_error
from tunables.base.arguments import choice, run_seed
from tunables.base.portable import plain_sum
from tunables.core.case import Calibration, Case, Choice, Interval, Published, Simulation
from tunables.core.model import Parameter, Setting
from tunables.core.registry import find_allowed

FACTORS = (0.5, 0.999, 1.001, 2.0)  # some steps are larger than a model's jumps, some are not
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
    if parameter.integer:
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


def _any_moves(case: Case, names: tuple[str, ...], number: Published) -> bool:
    """Say whether any of the named parameters moves a number that does not set it by itself.

    No names mean the whole model, which moves every number.
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
    steps: list[Calibration | Choice] = [
        *(fit for fit in case.fits if not fit.rival),
        *case.choices,
    ]
    for step in steps:
        if not rows.issuperset(step.rows) and _any_moves(case, step.parameters, number):
            rows.update(step.rows)
    rows.discard(number.record.row_id)
    return tuple(n.record.row_id for n in case.numbers if n.record.row_id in rows)


def freedom(case: Case) -> Freedom:
    """Count the case's degrees of freedom from its calibration.

    Parameters of rival hypotheses do not count. Identities and numbers without a model test
    nothing, a bound tests only one side, and none of these counts either.
    """
    labels = {parameter.name: parameter.label for parameter in case.parameters}
    fitted = [
        label
        for fit in case.fits
        if not fit.rival
        for label in fit.inner or [labels[name] for name in fit.parameters]
    ]
    numbers = plain_sum(number.status in TESTS for number in case.numbers)
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
        + (f" Chosen after seeing the numbers: {chosen}." if chosen else "")
    )


def baseline_value(case: Case, number: Published) -> float | None:
    """Return what the baseline says of a number, or None where it says nothing."""
    return case.baseline.values.get(number.record.row_id) if case.baseline else None


def _root_mean_square(errors: list[float]) -> float:
    return math.sqrt(plain_sum(error**2 for error in errors) / len(errors))


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
        value, relation = number.value, number.relation
        pair = (
            relative_error(rival, value, relation),
            relative_error(case.answer(number), value, relation),
        )
        if None not in pair:
            errors.append(pair)
    return errors


def compare_with_baseline(case: Case) -> str:
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
            f" On the {count} that neither the baseline nor the model was fitted to, the "
            f"root-mean-square error is {100 * theirs:.1f}% for the baseline and "
            f"{100 * ours:.1f}% for the model."
        )
    return f"{words} {rival.earns}".rstrip()


@dataclass(frozen=True)
class LedgerRow:
    """One published number, the closed form and the simulation under its settings.

    `error` is (predicted - published)/published; None where the document only bounds the
    number. `agrees` says whether the prediction is within the resolution (or the bound).
    Both are None for a number that a parameter was fitted to and that comes back: that is no
    success. One that does not come back, since it shares the parameter with others, is a misfit.
    `baseline` is what the simplest rival says, or None.
    """

    case: Case = field(repr=False, compare=False)
    number: Published
    unit: str
    baseline: float | None
    baseline_error: float | None
    seed: int
    digits: int = 0
    predicted: float | None = None
    simulated: Interval | None = None
    error: float | None = None
    agrees: bool | None = None

    @property
    def position(self) -> int:
        """Which of the case's numbers this is, counted from 1."""
        return self._positions[self.number.record.row_id]

    @cached_property  # it asks the closed form many times, and few want to know
    def rests_on(self) -> tuple[int, ...]:
        """The positions of those other numbers that the prediction rests on."""
        return tuple(self._positions[row] for row in rests_on(self.case, self.number))

    @cached_property  # a search over all parameters that the digits allow
    def allowed(self) -> tuple[float, float] | None:
        """The least and the greatest value that the closed form may take; None for most numbers.

        Those have it that no parameter was fitted to, where the case says what its digits allow.
        """
        found = find_allowed(self.case)
        return found.intervals.get(self.number.record.row_id) if found else None

    @property
    def _positions(self) -> dict[str, int]:
        return {each.record.row_id: n for n, each in enumerate(self.case.numbers, start=1)}


@lru_cache(maxsize=256)  # numbers share their settings, and a page asks for one more than once
def _simulate(
    simulation: Simulation, seed: int, settings: tuple[tuple[str, Setting], ...]
) -> dict[str, Interval]:
    return simulation.intervals(seed, **dict(settings))


def _entry(case: Case, number: Published, seed: int, simulate: bool) -> LedgerRow:
    value, relation = number.value, number.relation
    baseline = baseline_value(case, number)
    found = LedgerRow(
        case=case,
        number=number,
        unit=number.record.unit,
        baseline=baseline,
        baseline_error=None if baseline is None else relative_error(baseline, value, relation),
        seed=seed,
    )
    if not number.output:
        return found
    output = case.output(number.output)
    settings = tuple(case.settings(**number.settings).items())
    simulated = _simulate(case.simulation, seed, settings) if simulate else {}
    predicted = case.answer(number)
    error = relative_error(predicted, value, relation)
    agreed = agrees(predicted, value, number.resolution, relation)
    fitted = number.status == "calibrated" and agreed
    return replace(
        found,
        unit=output.unit,
        digits=output.digits or 0,
        predicted=predicted,
        simulated=simulated.get(output.name),
        error=None if fitted else error,
        agrees=None if fitted else agreed,
    )


def ledger(case: Case, seed: int = 1, simulate: bool = True) -> list[LedgerRow]:
    """Return an entry for each published number of the case, in the document's order.

    The simulation runs under `seed`, once for numbers that share their settings; with
    simulate=False it is left out.
    """
    seed = run_seed(seed)
    return [_entry(case, number, seed, simulate) for number in case.numbers]


def entry(case: Case, row_id: str, seed: int = 1) -> LedgerRow:
    """Return the ledger's entry for the published number of that row of the data.

    Raises ValueError for a row that the case does not have.

    >>> from tunables.core.registry import find_case
    >>> slowdown = entry(find_case("rrd"), "slowdown-after-overflow", seed=1)
    >>> slowdown.number.status, slowdown.predicted
    ('calibrated', 20.0)
    """
    by_row = case.by_row
    number = by_row[choice("row_id", row_id, list(by_row))]
    return _entry(case, number, run_seed(seed), simulate=True)
