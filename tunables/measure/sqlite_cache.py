"""SQLite's page cache under scans in three orders: the share of requests that miss.

The pages of the b-tree above the rows take room in the cache too. They are not counted as
requests; Layout says how many pages there are and what a cache leaves for the rows.
"""

import random
import sqlite3
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from typing import NamedTuple

from tunables.measure.limits import MOST_COUNTED, MOST_REPEATS
from tunables.measure.sqlite_table import SLACK_PAGES, paged_table
from tunables.plain.arguments import choice, sequence, whole

ORDERS = ("cyclic", "zigzag", "shuffle")


class Layout(NamedTuple):
    """A table of one row a page: its rows, the file's pages, the smallest cache that fits all."""

    rows: int
    pages: int
    fits: int

    def row_capacity(self, cache_pages) -> int:
        """Return how many rows a cache_size leaves room for: one fewer for each page short of
        the smallest cache in which everything fits.

        >>> Layout(rows=4000, pages=4011, fits=4012).row_capacity(3609)
        3597
        """
        return min(self.rows, max(0, self.rows - self.fits + whole("cache_pages", cache_pages)))


class Measurement(NamedTuple):
    """Scans of one order through one cache, once the cache is warm."""

    cache_pages: int
    order: str
    requests: int
    misses: int
    miss_ratio: float
    seconds: float


def peculiarities(options) -> list[str]:
    """Return a sentence for each of SQLite's compile options that changes what is measured.

    >>> peculiarities(["THREADSAFE=1", "MAX_MMAP_SIZE=0x7fff0000"])
    []
    """
    shared = "all databases that this program has open share one page cache."
    sentences = {
        "ENABLE_MEMORY_MANAGEMENT": shared,
        "THREADSAFE=0": shared,
        "OMIT_PAGER_PRAGMAS": "it ignores cache_size, so its cache cannot be swept.",
    }
    return [
        f"This SQLite was compiled with {option}: {sentences[option]}"
        for option in options
        if option in sentences
    ]


def compile_options() -> list[str]:
    """Return the options that this Python's SQLite was compiled with."""
    with closing(sqlite3.connect(":memory:")) as connection:
        return [option for (option,) in connection.execute("PRAGMA compile_options")]


def _scans(order, rows, scans, seed):
    """Yield the order of each scan: the first fills the cache, the rest are measured."""
    numbers = list(range(rows))
    generator = random.Random(seed)
    for scan in range(scans + 1):
        if order == "shuffle":
            generator.shuffle(numbers)
        yield numbers[::-1] if order == "zigzag" and scan % 2 else numbers


def _measure(table, cache_pages, order, scans, seed) -> Measurement:
    with table.reader(cache_pages) as cursor:
        _, *warm = (table.scan(cursor, scan) for scan in _scans(order, table.rows, scans, seed))
    requests = table.rows * scans
    misses = sum(missed for missed, _ in warm)
    seconds = sum(elapsed for _, elapsed in warm)
    return Measurement(cache_pages, order, requests, misses, misses / requests, seconds)


def survey(rows=4000) -> Layout:
    """Build the table and find, by bisection, the smallest cache_size that misses nothing.

    Raises ValueError for rows outside 10 to 50,000 (200 MB); RuntimeError where SQLite's
    misses cannot be counted.
    """
    with paged_table(whole("rows", rows, at_least=10, at_most=50_000)) as table:
        small, large = table.rows, table.pages + SLACK_PAGES
        while large - small > 1:
            middle = (small + large) // 2
            if _measure(table, middle, "cyclic", 1, 0).misses:
                small = middle
            else:
                large = middle
        return Layout(table.rows, table.pages, large)


def _sweep(rows, cases, scans, seed):
    with paged_table(rows) as table:
        for cache_pages, order in cases:
            yield _measure(table, cache_pages, order, scans, seed)


def sweep(
    cache_pages: Iterable[int], orders=ORDERS, rows=4000, scans=3, seed=0
) -> Generator[Measurement, None, None]:
    """Yield a Measurement for every cache size (SQLite's cache_size, in pages) and scan order.

    Each starts with a cold cache; a first scan fills it, then `scans` scans are measured.
    "cyclic" reads every row from first to last, again and again; "zigzag" reverses every
    second scan; "shuffle" draws a fresh order for each scan from the seed. The generator
    owns a temporary database of rows x 4 KiB and removes it when it ends or is closed.

    Raises ValueError for sizes below 1, an unknown order, rows outside 10 to 50,000 or scans
    below 1; RuntimeError where SQLite's misses cannot be counted.
    """
    rows = whole("rows", rows, at_least=10, at_most=50_000)
    scans = whole("scans", scans, at_least=1, at_most=MOST_REPEATS)
    sizes = [
        whole(f"cache_pages[{i}]", size, 1, MOST_COUNTED)
        for i, size in enumerate(sequence("cache_pages", cache_pages))
    ]
    names = [
        choice(f"orders[{i}]", order, ORDERS) for i, order in enumerate(sequence("orders", orders))
    ]
    seed = whole("seed", seed)
    return _sweep(rows, [(size, name) for size in sizes for name in names], scans, seed)


def replay(cache_pages, scans: Iterable[Sequence[int]], rows=4000) -> list[int]:
    """Return the misses of each of several scans, one after the other through one cache.

    A scan is a list of row numbers, from 0 to rows - 1, in the order in which they are read.
    The cache starts cold. What a scan misses depends on those before it as far as the cache
    remembers them.

    Raises ValueError for a cache_pages below 1, rows outside 10 to 50,000, or a scan with a
    number that is no row; RuntimeError where SQLite's misses cannot be counted.
    """
    pages = whole("cache_pages", cache_pages, at_least=1, at_most=MOST_COUNTED)
    rows = whole("rows", rows, at_least=10, at_most=50_000)
    orders = [
        [
            whole(f"scans[{i}][{j}]", row, at_most=rows - 1)
            for j, row in enumerate(sequence(f"scans[{i}]", scan))
        ]
        for i, scan in enumerate(sequence("scans", scans))
    ]
    with paged_table(rows) as table, table.reader(pages) as cursor:
        return [table.scan(cursor, order)[0] for order in orders]
