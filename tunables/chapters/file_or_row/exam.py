"""Chapter 7's questions of an exam: leaves, huge BLOBs, and the opening that makes both equal."""

from tunables.core.exam import Question, factor, uniform
from tunables.theory.blob_storage import file_cost, local_bytes, row_cost


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


def exam() -> dict[str, Question]:
    """Return the kinds of exam question, which no page shows."""
    return {
        "leaf": Question(
            "A database has pages of {page_bytes} bytes. A row has {payload_bytes} bytes, more "
            "than a leaf takes. So the leaf keeps K = M + (P - M) mod (U - 4) of its P bytes, "
            "with U bytes per page and M = floor(32 (U - 12)/255) - 23, but only M if K is more "
            "than U - 35. How many bytes of the row are in overflow pages?",
            "bytes",
            (_overflow_bytes, _overflowing),
        ),
        "huge": Question(
            "A database has pages of {page_bytes} bytes, of which 4 point to the next page. "
            "A page costs as much as reading {page_kb} kB of a file, and on top of that each of "
            "its bytes costs {byte_ratio} times as much as a file's. BLOBs are so large that "
            "opening a file and finding a row no longer count. How many times as long does it "
            "take to read them from files as from rows?",
            "",
            (_ratio_of_huge_blobs, _pages),
        ),
        "equals": Question(
            "A BLOB is {blob_kb} kB. Finding its row takes as long as reading {lookup_kb} kB of "
            "an open file. The row is read from {pages} pages of {page_bytes} bytes. Each page "
            "costs {page_kb} kB, and each of its bytes {byte_ratio} times as much as a file's. "
            "What must finding, opening and closing a file cost, in kB of file, for both to take "
            "equally long?",
            "kB",
            (_opening_of_equals, _read),
        ),
    }
