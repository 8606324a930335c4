"""The ledger: every published number beside what the models make of it, and its status."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from tunables.agreement import agrees, relative_error
from tunables.arguments import choice
from tunables.cases.case import Case, Interval, Published, Setting


@dataclass(frozen=True)
class Entry:
    """One published number, the closed form and the simulation under its settings.

    `error` is (predicted - published)/published; None where the document only bounds the
    number. `agrees` says whether the prediction lies within the resolution (or the bound).
    Both are None for a number that a parameter was fitted to and that comes back: that is no
    success. One that does not come back, since it shares the parameter with others, is a misfit.
    """

    number: Published
    unit: str
    digits: int
    predicted: float | None
    simulated: Interval | None
    error: float | None
    agrees: bool | None
    seed: int


@lru_cache(maxsize=256)  # numbers share their settings, and a page asks for one more than once
def _simulated(
    simulate: Callable[..., dict[str, Interval]],
    seed: int,
    settings: tuple[tuple[str, Setting], ...],
) -> dict[str, Interval]:
    return simulate(seed, **dict(settings))


def _entry(case: Case, number: Published, seed: int, simulate: bool) -> Entry:
    if not number.output:
        return Entry(number, number.record.unit, 0, None, None, None, None, seed)
    output = case.output(number.output)
    settings = case.settings(**number.settings)
    predicted = case.predict(**settings)[output.name]
    simulated = _simulated(case.simulate, seed, tuple(settings.items())) if simulate else {}
    value, relation = number.value, number.record.relation
    error = relative_error(predicted, value, relation)
    agreed = agrees(predicted, value, number.resolution, relation)
    fitted = number.status == "calibrated" and agreed
    return Entry(
        number=number,
        unit=output.unit,
        digits=output.digits or 0,
        predicted=predicted,
        simulated=simulated.get(output.name),
        error=None if fitted else error,
        agrees=None if fitted else agreed,
        seed=seed,
    )


def ledger(case: Case, seed: int = 1, simulate: bool = True) -> list[Entry]:
    """Return an entry for each published number of the case, in the document's order.

    The simulation runs under `seed`, once for numbers that share their settings; with
    simulate=False it is left out.
    """
    return [_entry(case, number, seed, simulate) for number in case.numbers]


def entry(case: Case, row_id: str, seed: int = 1) -> Entry:
    """Return the ledger's entry for the published number of that row of the data.

    Raises ValueError for a row that the case has not.
    """
    by_row = {number.record.row_id: number for number in case.numbers}
    return _entry(case, by_row[choice("row_id", row_id, list(by_row))], seed, simulate=True)


def degrees_of_freedom(case: Case) -> str:
    """Return the sentence that says how many parameters were fitted to how many numbers."""
    fitted = [p.label for p in case.parameters if p.origin == "calibrated"]
    counts = Counter(number.status for number in case.numbers)
    spent = ", ".join(f"{counts[status]} {status}" for status in counts)
    return (
        f"{len(case.numbers)} published numbers: {spent}. "
        f"Fitted parameters: {len(fitted)} ({', '.join(fitted) or 'none'})."
    )
