"""Chapter 7's closed form: a file costs its opening and its bytes, a row its look-up and its pages.

It runs in the page too. Costs are in the time that a file takes to deliver 1,000 bytes.
"""

import math

from tunables.base.arguments import choice, number
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

    "ratio" is the time from files over the time from the database, (o + b)/(f + n (q + s U/1000)):
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


def _row_at(blob_kb, page_bytes, lookup_kb, page_kb, byte_ratio):
    pages = pages_of(payload_bytes(blob_kb), page_bytes)
    return row_cost(pages, page_bytes, lookup_kb, page_kb, byte_ratio)


def best_page(blob_kb, lookup_kb, page_kb, byte_ratio) -> int:
    """Return the page size of SQLite at which a row with such a BLOB costs least.

    Raises ValueError as `predict` does.

    >>> best_page(10, 35, 4, 1.25), best_page(150, 35, 4, 1.25)
    (16384, 32768)
    """
    costs = [_row_at(blob_kb, page, lookup_kb, page_kb, byte_ratio) for page in PAGE_SIZES]
    return PAGE_SIZES[costs.index(min(costs))]


def _state(stored, ratio, best_ratio, saved):
    """Return what to do, in a word: see `predict_headroom`."""
    if stored == "files":
        return "to rows" if ratio >= CLEAR else "close" if ratio > 1 / CLEAR else "keep"
    if saved >= SAVED and best_ratio > 1 / CLEAR:
        return "page"
    if ratio <= 1 / CLEAR:
        return "to files"
    return "close" if ratio < CLEAR else "keep"


VERDICTS = {
    "keep": "The BLOBs are where they are read faster.",
    "close": "Rows and files differ by less than the model's error, so leave the BLOBs.",
    "page": "Change the page size before you move a BLOB.",
    "to files": "The BLOBs are in rows, and files would be clearly faster.",
    "to rows": "The BLOBs are in files, and rows would be clearly faster.",
}


def predict_headroom(
    *, blob_kb, page_bytes, stored, open_kb, lookup_kb, page_kb, byte_ratio
) -> dict:
    """Return where BLOBs of one size are read faster, and by how much, always in the same order.

    - "state": "keep", the BLOBs are where they are read faster; "close", the two differ by less
      than a quarter, which is what the model may err; "page", another page size saves a tenth and
      leaves rows no more than a quarter slower than files; "to files" and "to rows", a move
    - "ratio": time from files over time from rows; "threshold_kb": see `threshold_kb`
    - "file_kb", "row_kb": the two times, in the time of 1,000 bytes of a file
    - "pages": pages of a row
    - "best_page_bytes": SQLite's page size at which the row costs least; "best_ratio": the ratio
      there; "saved_percent": how much less than now a row costs there
    - "gain_percent": how much less time the advice takes than what is done now; 0 without a change
    - "alarm_kb": for rows four fifths of the threshold, for files five fourths: BLOBs that cross
      it want this card again
    - "alarm_pages": a quarter more pages than a row has; "low_ratio", "high_ratio": the ratio by
      a quarter lower and higher
    - "verdict": which side of the threshold, and the state in a sentence

    stored: "rows" or "files". The other arguments: see `predict`. Raises ValueError as it does.

    >>> costs = {"open_kb": 120, "lookup_kb": 35, "page_kb": 4, "byte_ratio": 1.25}
    >>> small = predict_headroom(blob_kb=10, page_bytes=4096, stored="files", **costs)
    >>> small["state"], round(small["ratio"], 2), round(small["gain_percent"])
    ('to rows', 2.08, 52)
    """
    choice("stored", stored, ("rows", "files"))
    costs = lookup_kb, page_kb, byte_ratio
    now = predict(
        blob_kb=blob_kb,
        page_bytes=page_bytes,
        open_kb=open_kb,
        lookup_kb=lookup_kb,
        page_kb=page_kb,
        byte_ratio=byte_ratio,
    )
    file, row = file_cost(blob_kb, open_kb), _row_at(blob_kb, page_bytes, *costs)
    best = best_page(blob_kb, *costs)
    least = _row_at(blob_kb, best, *costs)
    ratio, saved = now["ratio"], 1 - least / row
    state = _state(stored, ratio, file / least, saved)
    before = row if stored == "rows" else file
    after = {"page": least, "to files": file, "to rows": row}.get(state, before)
    side = "Below" if ratio >= 1 else "Past"
    limit = now["threshold_kb"]
    return {
        "verdict": f"{side} the knee. {VERDICTS[state]}",
        "state": state,
        "ratio": ratio,
        "threshold_kb": limit,
        "file_kb": file,
        "row_kb": row,
        "pages": now["pages"],
        "best_page_bytes": float(best),
        "best_ratio": file / least,
        "saved_percent": max(0.0, 100 * saved),
        "gain_percent": 100 * (1 - after / before),
        "alarm_kb": limit * (1 / CLEAR if stored == "rows" else CLEAR),
        "alarm_pages": now["pages"] * CLEAR,
        "low_ratio": ratio / CLEAR,
        "high_ratio": ratio * CLEAR,
    }
