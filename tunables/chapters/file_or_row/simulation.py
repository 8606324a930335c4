"""Chapter 7's simulations, which count every page that SQLite's cache is asked for.

The case, the map and the animation use them. They run in the page too.
"""

from tunables.base.arguments import integer, number, run_seed, text
from tunables.chapters.file_or_row.experiment import page_reads, trace, tree_of
from tunables.chapters.file_or_row.predictor import payload_bytes, predict
from tunables.theory.blob_storage import (
    LARGEST_PAGE,
    LEAST_PAGE,
    file_cost,
    interior_fanout,
    pages_of,
    row_cost,
    rows_per_leaf,
)

CONTENT_KB = 100_000  # of a database: 100 MB
CACHE_MB = 2.0
MOST_ROWS = 20_000
MOST_CACHE_MB = 1e6
RUNS = 3
MAP_RUNS = 2


def shape_of(blob_kb, page_bytes) -> tuple:
    """Return (rows, rows per leaf, fan-out, overflow pages per row) of the report's database.

    It holds 100 MB of BLOBs, or 20,000 of them if they are small. Raises ValueError as
    `payload_bytes` and `pages_of` do.

    >>> shape_of(10, 1024)
    (10000, 1, 113, 9)
    """
    payload = payload_bytes(blob_kb)
    rows = max(1, min(MOST_ROWS, round(CONTENT_KB / float(blob_kb))))
    shape = rows, rows_per_leaf(payload, page_bytes), interior_fanout(page_bytes)
    return shape + (pages_of(payload, page_bytes) - 1,)


def cache_pages(cache_mb, page_bytes) -> int:
    """Return how many pages a cache of so many MB holds: at least 1.

    Raises ValueError unless the cache has 0 to a million MB, and the page 512 to 65,536 bytes.

    >>> cache_pages(2.048, 1024)
    2000
    """
    megabytes = number("cache_mb", cache_mb, at_least=0, at_most=MOST_CACHE_MB)
    page = integer("page_bytes", page_bytes, LEAST_PAGE, LARGEST_PAGE)
    return max(1, int(megabytes * 1e6 * (1 + 1e-12) / page))


def _reads(seed, blob_kb, page_bytes, cache_mb):
    shape = shape_of(blob_kb, page_bytes)
    return page_reads(run_seed(seed), *shape, cache_pages(cache_mb, page_bytes))


def run(seed, *, blob_kb, page_bytes, open_kb, lookup_kb, page_kb, byte_ratio) -> dict:
    """Return "ratio" and "pages" of `predict`, with the pages counted in a simulated read.

    100 MB of BLOBs are read twice in a random order, through a page cache of 2 MB (LRU). The
    second time, each page that the cache does not have is counted, including those on the way to
    the leaf. A page that the cache has costs nothing.
    Raises ValueError for a parameter that `predict` refuses, by its name.
    """
    predict(
        blob_kb=blob_kb,
        page_bytes=page_bytes,
        open_kb=open_kb,
        lookup_kb=lookup_kb,
        page_kb=page_kb,
        byte_ratio=byte_ratio,
    )
    pages = _reads(seed, blob_kb, page_bytes, CACHE_MB)
    row = row_cost(pages, page_bytes, lookup_kb, page_kb, byte_ratio)
    return {
        "ratio": file_cost(blob_kb, open_kb) / number("cost of the row", row, above=0),
        "pages": pages,
    }


def run_of_map(seed, *, blob_kb, page_bytes, cache_mb, **_) -> dict:
    """Return "pages" as `run` does, with a page cache of any size.

    Raises ValueError for a parameter that `run` refuses, and a cache that `cache_pages` refuses.
    """
    return {"pages": _reads(seed, blob_kb, page_bytes, cache_mb)}


# The animation replays these.
SEED = 1
SHOWN = 24  # reads


def events(seed, *, blob_kb, page_bytes, cache_mb, shown) -> tuple:
    """Return (pages of each level of the tree from the leaves up, pages asked for, hits).

    They are those of the last reads of `run`, from the root to the last overflow page of each row.
    Raises ValueError as `run` does, and unless shown is from 1 to the number of rows.

    >>> tree, page, hit = events(1, blob_kb=100, page_bytes=65_536, cache_mb=2, shown=1)
    >>> tree[-1], len(page), hit.tolist()[0]
    (1, 3, 1)
    """
    shape = shape_of(blob_kb, page_bytes)
    reads = integer("shown", shown, 1, shape[0])
    page, hit = trace(run_seed(seed), *shape, cache_pages(cache_mb, page_bytes), reads)
    return [int(each) for each in tree_of(*shape[:3])], page, hit


def play(*, blob, page, open_kb, lookup_kb, page_kb, byte_ratio) -> dict:
    """Return what the animation replays: the last 24 reads of a run, from files and from rows.

    blob: kB as text; page: bytes as text. "page" and "hit" are the pages that the rows ask for,
    "tree" the pages of each level from the leaves up, "overflow" the other pages of a row. The
    costs are "open", "lookup" and "one" (a page); a kB of a file costs 1.
    Raises ValueError as `events` and `predict` do.
    """
    size, bytes_of_page = float(text("blob", blob)), int(text("page", page))
    found = predict(
        blob_kb=size,
        page_bytes=bytes_of_page,
        open_kb=open_kb,
        lookup_kb=lookup_kb,
        page_kb=page_kb,
        byte_ratio=byte_ratio,
    )
    tree, asked, hit = events(
        SEED, blob_kb=size, page_bytes=bytes_of_page, cache_mb=CACHE_MB, shown=SHOWN
    )
    return {
        "blob": size,
        "bytes": bytes_of_page,
        "reads": SHOWN,
        "tree": tree,
        "overflow": int(found["pages"]) - 1,
        "open": open_kb,
        "lookup": lookup_kb,
        "one": row_cost(1, bytes_of_page, 0, page_kb, byte_ratio),
        "ratio": found["ratio"],
        "page": [int(each) for each in asked],
        "hit": [int(each) for each in hit],
    }
