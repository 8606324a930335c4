"""Chapter 7's fit, to the matrix and to a reader's own table: four costs, from two page sizes.

It runs in the page too. A point is (size in kB, bytes per page, pages of the row, ratio).
"""

import math

from tunables.base.user_data.columns import Column
from tunables.base.user_data.numerics import least_squares, mean
from tunables.chapters.file_or_row.predictor import payload_bytes
from tunables.core.fit import (
    Fit,
    FittedModel,
    FittedParameter,
    HeldOut,
    elasticities,
    errors_on,
    fitted_rows,
    judge,
    share_held_out,
)
from tunables.theory.blob_storage import LARGEST_PAGE, LEAST_PAGE, pages_of

COLUMNS = (
    Column("page_bytes", "page size of the database", LEAST_PAGE - 1, None, LARGEST_PAGE, True),
    Column("blob_bytes", "size of each BLOB", 0, None, 1e9, True),
    Column("file_s", "time to read the BLOBs, or one of them, from files", above=0),
    Column("row_s", "time to read the same BLOBs, or the same one, from rows", above=0),
)
BRING = "a table of read times by page size and BLOB size"
MODEL = FittedModel(
    chapter="file_or_row",
    law="R = (o + b) / (f + n (q + s U))",
    baseline="the mean of the fitted ratios",
    band=0.15,
    along="the size of the BLOBs",
)
FEWEST_ROWS = 1
_FEWEST_FITTED = 5
_MOST_IN_PAGE = 300

COSTS = ("open_kb", "lookup_kb", "page_kb", "byte_ratio")
_START = (100.0, 30.0, 3.0, 1.0)
_LEAST, _LARGEST = 1e-6, 1e9  # limits of a cost: one that the numbers don't need tends to 0


def wanted() -> dict:
    """Return what the page needs to know in order to read a reader's table."""
    return {"kind": "table", "fewest": FEWEST_ROWS, "most": _MOST_IN_PAGE}


def point_of(blob_kb, page_bytes, ratio) -> tuple:
    """Return a point as the fit takes it; raises ValueError as `pages_of` does.

    >>> point_of(10, 4096, 2.261)
    (10, 4096, 3, 2.261)
    """
    return blob_kb, page_bytes, pages_of(payload_bytes(blob_kb), page_bytes), ratio


def ratio_of(point, costs) -> float:
    """Return the model's ratio at a point: `predict`'s, without its checks."""
    blob_kb, page_bytes, pages, _ = point
    open_kb, lookup_kb, page_kb, byte_ratio = costs
    return (open_kb + blob_kb) / (lookup_kb + pages * (page_kb + byte_ratio * page_bytes / 1000))


def fit_points(points, fixed=(None, None, None, None)) -> list:
    """Return the four costs for which the sum of (log model - log ratio)^2 is least.

    fixed: the costs that are not fitted, and None for those that are.
    Raises ValueError for a ratio that is not above 0.

    >>> costs = [120.0, 35.0, 4.0, 1.25]
    >>> points = [point_of(b, u, 1.0) for b in (10, 50, 200, 1000) for u in (1024, 4096)]
    >>> points = [point[:3] + (ratio_of(point, costs),) for point in points]
    >>> [round(cost, 6) for cost in fit_points(points)]
    [120.0, 35.0, 4.0, 1.25]
    """
    free = [k for k in range(len(COSTS)) if fixed[k] is None]

    def costs_at(logs):
        costs = list(fixed)
        for k, log in zip(free, logs):
            costs[k] = min(_LARGEST, max(_LEAST, math.exp(log)))
        return costs

    measured = [math.log(point[3]) for point in points]

    def residuals(logs):
        costs = costs_at(logs)
        return [math.log(ratio_of(p, costs)) - log for p, log in zip(points, measured)]

    logs, _ = least_squares(residuals, [math.log(_START[k]) for k in free])
    return costs_at(logs)


def fitted_pages(pages) -> list:
    """Return the two page sizes that are fitted: the smallest and the middle one.

    Raises ValueError for fewer than three.

    >>> fitted_pages([65536, 1024, 4096, 1024])
    [1024, 4096]
    """
    found = sorted(set(pages))
    if len(found) < 3:
        raise ValueError(
            f"page_bytes: the number of different page sizes is {len(found)}; measure at least 3, "
            "because two are fitted and the rest test the fit"
        )
    return [found[0], found[len(found) // 2]]


def solve(counted) -> dict:
    """Return the numbers of the fit, which `report` puts into words.

    counted: "rows", each [bytes per page, bytes of a BLOB, time from files, time from rows].
    Raises ValueError for fewer than three page sizes, and for fewer than five numbers to fit.
    """
    rows = counted["rows"]
    pages = fitted_pages([int(row[0]) for row in rows])
    points = [point_of(blob / 1000, int(page), file / row) for page, blob, file, row in rows]
    fitted = [point for point in points if point[1] in pages]
    if len(fitted) < _FEWEST_FITTED:
        raise ValueError(
            f"page_bytes {pages[0]} and {pages[1]}: these two page sizes have only {len(fitted)} "
            f"rows in all; measure at least {_FEWEST_FITTED}, with BLOBs of different sizes"
        )
    costs = fit_points(fitted)
    out = [point for point in points if point[1] not in pages]
    middle = out[len(out) // 2]
    checked = [list(point) + [ratio_of(point, costs)] for point in fitted]

    def at_the_middle(o, f, q, s):
        return ratio_of(middle, (o, f, q, s))

    found = elasticities(at_the_middle, list(zip("ofqs", costs)))
    return {
        "costs": costs,
        "pages": pages,
        "runs": len(points),
        "rows": [list(point) + [ratio_of(point, costs)] for point in out],
        "mean": mean([point[3] for point in fitted]),
        "miss": mean([abs(ratio_of(point, costs) / point[3] - 1) for point in fitted]),
        "middle": list(middle[:2]),
        "sensitivity": [[name, elasticity] for name, elasticity in found],
    } | errors_on([point[0] for point in fitted], checked)


def _reason(miss):
    if miss > 0.1:
        return (
            "Even for the page sizes that it was fitted to, the formula is off by "
            f"{100 * miss:.0f}% on average. Either the times vary from run to run, or part of the "
            "reading costs nothing, for example because the cache is warm."
        )
    return (
        "The fitted page sizes follow the formula, but the others don't. So the page size must "
        "affect the times in some way other than through the number of pages and their bytes."
    )


def _place(blob_kb, page_bytes):
    return f"BLOBs of {blob_kb:g} kB, pages of {page_bytes} B"


def report(result) -> Fit:
    """Return the Fit made of the numbers that `solve` returned."""

    def held_out(row):
        what = ": time to read from files divided by time to read from rows"
        return HeldOut(_place(row[0], row[1]) + what, "", row[3], row[4], result["mean"])

    rows = [held_out(row) for row in result["rows"]]
    fitted, held = fitted_rows(result, held_out), share_held_out(rows, result)
    words = (
        "cost of finding, opening and closing a file, expressed as kB read from a file",
        "cost of looking up a row, expressed as kB read from a file",
        "fixed cost of each page of a row, expressed as kB read from a file",
        "cost of a byte of a page, relative to a byte of a file",
    )
    units = ("kB", "kB", "kB", "")
    parameters = [
        FittedParameter(name, what, value, unit)
        for name, what, value, unit in zip("ofqs", words, result["costs"], units)
    ]
    low, high = result["pages"]
    notes = [f"Fitted: the rows with pages of {low} and {high} bytes. All other rows are held out."]
    where = (
        "time to read from files divided by time to read from rows, for "
        f"{_place(*result['middle'])}"
    )
    reason = _reason(result["miss"])
    sensitivity = result["sensitivity"]
    return judge(MODEL, parameters, rows, reason, where, sensitivity, notes, fitted, held)
