"""Chapter 7's simulations: every page that SQLite's cache is asked for, counted.

The case's, the map's and the animation's. They run in the page too.
"""

from tunables.base.arguments import integer, number, run_seed
from tunables.chapters.file_or_row.experiment import page_reads, trace, tree_of
from tunables.chapters.file_or_row.predictor import payload_bytes, predict
from tunables.theory.blob_storage import (
    file_cost,
    interior_fanout,
    local_bytes,
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
EVENLY = -1.0  # the kernel's word for each row once, in a random order


def shape_of(blob_kb, page_bytes) -> tuple:
    """Return (rows, rows per leaf, fan-out, overflow pages per row) of the report's database.

    It holds 100 MB of BLOBs, or 20,000 of them if they are small. Raises ValueError as
    `payload_bytes` and `pages_of` do.

    >>> shape_of(10, 1024)
    (10000, 1, 113, 9)
    """
    payload = payload_bytes(blob_kb)
    rows = max(1, min(MOST_ROWS, round(CONTENT_KB / blob_kb)))
    shape = rows, rows_per_leaf(payload, page_bytes), interior_fanout(page_bytes)
    return shape + (pages_of(payload, page_bytes) - 1,)


def cache_pages(cache_mb, page_bytes) -> int:
    """Return how many pages a cache of so many MB holds: at least 1.

    Raises ValueError unless the cache is from 0 to a million MB.

    >>> cache_pages(2.048, 1024)
    2000
    """
    megabytes = number("cache_mb", cache_mb, at_least=0, at_most=MOST_CACHE_MB)
    return max(1, int(megabytes * 1e6 * (1 + 1e-12) / page_bytes))


def _reads(seed, blob_kb, page_bytes, cache_mb, hot):
    shape = shape_of(blob_kb, page_bytes)
    return page_reads(run_seed(seed), *shape, cache_pages(cache_mb, page_bytes), hot)


def run(seed, *, blob_kb, page_bytes, open_kb, lookup_kb, page_kb, byte_ratio) -> dict:
    """Return "ratio" and "pages" of `predict`, with the pages counted in a simulated read.

    100 MB of BLOBs are read twice in a random order, through a page cache of 2 MB (LRU). The
    second time each page that the cache does not have is counted, those on the way to the leaf
    too. A page that it has costs nothing.
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
    pages = _reads(seed, blob_kb, page_bytes, CACHE_MB, EVENLY)
    row = row_cost(pages, page_bytes, lookup_kb, page_kb, byte_ratio)
    return {
        "ratio": file_cost(blob_kb, open_kb) / number("cost of the row", row, above=0),
        "pages": pages,
    }


def run_of_map(seed, *, blob_kb, page_bytes, cache_mb, hot, **_) -> dict:
    """Return "pages" as `run` does, with a cache of any size and rows that differ in demand.

    hot: the share of the reads that go to a tenth of the rows; 0.1 is even.
    Raises ValueError for a parameter that `run` refuses, and a share that is not from 0 to 1.
    """
    share = number("hot", hot, at_least=0, at_most=1)
    return {"pages": _reads(seed, blob_kb, page_bytes, cache_mb, share)}


# The animation replays these.
SEED = 1
MOST_BYTES = 2e6  # of a trace
_REQUEST_BYTES = 8
SMALL_ROWS = 12
SMALL_PASSES = 2


def events(seed, *, blob_kb, page_bytes, rows, passes, cache) -> tuple:
    """Return (pages of each level of the tree from the leaves up, pages asked for, hits).

    A few rows of `blob_kb` are read in a random order, `passes` times, through a cache of so many
    pages. Raises ValueError for numbers out of range, and for a trace of more than 2 MB.

    >>> tree, page, hit = events(1, blob_kb=10, page_bytes=4096, rows=2, passes=1, cache=8)
    >>> tree, page.tolist(), hit.tolist()
    ([1], [0, 1, 2, 0, 3, 4], [0, 0, 0, 1, 0, 0])
    """
    n = integer("rows", rows, 1, MOST_ROWS)
    shape = shape_of(blob_kb, page_bytes)
    width = shape[3] + len(tree_of(n, shape[1], shape[2]))
    passes = integer("passes", passes, at_least=1)
    number("bytes of the trace", n * passes * width * _REQUEST_BYTES, at_most=MOST_BYTES)
    page, hit = trace(run_seed(seed), n, *shape[1:], integer("cache", cache, 1, 10**6), passes)
    return [int(each) for each in tree_of(n, shape[1], shape[2])], page, hit


def play(*, blob, page, open_kb, lookup_kb, page_kb, byte_ratio) -> dict:
    """Return what the animation replays: twelve BLOBs, each read twice, from files and from rows.

    blob: kB as text; page: bytes as text. "page" and "hit" are the pages that the rows ask for,
    "tree" the pages of each level from the leaves up, "overflow" the other pages of a row. The
    costs are "open", "byte" (a file's bytes), "lookup" and "one" (a page). "local" and "most" are
    the bytes in a leaf and those that it has room for.
    Raises ValueError as `events` and `predict` do.
    """
    size, bytes_of_page = float(blob), int(page)
    costs = {
        "open_kb": open_kb,
        "lookup_kb": lookup_kb,
        "page_kb": page_kb,
        "byte_ratio": byte_ratio,
    }
    found = predict(blob_kb=size, page_bytes=bytes_of_page, **costs)
    cache = cache_pages(CACHE_MB, bytes_of_page)
    tree, asked, hit = events(
        SEED,
        blob_kb=size,
        page_bytes=bytes_of_page,
        rows=SMALL_ROWS,
        passes=SMALL_PASSES,
        cache=cache,
    )
    return {
        "blob": size,
        "bytes": bytes_of_page,
        "rows": SMALL_ROWS,
        "reads": SMALL_ROWS * SMALL_PASSES,
        "cache": cache,
        "tree": tree,
        "overflow": int(found["pages"]) - 1,
        "open": open_kb,
        "lookup": lookup_kb,
        "one": row_cost(1, bytes_of_page, 0, page_kb, byte_ratio),
        "ratio": found["ratio"],
        "local": local_bytes(payload_bytes(size), bytes_of_page),
        "page": [int(each) for each in asked],
        "hit": [int(each) for each in hit],
    }
