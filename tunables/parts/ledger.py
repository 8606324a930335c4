"""The ledger: every published number beside what the models make of it, and its status."""

from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from tunables.parts.case import Case, Published
from tunables.parts.freedom import rests_on
from tunables.parts.model import Setting
from tunables.parts.registry import find_allowed
from tunables.parts.replication import Interval, Simulation
from tunables.parts.rival import baseline_value
from tunables.plain.agreement import agrees, relative_error
from tunables.plain.arguments import choice, run_seed


@dataclass(frozen=True)
class Entry:
    """One published number, the closed form and the simulation under its settings.

    `error` is (predicted - published)/published; None where the document only bounds the
    number. `agrees` says whether the prediction lies within the resolution (or the bound).
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
        told = find_allowed(self.case)
        return told.intervals.get(self.number.record.row_id) if told else None

    @property
    def _positions(self) -> dict[str, int]:
        return {each.record.row_id: n for n, each in enumerate(self.case.numbers, start=1)}


@lru_cache(maxsize=256)  # numbers share their settings, and a page asks for one more than once
def _simulated(
    simulation: Simulation, seed: int, settings: tuple[tuple[str, Setting], ...]
) -> dict[str, Interval]:
    return simulation.intervals(seed, **dict(settings))


def _entry(case: Case, number: Published, seed: int, simulate: bool) -> Entry:
    value, relation = number.value, number.record.relation
    baseline = baseline_value(case, number)
    found = Entry(
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
    simulated = _simulated(case.simulation, seed, settings) if simulate else {}
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


def ledger(case: Case, seed: int = 1, simulate: bool = True) -> list[Entry]:
    """Return an entry for each published number of the case, in the document's order.

    The simulation runs under `seed`, once for numbers that share their settings; with
    simulate=False it is left out.
    """
    seed = run_seed(seed)
    return [_entry(case, number, seed, simulate) for number in case.numbers]


def entry(case: Case, row_id: str, seed: int = 1) -> Entry:
    """Return the ledger's entry for the published number of that row of the data.

    Raises ValueError for a row that the case has not.
    """
    by_row = case.by_row
    number = by_row[choice("row_id", row_id, list(by_row))]
    return _entry(case, number, run_seed(seed), simulate=True)
