"""What published digits allow, as tables: the predictions, and the parameters they leave open."""

from functools import cache

from tunables.page.chapters import find_chapter
from tunables.page.formats import grouped, published_text, resolution_text, shortest
from tunables.parts.allowed import Allowed, Interval, digits_interval
from tunables.parts.case import Case, Published
from tunables.parts.registry import allowed, find_case
from tunables.plain.units import unit_text
from tunables.reader.tables import Table

PREDICTIONS = (
    "Number",
    "Published",
    "Its digits",
    "Closed form",
    "What the digits allow",
    "Published value",
)
RANGES = ("Parameter", "Fitted", "What the digits allow", "Width")


@cache
def intervals(case: str) -> dict[str, Interval]:
    """Return the interval of each predicted number of a case, by row id."""
    told = allowed()[case]
    return {row: told.extremes(row) for row in told.predicted}


def verdict(number: Published, interval: Interval) -> str:
    """Say whether what is allowed meets what rounds to the published number.

    "inside": the value itself is allowed; "within its digits": not the value, but some of what
    rounds to it; "outside": none of it.
    """
    low, high = interval
    least, most = digits_interval(number)
    if low <= number.value <= high:
        return "inside"
    return "within its digits" if least <= high and low <= most else "outside"


def _span(interval: Interval, factor: float, digits: int) -> str:
    low, high = (grouped(end / factor, digits) for end in interval)
    return low if low == high else f"{low} to {high}"


def _decimals(interval: Interval, factor: float) -> int:
    """Return as many decimals as tell the ends apart, one at least."""
    low, high = (end / factor for end in interval)
    return next((n for n in range(1, 9) if high - low >= 2 * 10.0**-n), 1)


def _prediction(case: Case, number: Published) -> tuple[str, ...]:
    record, factor = number.record, number.factor
    interval = intervals(case.name)[record.row_id]
    unit = unit_text(record.unit)
    digits = 0 if interval[1] / factor > 1e4 else _decimals(interval, factor)
    return (
        f"{find_chapter(case.chapter).number}. {number.label}",
        published_text(record.value, record.relation) + unit,
        resolution_text(record.resolution),
        grouped(case.answer(number) / factor, digits),
        _span(interval, factor, digits),
        verdict(number, interval),
    )


def predictions_table() -> Table:
    """Return each predicted number of the book beside its interval."""
    rows = [
        _prediction(find_case(name), number)
        for name, told in allowed().items()
        for number in find_case(name).numbers
        if number.record.row_id in told.predicted
    ]
    return Table("Every predicted number, over all that the digits allow", PREDICTIONS, tuple(rows))


def _plain(value: float) -> str:
    return grouped(value) if value >= 1e4 else shortest(value, 4)


def _range(told: Allowed, name: str) -> tuple[str, ...]:
    low, high = told.range_of(name)
    parameter = find_case(told.case).parameter(name)
    fitted = told.start[told.names.index(name)]
    return (
        parameter.label + unit_text(parameter.unit, ", "),
        _plain(fitted),
        f"{_plain(low)} to {_plain(high)}",
        f"{100 * (high - low) / fitted:.2g} %",
    )


def ranges_table(case: str) -> Table:
    """Return each free parameter of a case with the range that the digits leave it."""
    told = allowed()[case]
    title = f"Chapter {find_chapter(case).number}: what the digits leave open"
    return Table(title, RANGES, tuple(_range(told, name) for name in told.names))
