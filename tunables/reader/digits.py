"""What published digits allow, as tables: the predictions, and the parameters they leave open."""

from tunables.page.chapters import find_chapter
from tunables.page.formats import ends_text, grouped, published_text, resolution_text, shortest
from tunables.parts.allowed import Allowed, Interval, digits_interval
from tunables.parts.allowed_share import share_allowed
from tunables.parts.case import Case, Published
from tunables.parts.registry import allowed, find_case, hypotheses
from tunables.parts.surviving import Hypothesis, least_miss
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
SURVIVORS = ("Hypothesis", "Free parameters", "Its worst number", "Misses by", "Verdict")
RANGES = ("Parameter", "Fitted", "What the digits allow", "Width")


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


def _prediction(case: Case, number: Published) -> tuple[str, ...]:
    record, factor = number.record, number.factor
    interval = allowed()[case.name].intervals[record.row_id]
    unit = unit_text(record.unit)
    return (
        f"{find_chapter(case.chapter).number}. {number.label}",
        published_text(record.value, record.relation) + unit,
        resolution_text(record.resolution),
        shortest(case.answer(number) / factor, 5),
        ends_text(*(end / factor for end in interval)),
        verdict(number, interval),
    )


def predictions_table(status: str = "predicted") -> Table:
    """Return each number of that status beside its interval: "predicted" or "consistent"."""
    rows = [
        _prediction(find_case(name), number)
        for name, told in allowed().items()
        for number in find_case(name).numbers
        if number.record.row_id in told.asked and number.status == status
    ]
    title = f"The {status} numbers, over all that the digits allow"
    return Table(title, PREDICTIONS, tuple(rows))


def _plain(value: float) -> str:
    return grouped(value) if value >= 1e4 else shortest(value, 4)


def _range(told: Allowed, name: str) -> tuple[str, ...]:
    low, high = told.ranges[name]
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


def volume_text(case: str) -> str:
    """Return in a sentence how much of the box of these ranges is allowed.

    >>> volume_text("rrd")
    'All of this range is allowed.'
    """
    told = allowed()[case]
    if len(told.names) == 1:
        return "All of this range is allowed."
    found = share_allowed(told)
    if found.share == 1:
        return "All of the box of these ranges is allowed, as far as points drawn in it tell."
    low, high = (f"{100 * end:.0f}" for end in (found.low, found.high))
    return (
        f"Of the box of these ranges {100 * found.share:.0f} % is allowed (95 % interval: {low} to "
        f"{high} %)."
    )


def _survivor(case: Case, hypothesis: Hypothesis) -> tuple[str, ...]:
    found = least_miss(case, hypothesis)
    return (
        hypothesis.name,
        str(len(hypothesis.start)),
        case.by_row[found.row].label,
        f"{shortest(float(f'{found.miss:.2g}'))} ×",
        "survives" if found.miss <= 1 else "refuted",
    )


def survivors_table(case: str) -> Table:
    """Return each hypothesis of a case with its least worst miss, in what the digits excuse."""
    rows = tuple(_survivor(find_case(case), each) for each in hypotheses()[case])
    title = f"Chapter {find_chapter(case).number}: {find_case(case).title}"
    return Table(title, SURVIVORS, rows)
