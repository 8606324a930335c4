"""Chapter 7's closed form: a file costs its opening and its bytes, a row its look-up and its pages.

It runs in the page too. Costs are in the time that a file takes to deliver 1,000 bytes.
"""

import math

from tunables.base.arguments import number
from tunables.theory.blob_storage import (
    file_cost,
    largest_payload,
    pages_of,
    row_cost,
    threshold_pages,
)

RECORD_BYTES = 5  # of a row beside its BLOB: the header of a key and a BLOB
MOST_BLOB_KB = 1e6

# Thresholds of the card.
CLEAR = 1.25  # a ratio this far from 1 is beyond what the model misses on most numbers
SAVED = 0.1  # a change of page size that saves less than a tenth is not worth a VACUUM
PAGE_SIZES = (512, 1024, 2048, 4096, 8192, 16384, 32768, 65536)  # those that SQLite takes


def payload_bytes(blob_kb) -> int:
    """Return the bytes of a row with a BLOB of so many kB, rounded to whole bytes.

    Raises ValueError unless the BLOB has from 1 byte to 1 GB.

    >>> payload_bytes(10)
    10005
    """
    return max(1, round(1000 * number("blob_kb", blob_kb, 0.001, at_most=MOST_BLOB_KB))) + (
        RECORD_BYTES
    )


def threshold_kb(page_bytes, open_kb, lookup_kb, page_kb, byte_ratio) -> float:
    """Return the largest BLOB that is read at least as fast from a row as from a file.

    Beyond it the file is faster. Short of it the file may be faster too, for a BLOB that has just
    begun a page. 1e6, the largest BLOB of the model, also means that the row is always faster.
    Raises ValueError as `threshold_pages` does.

    >>> round(threshold_kb(4096, 120, 35, 4, 1.25), 3)
    65.436
    """
    pages = threshold_pages(page_bytes, open_kb, lookup_kb, page_kb, byte_ratio)
    if pages == 0 or math.isinf(pages):
        return MOST_BLOB_KB if pages else 0.0
    return min(MOST_BLOB_KB, (largest_payload(pages, page_bytes) - RECORD_BYTES) / 1000)


def predict(*, blob_kb, page_bytes, open_kb, lookup_kb, page_kb, byte_ratio) -> dict:
    """Return {"ratio", "threshold_kb", "pages"} for BLOBs of one size and one page size.

    "ratio" is the time from files over the time from the database, (o + b)/(l + n (q + s U/1000)):
    above 1 the row is faster. "pages" is n. "threshold_kb": see `threshold_kb`.
    Raises ValueError for a parameter outside its range, by its name.

    >>> costs = {"open_kb": 120, "lookup_kb": 35, "page_kb": 4, "byte_ratio": 1.25}
    >>> found = predict(blob_kb=10, page_bytes=4096, **costs)
    >>> round(found["ratio"], 4), found["pages"]
    (2.0847, 3.0)
    """
    pages = pages_of(payload_bytes(blob_kb), page_bytes)
    row = row_cost(pages, page_bytes, lookup_kb, page_kb, byte_ratio)
    return {
        "ratio": file_cost(blob_kb, open_kb) / number("cost of the row", row, above=0),
        "threshold_kb": threshold_kb(page_bytes, open_kb, lookup_kb, page_kb, byte_ratio),
        "pages": float(pages),
    }
