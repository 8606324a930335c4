"""What a validity map says at one tolerance. Plain Python: the page and Jupyter both call it."""

import json

from tunables.base.arguments import number, numbers
from tunables.base.portable import plain_sum
from tunables.base.units import unit_text
from tunables.page.formats import interval_text, percent_text, rounded, shortest
from tunables.page.requests import entries, reply_to

LOWEST_PERCENT, HIGHEST_PERCENT, USUAL_PERCENT = 1, 50, 5
# How the closed form compares with the simulation, and its sign in the map.
SIGNS = {"agrees": "", "too high": "▲", "too low": "▼", "undecided": "?", "to come": "·"}
SIZES = (0.1, 0.3)  # between a small miss, one of some size, and a large one


def verdict(cell, tolerance) -> str:
    """Say how the closed form compares with the simulation: a key of SIGNS.

    cell: (closed form, mean of the simulation, half-width of its interval). They part if they
    differ by more than the tolerance, a share of the simulation, and by more than the
    half-width. If noise hides a difference of that size the cell is undecided. None means
    a cell that is not computed yet.

    >>> [verdict(cell, 0.05) for cell in ((20, 15, 1), (99, 100, 2), (99, 100, 6), None)]
    ['too high', 'agrees', 'undecided', 'to come']
    """
    if cell is None:
        return "to come"
    closed, simulated, half_width = cell
    gap = closed - simulated
    if abs(gap) > tolerance * simulated and abs(gap) > half_width:
        return "too high" if gap > 0 else "too low"
    return "undecided" if half_width > tolerance * simulated else "agrees"


def size(cell) -> int:
    """Say how large a cell's miss is, as a share of the simulation: 0 (small), 1, or 2 (large).

    >>> [size(cell) for cell in ((105, 100, 1), (80, 100, 1), (200, 100, 1), None)]
    [0, 1, 2, 0]
    """
    if cell is None:
        return 0
    closed, simulated, _ = cell
    return plain_sum([abs(closed - simulated) > share * simulated for share in SIZES])


def cell_text(cell, digits, unit, said) -> str:
    """Return both numbers of a cell and the verdict in words.

    >>> cell_text((20.0, 16.0, 0.5), 1, "s", "too high")
    'closed form 20.0 s, simulated 16.0 ± 0.5 s, difference +25.0%: too high'
    """
    if cell is None:
        return "not computed yet"
    closed, simulated, half_width = cell
    numbers = f"closed form {rounded(closed, digits)}{unit_text(unit)}, simulated "
    numbers += interval_text((simulated, half_width), digits, unit_text(unit))
    return f"{numbers}, difference {percent_text(closed / simulated - 1)}: {said}"


def plain(value) -> str:
    """Return value as the map's margin shows it: without an exponent.

    >>> plain(0.00002), plain(1500.0)
    ('0.00002', '1,500')
    """
    return f"{value:.7f}".rstrip("0") if 0 < value < 1e-3 else shortest(value)


def _span(axis, found):
    """Return the range of an axis that indices span, or "" if they span all of it."""
    values, low, high = axis["texts"], min(found), max(found)
    unit = unit_text(axis["unit"])
    if low == 0 and high == len(values) - 1:
        return ""
    label = axis["short"]
    if low == high:
        return f"{label} is {values[low]}{unit}"
    if low == 0:
        return f"{label} is at most {values[high]}{unit}"
    if high == len(values) - 1:
        return f"{label} is at least {values[low]}{unit}"
    return f"{label} is {values[low]} to {values[high]}{unit}"


def _region(description, verdicts, sign):
    """Return how many cells have a verdict, and the rectangle that holds them all."""
    places = [
        (i, j) for i, row in enumerate(verdicts) for j, said in enumerate(row) if said == sign
    ]
    if not places:
        return ""
    rows, columns = [i for i, _ in places], [j for _, j in places]
    parts = (_span(description["x"], columns), _span(description["y"], rows))
    within = " and ".join(part for part in parts if part)
    words = f"{sign} in {len(places)} {'cells' if len(places) > 1 else 'cell'}"
    return f"{words}, where {within}" if within else words


def check_cells(description, cells) -> list:
    """Return the cells of a map, each None or three numbers, or raise ValueError.

    >>> check_cells({"x": {"texts": ["1", "2"]}, "y": {"texts": ["1"]}}, [[None]])
    Traceback (most recent call last):
    ValueError: cells: must be 1 rows of 2 numbers
    """
    wide, high = len(description["x"]["texts"]), len(description["y"]["texts"])
    rows = cells if isinstance(cells, list) else []
    if len(rows) != high or not all([isinstance(row, list) and len(row) == wide for row in rows]):
        raise ValueError(f"cells: must be {high} rows of {wide} numbers")
    return [[_check_cell(cell) for cell in row] for row in rows]


def _check_cell(cell):
    if cell is None:
        return None
    closed, simulated, half_width = numbers("cell", cell) + [None] * (3 - len(cell))
    return (closed, number("simulated", simulated, above=0), number("half-width", half_width, 0))


def summary(description, verdicts, percent) -> str:
    """Return the map in words: how many cells disagree, in which direction, and where they are."""
    said = [each for row in verdicts for each in row if each != "to come"]
    parted = said.count("too high") + said.count("too low")
    words = (
        f"Closed form and simulation differ by more than {shortest(percent)}% in {parted} of "
        f"{len(said)} cells."
    )
    regions = [_region(description, verdicts, sign) for sign in ("too high", "too low")]
    regions = [region for region in regions if region]
    if regions:
        words += " The closed form is " + "; ".join(regions) + "."
    undecided = said.count("undecided")
    if undecided:
        words += f" Cells left undecided because the simulation is too noisy there: {undecided}."
    return words


def judge(description, percent, cells=None) -> dict:
    """Return the verdict, the size of the miss and the text of every cell, and the map in words.

    cells: in place of those of the description.
    Raises ValueError for a tolerance outside the range of the slider.
    """
    percent = number("tolerance", percent, at_least=LOWEST_PERCENT, at_most=HIGHEST_PERCENT)
    cells = description["cells"] if cells is None else cells
    verdicts = [[verdict(cell, percent / 100) for cell in row] for row in cells]
    shown = (description["digits"], description["unit"])
    return {
        "verdicts": verdicts,
        "sizes": [[size(cell) for cell in row] for row in cells],
        "texts": [
            [cell_text(cell, *shown, said) for cell, said in zip(row, line)]
            for row, line in zip(cells, verdicts)
        ],
        "summary": summary(description, verdicts, percent),
    }


class ValiditySession:
    """One validity map in the page: its cells; JSON in, JSON out."""

    def __init__(self, description_json):
        self.description = json.loads(description_json)

    def reply(self, request_json) -> str:
        """Return judge(...) of {"tolerance": percent} as JSON, or {"refusal": sentence}.

        {"cells": [[...]]} beside it are judged in place of the map's own.
        """

        def answer(request):
            entries("request", request, ["tolerance"])
            cells = request.get("cells")
            checked = None if cells is None else check_cells(self.description, cells)
            return judge(self.description, request["tolerance"], checked)

        return reply_to(request_json, answer)
