"""The law of lab 7 in the page: the four costs, fitted to two page sizes, and what they predict."""

from tunables.base.arguments import number, refuse, sequence
from tunables.page.chapters import module
from tunables.page.labs import lab_session

fit = module(__name__.rpartition(".")[2], "fit")

_FEWEST = 5


def fitted_pages(page_bytes) -> list:
    """Return the two page sizes that are fitted: the least, and that in the middle of them all.

    Raises ValueError for fewer than three.

    >>> fitted_pages([1024, 4096, 8192, 16384, 65536])
    [1024, 8192]
    """
    return fit.fitted_pages(page_bytes)


def _point(row):
    four = sequence("row", row, "four numbers")
    if len(four) != 4:
        refuse("row", row, "four numbers")
    page_bytes, blob_bytes, file_ms, row_ms = four
    page_bytes = number("page_bytes", page_bytes, above=0)
    blob_bytes = number("blob_bytes", blob_bytes, at_least=0)
    quotient = number("file_ms", file_ms, above=0) / number("row_ms", row_ms, above=0)
    return fit.point_of(blob_bytes / 1000, page_bytes, quotient)


def _points(rows, fewest):
    rows = sequence("rows", rows, "rows")
    if len(rows) < fewest:
        refuse("rows", len(rows), f"at least {fewest} rows")
    return [_point(row) for row in rows]


def fit_costs(rows) -> list:
    """Return the costs of opening, of the look-up and of a page in kB, and that of a byte.

    rows: [page in bytes, BLOB in bytes, time from a file, time from a row], all of them fitted.
    Raises ValueError for fewer than five rows, and for a time that is not above 0.

    >>> small = [[1024, 10_000, 1.4806, 1], [4096, 10_000, 2.0847, 1], [16384, 10_000, 2.1856, 1]]
    >>> large = [[1024, 100_000, 0.3945, 1], [4096, 100_000, 0.8365, 1]]
    >>> [round(cost) for cost in fit_costs(small + large)]
    [120, 35, 4, 1]
    """
    return fit.fit_points(_points(rows, _FEWEST))


def ratios(rows, costs) -> list:
    """Return the ratio of each row, file over row, by the model with four costs; see `fit_costs`.

    Raises ValueError for no rows, and for a time that is not above 0.

    >>> costs = [120.0, 35.0, 4.0, 1.25]
    >>> [round(ratio, 4) for ratio in ratios([[4096, 10_000, 1.0, 1.0]], costs)]
    [2.0847]
    """
    return [fit.ratio_of(point, costs) for point in _points(rows, 1)]


LabSession = lab_session(fitted_pages=fitted_pages, fit_costs=fit_costs, ratios=ratios)
