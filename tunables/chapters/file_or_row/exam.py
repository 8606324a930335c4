"""Chapter 7's homework and exam questions: pages of a row, its cost, the knee, the best page."""

from tunables.chapters.file_or_row.predictor import (
    NEAR,
    PAGE_SIZES,
    RECORD_BYTES,
    advised_page,
    best_page,
    payload_bytes,
    predict,
    threshold_kb,
)
from tunables.core.exam import Homework, Question, factor, uniform
from tunables.theory.blob_storage import (
    file_cost,
    largest_payload,
    local_bytes,
    pages_of,
    row_cost,
    threshold_pages,
)

_APART = 0.02  # least relative distance from where an answer would change


def _overflowing(chance):
    """Draw a row that does not fit into its leaf."""
    page_bytes = 2 ** chance.randint(9, 14)
    return {
        "page_bytes": page_bytes,
        "payload_bytes": chance.randint(page_bytes, 20 * page_bytes),
    }


def _overflow_bytes(page_bytes, payload_bytes):
    return payload_bytes - local_bytes(payload_bytes, page_bytes)


def _pages(chance):
    return {
        "page_bytes": 2 ** chance.randint(10, 16),
        "page_kb": uniform(chance, 0.5, 12),
        "byte_ratio": uniform(chance, 1, 3),
    }


def _ratio_of_huge_blobs(page_bytes, page_kb, byte_ratio) -> float:
    """Return the time from files over the time from rows as BLOBs grow: (U - 4)/(1000 q + s U)."""
    return (page_bytes - 4) / 1000 / row_cost(1, page_bytes, 0, page_kb, byte_ratio)


def _read(chance):
    """Draw a BLOB in a chain of pages that are nearly full."""
    given = _pages(chance)
    pages = chance.randint(2, 40)
    blob_kb = round((pages - uniform(chance, 0.1, 0.9)) * given["page_bytes"] / 1000)
    lookup_kb = factor(chance, 5, 60)
    return {"blob_kb": max(1, blob_kb), "lookup_kb": lookup_kb, "pages": pages, **given}


def _opening_of_equals(blob_kb, lookup_kb, pages, page_bytes, page_kb, byte_ratio) -> float:
    """Return the cost of opening, in kB, at which a file is read as fast as a row."""
    row = row_cost(pages, page_bytes, lookup_kb, page_kb, byte_ratio)
    return row - file_cost(blob_kb, 0)


def _pages_of_blob(blob_bytes, page_bytes) -> int:
    return pages_of(blob_bytes + RECORD_BYTES, page_bytes)


def _blob(chance):
    """Draw a BLOB that takes more pages than its bytes alone would fill."""
    while True:
        page_bytes = 2 ** chance.randint(9, 13)
        blob_bytes = chance.randint(3 * page_bytes, 200 * page_bytes)
        if _pages_of_blob(blob_bytes, page_bytes) > -(-blob_bytes // page_bytes):
            return {"blob_bytes": blob_bytes, "page_bytes": page_bytes}


def _largest_blob(pages, page_bytes) -> int:
    return largest_payload(pages, page_bytes) - RECORD_BYTES


def _full(chance):
    return {"pages": chance.randint(4, 300), "page_bytes": 2 ** chance.randint(9, 13)}


def _row_costs(chance):
    return {
        "lookup_kb": uniform(chance, 20, 60),
        "page_kb": uniform(chance, 1, 8),
        "byte_ratio": uniform(chance, 1.1, 2),
    }


def _ratio(**given) -> float:
    return predict(**given)["ratio"]


def _costs(chance):
    page_bytes = 2 ** chance.randint(10, 16)
    place = {"blob_kb": factor(chance, 5, 500), "page_bytes": page_bytes}
    return {**place, "open_kb": uniform(chance, 80, 250), **_row_costs(chance)}


def _knee(chance):
    """Draw costs with a knee of several pages, whose number no rounding could change."""
    while True:
        given = {
            "page_bytes": 2 ** chance.randint(9, 13),
            "open_kb": uniform(chance, 80, 250),
            **_row_costs(chance),
        }
        near = [
            threshold_pages(**given | {"open_kb": given["open_kb"] * (1 + way * _APART)})
            for way in (-1, 0, 1)
        ]
        if near[0] == near[2] and 3 <= near[1] <= 60:
            return given


def _large(chance):
    """Draw a BLOB for which it is clear which page size is best, and which are near the best."""
    while True:
        given = {"blob_kb": factor(chance, 20, 900), **_row_costs(chance)}
        costs = [
            row_cost(pages_of(payload_bytes(given["blob_kb"]), page), page, *_of_rows(given))
            for page in PAGE_SIZES
        ]
        first, second = sorted(costs)[:2]
        clear = all(abs(cost / first / NEAR - 1) > _APART for cost in costs)
        if second > first * (1 + _APART) and clear and best_page(**given) != advised_page(**given):
            return given


def _of_rows(given):
    return given["lookup_kb"], given["page_kb"], given["byte_ratio"]


def homework() -> Homework:
    """Return the questions of the assignment, which asks for each as a function."""
    return {
        "pages": (_pages_of_blob, _blob),
        "ratio": (_ratio, _costs),
        "largest": (_largest_blob, _full),
        "knee": (threshold_kb, _knee),
        "best page": (best_page, _large),
        "small page": (advised_page, _large),
    }


def exam() -> dict[str, Question]:
    """Return the kinds of exam question, which no page shows."""
    return {
        "leaf": Question(
            "A database has pages of U = {page_bytes} bytes. A row has P = {payload_bytes} bytes, "
            "which is more than fits in a leaf. So the leaf keeps only K = M + (P - M) mod (U - 4) "
            "of these bytes, with M = floor(32 (U - 12)/255) - 23. If K is more than U - 35, the "
            "leaf keeps only M bytes. How many bytes of the row are in overflow pages?",
            "bytes",
            (_overflow_bytes, _overflowing),
            "P - K, with K = M if K would exceed U - 35",
        ),
        "huge": Question(
            "A database has pages of {page_bytes} bytes, of which 4 point to the next page. A page "
            "costs as much as reading {page_kb} kB of a file, and on top of that, each of its "
            "bytes costs {byte_ratio} times as much as a byte of a file. The BLOBs are so large "
            "that the costs of opening a file and of finding a row can be ignored. What is the "
            "time to read from files, divided by the time to read from rows?",
            "",
            (_ratio_of_huge_blobs, _pages),
            "the bytes of a page divided by its cost: (U - 4)/(1000 q + s U)",
        ),
        "equals": Question(
            "A BLOB is {blob_kb} kB. Finding its row takes as long as reading {lookup_kb} kB of "
            "an open file. The row is read from {pages} pages of {page_bytes} bytes. Each page "
            "costs as much as reading {page_kb} kB of the file, and on top of that, each of its "
            "bytes costs {byte_ratio} times as much as a byte of a file. How much must finding, "
            "opening and closing a file cost, in kB read from an open file, for the BLOB to take "
            "as long to read from a file as from the row?",
            "kB",
            (_opening_of_equals, _read),
            "f + n q + s n U/1000 - b",
        ),
    }
