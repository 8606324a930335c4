"""Chapter 7's closed form: a file costs its opening plus its bytes, a row its look-up plus pages.

Opening is finding the file's name in the database, opening the file and closing it.

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
MOST_BLOB_KB = 999_999  # a row of SQLite has at most 10^9 bytes

# Thresholds of the card.
CLEAR = 1.25  # a ratio this far from 1 is more than the model's error on most numbers
NEAR = 1.1  # of the page sizes that cost at most this many times the least, take the smallest
MOST_MOVED_KB = 100_000  # the largest BLOB that the card takes
PAGE_SIZES = (512, 1024, 2048, 4096, 8192, 16384, 32768, 65536)  # those that SQLite takes


def payload_bytes(blob_kb) -> int:
    """Return the bytes of a row with a BLOB of so many kB, rounded to whole bytes.

    Raises ValueError unless the BLOB has from 1 byte to 999,999 kB.

    >>> payload_bytes(10)
    10005
    """
    return max(1, round(1000 * number("blob_kb", blob_kb, 0.001, at_most=MOST_BLOB_KB))) + (
        RECORD_BYTES
    )


def threshold_kb(page_bytes, open_kb, lookup_kb, page_kb, byte_ratio) -> float:
    """Return the largest BLOB that is read at least as fast from a row as from a file.

    Beyond it the file is faster. Below it the file can be faster too, for a BLOB that has just
    begun a page. `MOST_BLOB_KB` also means that all large BLOBs are read faster from rows.
    Raises ValueError as `threshold_pages` does.

    >>> round(threshold_kb(4096, 120, 35, 4, 1.25), 3)
    65.436
    """
    pages = threshold_pages(page_bytes, open_kb, lookup_kb, page_kb, byte_ratio)
    if pages == 0 or math.isinf(pages):
        return float(MOST_BLOB_KB) if pages else 0.0
    return min(float(MOST_BLOB_KB), (largest_payload(int(pages), page_bytes) - RECORD_BYTES) / 1000)


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


def advised_page(blob_kb, lookup_kb, page_kb, byte_ratio) -> int:
    """Return SQLite's smallest page size at which a row costs at most a tenth more than the least.

    Near the best size the cost hardly changes, and the model is too optimistic about very large
    pages, which also make small updates of other tables more expensive.
    Raises ValueError as `predict` does.

    >>> advised_page(10, 35, 4, 1.25), advised_page(150, 35, 4, 1.25)
    (4096, 16384)
    """
    costs = [_row_at(blob_kb, page, lookup_kb, page_kb, byte_ratio) for page in PAGE_SIZES]
    return next(page for page, cost in zip(PAGE_SIZES, costs) if cost <= NEAR * min(costs))


def _state(stored, ratio, best_ratio):
    """Return what to do, in a word: see `predict_headroom`."""
    change = best_ratio >= CLEAR * ratio
    if stored == "rows":
        there = best_ratio if change else ratio
        if there <= 1 / CLEAR:
            return "to-files"
        return "page" if change else "close-rows" if ratio < CLEAR else "keep-rows"
    if ratio >= CLEAR and not change:
        return "to-rows"
    if best_ratio >= CLEAR:
        return "page-first"
    return "close-files" if max(ratio, best_ratio) > 1 / CLEAR else "keep-files"


def _linked(pages, at, slope):
    """Return the fewest and the most pages that are linked to some pages, maybe inf.

    m and m + 1 pages are linked where at + (m - pages) slope >= 0.
    """
    fewest, most, before = pages, pages, at - slope
    if at >= 0:
        most = math.inf if slope >= 0 else pages + 1 + math.floor(at / -slope)
    if before >= 0:
        fewest = 1 if slope <= 0 else max(1, pages - 1 - math.floor(before / slope))
    return fewest, most


def _sizes(page_bytes, lookup_kb, page_kb, byte_ratio):
    """Return functions of n pages: the largest BLOB that they hold, and what the row costs; kB."""
    one = row_cost(1, page_bytes, 0, page_kb, byte_ratio)
    room = page_bytes - 4

    def largest(pages):
        return (page_bytes - 35 - RECORD_BYTES + (pages - 1) * room) / 1000 if pages else 0.0

    return largest, lambda pages: lookup_kb + pages * one, one, room / 1000


def clear_sizes(place, blob_kb, page_bytes, open_kb, *row_costs) -> tuple:
    """Return the smallest and the largest size in kB, around blob_kb, for which a place is faster.

    place: "rows" or "files"; faster: by a quarter or more, for all sizes in between. The place
    must be that much faster for blob_kb. row_costs: lookup_kb, page_kb, byte_ratio. At most 100 MB.

    >>> [round(end, 1) for end in clear_sizes("rows", 20, 4096, 120, 35, 4, 1.25)]
    [0.0, 36.8]
    >>> [round(end, 1) for end in clear_sizes("files", 500, 4096, 120, 35, 4, 1.25)]
    [114.5, 100000.0]
    """
    largest, row, one, room = _sizes(page_bytes, *row_costs)
    pages = pages_of(payload_bytes(blob_kb), page_bytes)
    if place == "rows":
        # A file costs CLEAR rows or more from here on, and up to the largest BLOB of the pages.
        def low(n):
            return CLEAR * row(n) - open_kb

        found = _linked(pages, largest(pages) - low(pages + 1), room - CLEAR * one)
        ends = max(largest(found[0] - 1), low(found[0])), largest(found[1])
    else:

        def high(n):
            return row(n) / CLEAR - open_kb

        found = _linked(pages, high(pages) - largest(pages), one / CLEAR - room)
        ends = largest(found[0] - 1), min(largest(found[1]), high(found[1]))
    return max(0.0, ends[0]), min(float(MOST_MOVED_KB), ends[1])


def alarm_size(place, blob_kb, page_bytes, open_kb, *row_costs) -> float:
    """Return the nearest size in kB past which the other place is faster by a quarter or more.

    For BLOBs in rows the nearest larger one, `MOST_BLOB_KB` if there is none; for BLOBs in files
    the nearest smaller one, 0 if there is none. It is never on the side of blob_kb on which the
    alarm rings. Arguments as for `clear_sizes`, without its condition.

    >>> [round(alarm_size(place, 100, 4096, 120, 35, 4, 1.25), 1) for place in ("rows", "files")]
    [110.4, 40.9]
    """
    largest, row, one, room = _sizes(page_bytes, *row_costs)
    pages = pages_of(payload_bytes(blob_kb), page_bytes)
    if place == "rows":
        more, slope = row(pages + 1) / CLEAR - open_kb - largest(pages), one / CLEAR - room
        if more < 0 and slope <= 0:
            return float(MOST_BLOB_KB)
        size = largest(pages + (0 if more >= 0 else math.ceil(-more / slope)))
        return min(float(MOST_BLOB_KB), max(size, blob_kb))
    more, slope = open_kb + largest(pages - 1) - CLEAR * row(pages - 1), room - CLEAR * one
    if more < 0 and slope >= 0:
        return 0.0
    pages -= 1 if more >= 0 else 1 + math.ceil(more / slope)
    return largest(max(0, pages))


VERDICTS = {
    "keep-rows": "The BLOBs are in rows, where they are read faster.",
    "keep-files": "The BLOBs are in files, where they are read faster.",
    "close-rows": "Files wouldn't be clearly faster, so leave the BLOBs in rows.",
    "close-files": "Rows wouldn't be clearly faster, so leave the BLOBs in files.",
    "page": "Change the page size before you move a BLOB.",
    "page-first": "With another page size, rows would be clearly faster, so change the page size "
    "first.",
    "to-files": "The BLOBs are in rows, and files would be clearly faster.",
    "to-rows": "The BLOBs are in files, and rows would be clearly faster.",
}


def _side(blob_kb, limit, ratio):
    if blob_kb > limit:
        return "Past the knee."
    return "Below the knee." if ratio >= 1 else "Below the knee, but a file is faster at this size."


def predict_headroom(
    *, blob_kb, page_bytes, stored, open_kb, lookup_kb, page_kb, byte_ratio
) -> dict:
    """Return where BLOBs of one size are read faster, and by how much, always in the same order.

    Faster means by a quarter or more, which is how far the model can be off. The advised page is
    that of `advised_page`, or the present one if it is within a tenth of the best, too.

    - "state", for BLOBs in rows: "page", rows of the advised page are faster than now, and files
      aren't faster than these; otherwise "to-files", "close-rows" or "keep-rows", by the ratio in
      present pages. For BLOBs in files: "to-rows"; "page-first", rows would be faster in the
      advised page; "close-files" or "keep-files", by the better of the two pages
    - "ratio": time from files over time from rows; "threshold_kb": see `threshold_kb`
    - "file_kb", "row_kb": the two times, in the time of 1,000 bytes of a file
    - "pages": pages of a row
    - "advised_page_bytes", and the same without a comma, "pragma"; "advised_ratio": the ratio
      there; "saved_percent": how much less than now a row costs there
    - "gain_percent": how much less time the advice takes than what is done now; 0 without a change
    - "move_from_kb", "move_to_kb": the sizes to move, as `clear_sizes` in the present pages, and in
      the advised ones if files are clearly faster there too; both 0 without a move
    - "alarm_kb": see `alarm_size`, for the place and the page after the advice
    - "low_ratio", "high_ratio": the ratio after the advice, a quarter lower and higher
    - "verdict": which side of the threshold, and the state in a sentence

    stored: "rows" or "files". The other arguments: see `predict`. Raises ValueError as it does.

    >>> costs = {"open_kb": 120, "lookup_kb": 35, "page_kb": 4, "byte_ratio": 1.25}
    >>> small = predict_headroom(blob_kb=10, page_bytes=4096, stored="files", **costs)
    >>> small["state"], round(small["ratio"], 2), round(small["gain_percent"])
    ('to-rows', 2.08, 52)
    """
    choice("stored", stored, ("rows", "files"))
    now = predict(
        blob_kb=blob_kb,
        page_bytes=page_bytes,
        open_kb=open_kb,
        lookup_kb=lookup_kb,
        page_kb=page_kb,
        byte_ratio=byte_ratio,
    )
    blob_kb, page_bytes, open_kb = float(blob_kb), int(page_bytes), float(open_kb)
    costs = float(lookup_kb), float(page_kb), float(byte_ratio)
    file, row = file_cost(blob_kb, open_kb), _row_at(blob_kb, page_bytes, *costs)
    advised = advised_page(blob_kb, *costs)
    if row <= NEAR * _row_at(blob_kb, best_page(blob_kb, *costs), *costs):
        advised = page_bytes
    least = _row_at(blob_kb, advised, *costs)
    ratio, best_ratio = now["ratio"], file / least
    state = _state(stored, ratio, best_ratio)
    changes = state in ("page", "page-first")
    page, then = (advised, best_ratio) if changes else (page_bytes, ratio)
    place = {"to-files": "files", "to-rows": "rows", "page-first": "rows"}.get(state, stored)
    before = row if stored == "rows" else file
    after = file if place == "files" else least if changes else row
    if place == "files" and best_ratio > ratio:
        page = advised  # what a move is judged by: the rows could have better pages
    moves = (0.0, 0.0)
    if state in ("to-rows", "to-files"):
        moves = clear_sizes(place, blob_kb, page_bytes, open_kb, *costs)
    if state == "to-files" and best_ratio <= 1 / CLEAR:  # and clear in better pages too
        there = clear_sizes(place, blob_kb, page, open_kb, *costs)
        moves = max(moves[0], there[0]), min(moves[1], there[1])
    limit = now["threshold_kb"]
    return {
        "verdict": f"{_side(blob_kb, limit, ratio)} {VERDICTS[state]}",
        "state": state,
        "ratio": ratio,
        "threshold_kb": limit,
        "file_kb": file,
        "row_kb": row,
        "pages": now["pages"],
        "advised_page_bytes": float(advised),
        "pragma": str(advised),
        "advised_ratio": best_ratio,
        "saved_percent": max(0.0, 100 * (1 - least / row)),
        "gain_percent": 100 * (1 - after / before),
        "move_from_kb": moves[0],
        "move_to_kb": moves[1],
        "alarm_kb": alarm_size(place, blob_kb, page, open_kb, *costs),
        "low_ratio": then / CLEAR,
        "high_ratio": then * CLEAR,
    }
