"""Names for the expressions in the text of chapter 7, its evidence page, its lab and its lesson."""

import itertools
import math
import statistics
from functools import cache

from tests.chapters.words import words
from tunables.chapters.file_or_row.calibration import (
    DEFAULTS,
    PAGES,
    SIZES,
    cells,
    crossing_kb,
    data,
    errors,
    fitted_costs,
    ratio,
)
from tunables.chapters.file_or_row.case import OTHERS, allowed, case
from tunables.chapters.file_or_row.fit import fit_points, point_of, ratio_of
from tunables.chapters.file_or_row.predictor import (
    PAGE_SIZES,
    best_page,
    payload_bytes,
    predict,
    threshold_kb,
)
from tunables.chapters.file_or_row.simulation import run
from tunables.core.ledger import fair_errors, freedom
from tunables.page.formats import with_commas
from tunables.theory.blob_storage import (
    best_page_bytes,
    file_cost,
    pages_of,
    row_cost,
    threshold_pages,
)

COSTS = fitted_costs()
O, F, Q, S = COSTS.values()  # noqa: E741 - the symbols of the chapter
FREEDOM = freedom(case())
LARGE = ("200k", "500k", "1m")


def value(row_id):
    """Return one of the document's numbers."""
    return data()[row_id].value


def pages(blob_kb, page_bytes):
    """Return the pages that a row is read from."""
    return pages_of(payload_bytes(blob_kb), page_bytes)


def file(blob_kb):
    """Return what a BLOB costs from a file, in kB."""
    return file_cost(blob_kb, O)


def one(page_bytes):
    """Return what a page costs."""
    return row_cost(1, page_bytes, 0, Q, S)


def row(blob_kb, page_bytes):
    """Return what a BLOB costs from a row."""
    return row_cost(pages(blob_kb, page_bytes), page_bytes, F, Q, S)


def model(blob_kb, page_bytes):
    """Return the model's ratio."""
    return predict(blob_kb=blob_kb, page_bytes=page_bytes, **COSTS)["ratio"]


def limit(page_bytes):
    """Return the model's threshold in kB."""
    return threshold_kb(page_bytes, **COSTS)


def missed(pages_fitted=DEFAULTS, others=OTHERS):
    """Return the absolute errors in per cent of the rows that were not fitted."""
    return [100 * abs(e) for e in errors(fitted_costs(tuple(pages_fitted)), others).values()]


def missed_on_fitted():
    """Return the absolute errors in per cent of the rows that were fitted."""
    return [100 * abs(e) for e in errors(COSTS, DEFAULTS).values()]


def median(values):
    """Return the median."""
    return statistics.median(values)


def rival():
    """Return the median and the greatest error in per cent of the baseline."""
    found = [100 * abs(each) for each, _ in fair_errors(case())]
    return statistics.median(found), max(found)


def above_neighbours(page, size):
    """Return by how many per cent a cell is above the mean of the cells over and under it."""
    place = PAGES.index(page)
    between = math.sqrt(ratio(PAGES[place - 1], size) * ratio(PAGES[place + 1], size))
    return 100 * (ratio(page, size) / between - 1)


def standing_out(least=20):
    """Return the cells that are above both neighbours' mean by at least so many per cent."""
    return [cell for cell in cells(PAGES[1:-1]) if above_neighbours(*cell) >= least]


def flat_bottom_percent():
    """Return how much more pages of twice or half the best size cost at most.

    Left out is 10 kB, which fits into a page of its best size, but not of half that size.
    """
    more = []
    for kb in (20, 50, 100, 200, 500, 1000):
        best = best_modelled(kb)
        near = [size for size in (best // 2, 2 * best) if size in PAGE_SIZES]
        more += [100 * (model(kb, best) / model(kb, size) - 1) for size in near]
    return max(more)


def best_modelled(blob_kb):
    """Return SQLite's page size at which a row costs least."""
    return best_page(blob_kb, F, Q, S)


def square_root(blob_kb):
    """Return the page size of the square-root law."""
    return best_page_bytes(blob_kb, Q, S)


def simulated(blob_kb, page_bytes, seed=1):
    """Return one simulated run."""
    return run(seed, blob_kb=blob_kb, page_bytes=page_bytes, **COSTS)


@cache
def cache_effect():
    """Return the most by which simulated and modelled ratios of the matrix differ, in per cent."""
    return max(
        100 * abs(simulated(SIZES[size], page)["ratio"] / model(SIZES[size], page) - 1)
        for page, size in cells()
    )


def digits_width():
    """Return the widest and the middle interval that the digits leave a prediction, in per cent."""
    found = [100 * (high - low) / low for low, high in allowed().intervals.values()]
    return max(found), statistics.median(found)


def costs_width():
    """Return the widest interval that the digits leave a cost, in per cent."""
    found = allowed()
    ends = zip(found.start, found.ranges.values(), strict=True)
    return max(100 * (high - low) / cost for cost, (low, high) in ends)


@cache
def pairs():
    """Return the median errors of all pairs of rows, fitted to predict the others, from the least.

    In per cent.
    """
    found = []
    for pair in itertools.combinations(PAGES, 2):
        others = tuple(page for page in PAGES if page not in pair)
        found.append(statistics.median(missed(pair, others)))
    return sorted(found)


def place_of_the_rule():
    """Return which place the rule's pair has among all pairs."""
    return 1 + pairs().index(statistics.median(missed()))


def fewest_with_header(header):
    """Return the bytes of the smallest BLOB whose row has that many bytes besides it."""
    # A length, the type of the key, and the type of the BLOB, 2 n + 12, in sevens of bits.
    return (2 ** (7 * (header - 3)) - 12) // 2


def outside():
    """Return how many predictions have intervals that exclude all that rounds to the number."""
    return sum(
        not (low - 0.0005 <= value(row_id) <= high + 0.0005)
        for row_id, (low, high) in allowed().intervals.items()
    )


@cache
def binary():
    """Return by how much the costs change if k is 1,024, and the predictions' median error.

    Both in per cent.
    """
    sizes = {size: 1.024 * kb for size, kb in SIZES.items()} | {"1m": 1024 * 1.024}
    found = {cell: point_of(sizes[cell[1]], cell[0], ratio(*cell)) for cell in cells()}
    costs = fit_points([found[cell] for cell in cells(DEFAULTS)])
    changes = [abs(new / old - 1) for new, old in zip(costs, COSTS.values(), strict=True)]
    off = [abs(ratio_of(found[cell], costs) / ratio(*cell) - 1) for cell in cells(OTHERS)]
    return 100 * max(changes), 100 * statistics.median(off)


def spread_without():
    """Return how far the large pages' ratios lie apart without the cells that stand out.

    In per cent of the least, for the worst of the large BLOB sizes.
    """
    out = standing_out()
    columns = [
        [ratio(page, size) for page in PAGES if page >= 8192 and (page, size) not in out]
        for size in LARGE
    ]
    return max(100 * (max(column) / min(column) - 1) for column in columns)
