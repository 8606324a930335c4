"""Chapter 7: the fit to the report's matrix, what its digits leave open, and a reader's own fit.

The rule was written down before the first fit, in data/sqlite-blobs.json: fit the two rows
whose page sizes have been SQLite's default, and predict the other five.
"""

import math
from collections.abc import Mapping, Sequence
from functools import cache

from tunables.base.user_data.columns import wanted_text
from tunables.chapters.file_or_row.fit import (
    BRING,
    COLUMNS,
    COSTS,
    FEWEST_ROWS,
    MODEL,
    fit_points,
    point_of,
    ratio_of,
    report,
    solve,
)
from tunables.core.fit import Fit, FitRequest
from tunables.core.reading import read_columns
from tunables.evidence.published import Record, published

PAGES = (1024, 2048, 4096, 8192, 16384, 32768, 65536)
SIZES = {"10k": 10, "20k": 20, "50k": 50, "100k": 100, "200k": 200, "500k": 500, "1m": 1000}  # kB
DEFAULTS = (1024, 4096)  # SQLite's page size before version 3.12.0, and since

Cell = tuple[int, str]
Point = tuple[float, int, int, float]
Values = Sequence[float]


@cache
def data() -> dict[str, Record]:
    """Return the document's numbers by row id."""
    return published("sqlite-blobs")


def row_id(page: int, size: str) -> str:
    """Return the row id of a cell of the matrix."""
    return f"blob-{page}-{size}"


def ratio(page: int, size: str) -> float:
    """Return a published ratio: the time from files over the time from the database."""
    return data()[row_id(page, size)].value


def cells(pages: Sequence[int] = PAGES) -> list[Cell]:
    """Return the cells of some rows of the matrix, in the order in which they are printed."""
    return [(page, size) for page in pages for size in SIZES]


def points(pages: Sequence[int] = PAGES) -> list[Point]:
    """Return the cells of some rows of the matrix as the fit takes them."""
    return [point_of(SIZES[size], page, ratio(page, size)) for page, size in cells(pages)]


@cache
def fitted_costs(pages: tuple[int, ...] = DEFAULTS) -> dict[str, float]:
    """Return the costs fitted to some rows of the matrix; by default to the rule's two."""
    return dict(zip(COSTS, fit_points(points(pages)), strict=True))


def errors(costs: Mapping[str, float], pages: Sequence[int]) -> dict[Cell, float]:
    """Return the model's relative error for each cell of some rows."""
    values = tuple(costs.values())
    found = [ratio_of(point, values) / point[3] - 1 for point in points(pages)]
    return dict(zip(cells(pages), found, strict=True))


# Simpler models, each with the cost that it sets in advance and does not fit.
SIMPLER: dict[str, dict[str, float]] = {
    "all four costs": {},
    "no cost per look-up": {"lookup_kb": 0.0},
    "no cost per page": {"page_kb": 0.0},
    "same cost per byte in files and rows": {"byte_ratio": 1.0},
}


@cache
def simpler_costs(name: str) -> dict[str, float]:
    """Return the costs of a simpler model, fitted to the rule's two rows."""
    fixed = [SIMPLER[name].get(cost) for cost in COSTS]
    return dict(zip(COSTS, fit_points(points(DEFAULTS), fixed), strict=True))


def weights(costs: Values) -> list[list[float]]:
    """Return d log(model) / d log(cost) of each fitted number, for each cost."""
    found, step = [], 1e-5
    for place in range(len(COSTS)):
        ends = []
        for way in (1, -1):
            moved = list(costs)
            moved[place] *= math.exp(way * step)
            ends.append([math.log(ratio_of(point, moved)) for point in points(DEFAULTS)])
        found.append([(more - less) / (2 * step) for more, less in zip(*ends, strict=True)])
    return found


def half_digits() -> list[float]:
    """Return how far the printed digits let the logarithm of each fitted number move."""
    records = [data()[row_id(*cell)] for cell in cells(DEFAULTS)]
    return [record.resolution / 2 / record.value for record in records]


def crossing_kb(page: int) -> float:
    """Return the BLOB size at which a row of the matrix last falls through 1, between two columns.

    The two are joined by a straight line in the logarithms of size and ratio.
    """
    sizes = list(SIZES)
    last = max(i for i, size in enumerate(sizes) if ratio(page, size) >= 1)
    (x, y), (u, v) = (
        (math.log(SIZES[size]), math.log(ratio(page, size))) for size in sizes[last : last + 2]
    )
    return math.exp(x + (u - x) * y / (y - v))


def count(columns) -> dict:
    """Return what `solve` takes from the columns of a table."""
    names = [column.name for column in COLUMNS]
    return {"rows": [list(row) for row in zip(*(columns[n].tolist() for n in names), strict=True)]}


def fit_file_or_row(source) -> Fit:
    """Fit the four costs to two page sizes of a reader's table, and predict the others.

    The smallest page size and the middle one are fitted.
    Raises ValueError for what `read_columns` and `solve` refuse.
    """
    return report(solve(count(read_columns(source, COLUMNS, FEWEST_ROWS))))


def fit_request() -> FitRequest:
    """Return the fit to a reader's numbers, and what it wants."""
    return FitRequest(fit_file_or_row, MODEL, BRING, wanted_text(COLUMNS))
