"""SQLite's page cache under scans in three orders: the share of requests that miss.

The pages of the b-tree above the rows take room in the cache too. They are not counted as
requests; Layout says how many pages there are and what a cache leaves for the rows.
"""

import random
import sqlite3
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing, contextmanager
from io import FileIO
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from tunables.base.arguments import choice, integer, sequence
from tunables.lab.cleanup import guarded_folder
from tunables.lab.machine import MOST_COUNTED, MOST_REPEATS

PAGE_BYTES = 4096
SLACK_PAGES = 64  # more than SQLite keeps for itself besides the database's pages
_FILLER_BYTES = 3000  # over half a page: two rows never share one, and none overflows
_TABLE_LEAF = 13  # first byte of a page that holds rows (SQLite's file format, 1.6)


def _fill(path, rows):
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        connection.execute("PRAGMA auto_vacuum = 0")
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("CREATE TABLE pages (id INTEGER PRIMARY KEY, edition BLOB, filler BLOB)")
        connection.execute("BEGIN")
        connection.executemany(
            f"INSERT INTO pages VALUES (?, ?, zeroblob({_FILLER_BYTES}))",
            ((row, _edition(row)) for row in range(rows)),
        )
        connection.execute("COMMIT")


def _edition(number):
    return b"edition %08d" % number


def _edition_offsets(image, rows):
    """Return the offset of each row's edition in the file; check that pages hold one row each."""
    offsets = {}
    for page in range(0, len(image), PAGE_BYTES):
        if image[page] == _TABLE_LEAF and image[page + 3 : page + 5] == b"\0\1":
            cell = page + int.from_bytes(image[page + 8 : page + 10], "big")
            offset = image.index(b"edition ", cell)
            offsets[int(image[offset + 8 : offset + 16])] = offset
    if sorted(offsets) != list(range(rows)):
        raise RuntimeError(
            f"SQLite {sqlite3.sqlite_version} did not lay the table out with one row per page."
        )
    return list(offsets.values())


class PagedTable:
    """A table on disk, whose editions can be renewed while connections read it."""

    def __init__(self, path: Path, file: FileIO, rows: int):
        image = path.read_bytes()
        self.path = path
        self.file = file
        self.rows = rows
        self.pages = len(image) // PAGE_BYTES
        self.offsets = _edition_offsets(image, rows)
        self.editions = rows  # the rows' first marks are editions 0 to rows - 1

    def renew(self):
        """Write a new edition over every row in the file, and return it."""
        self.editions += 1
        edition = _edition(self.editions)
        for offset in self.offsets:
            self.file.seek(offset)
            self.file.write(edition)
        return edition

    @contextmanager
    def reader(self, cache_pages):
        """Yield a cursor with a cold cache of cache_pages that holds one read transaction."""
        with closing(sqlite3.connect(self.path, isolation_level=None)) as connection:
            connection.execute("PRAGMA mmap_size = 0")
            connection.execute(f"PRAGMA cache_size = {cache_pages}")
            if connection.execute("PRAGMA cache_size").fetchone() != (cache_pages,):
                raise RuntimeError(f"SQLite {sqlite3.sqlite_version} ignores PRAGMA cache_size.")
            connection.execute("BEGIN")
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            yield connection.cursor()

    def scan(self, cursor, order) -> tuple[int, float]:
        """Read the rows in the order given; return the misses and the seconds."""
        edition = self.renew()
        misses = 0
        execute = cursor.execute
        start = perf_counter()
        for row in order:
            (seen,) = execute("SELECT edition FROM pages WHERE id = ?", (row,)).fetchone()
            misses += seen == edition
        return misses, perf_counter() - start


@contextmanager
def paged_table(rows):
    """Yield a temporary table. However the block is left, no file of it remains."""
    with guarded_folder("tunables-sqlite-") as folder:
        path = folder.path / "pages.db"
        _fill(path, rows)
        # Open before and after every connection: closing a file drops SQLite's POSIX locks on it.
        with FileIO(path, "r+") as file:
            table = PagedTable(path, file, rows)
            _check_counter(table)
            yield table


def _check_counter(table):
    """Hold the counter against two known cases: a cold cache, and one that holds everything."""
    with table.reader(table.pages + SLACK_PAGES) as cursor:
        cold, warm = (table.scan(cursor, range(table.rows))[0] for _ in range(2))
    if (cold, warm) != (table.rows, 0):
        raise RuntimeError(
            f"Page-cache misses cannot be counted with SQLite {sqlite3.sqlite_version} here: "
            f"{table.rows} cold pages gave {cold} misses, and {table.rows} cached ones gave {warm}."
        )


ORDERS = ("cyclic", "zigzag", "shuffle")
MOST_READ = 2_000_000  # rows of all scans that are replayed


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
        return min(self.rows, max(0, self.rows - self.fits + integer("cache_pages", cache_pages)))


class CacheMeasurement(NamedTuple):
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
        "OMIT_PAGER_PRAGMAS": "it ignores cache_size, so the lab can't vary the size of its cache.",
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


def _measure(table, cache_pages, order, scans, seed) -> CacheMeasurement:
    with table.reader(cache_pages) as cursor:
        _, *warm = (table.scan(cursor, scan) for scan in _scans(order, table.rows, scans, seed))
    requests = table.rows * scans
    misses = sum(missed for missed, _ in warm)
    seconds = sum(elapsed for _, elapsed in warm)
    return CacheMeasurement(cache_pages, order, requests, misses, misses / requests, seconds)


def survey(rows=4000) -> Layout:
    """Build the table and find, by bisection, the smallest cache_size that misses nothing.

    Raises ValueError for rows outside 10 to 50,000 (200 MB); RuntimeError where SQLite's
    misses cannot be counted.
    """
    with paged_table(integer("rows", rows, at_least=10, at_most=50_000)) as table:
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
) -> Generator[CacheMeasurement, None, None]:
    """Yield a CacheMeasurement for every cache size (SQLite's cache_size, in pages) and scan order.

    Each starts with a cold cache; a first scan fills it, then `scans` scans are measured.
    "cyclic" reads every row from first to last, again and again; "zigzag" reverses every
    second scan; "shuffle" draws a fresh order for each scan from the seed. The generator
    owns a temporary database of rows x 4 KiB and removes it when it ends or is closed.

    Raises ValueError for sizes below 1, an unknown order, rows outside 10 to 50,000 or scans
    below 1; RuntimeError where SQLite's misses cannot be counted.
    """
    rows = integer("rows", rows, at_least=10, at_most=50_000)
    scans = integer("scans", scans, at_least=1, at_most=MOST_REPEATS)
    sizes = [
        integer(f"cache_pages[{i}]", size, 1, MOST_COUNTED)
        for i, size in enumerate(sequence("cache_pages", cache_pages))
    ]
    names = [
        choice(f"orders[{i}]", order, ORDERS) for i, order in enumerate(sequence("orders", orders))
    ]
    seed = integer("seed", seed)
    return _sweep(rows, [(size, name) for size in sizes for name in names], scans, seed)


def replay(cache_pages, scans: Iterable[Sequence[int]], rows=4000) -> list[int]:
    """Return the misses of each of several scans, one after the other through one cache.

    A scan is a list of row numbers, from 0 to rows - 1, in the order in which they are read.
    The cache starts cold. What a scan misses depends on those before it as far as the cache
    remembers them.

    Raises ValueError for a cache_pages below 1, rows outside 10 to 50,000, a scan with a number
    that is no row, or more than two million rows in all scans; RuntimeError where SQLite's
    misses cannot be counted.
    """
    pages = integer("cache_pages", cache_pages, at_least=1, at_most=MOST_COUNTED)
    rows = integer("rows", rows, at_least=10, at_most=50_000)
    orders: list[list[int]] = []
    read = 0
    for i, scan in enumerate(sequence("scans", scans)):
        numbers = sequence(f"scans[{i}]", scan)
        read += len(numbers)
        integer("rows in all scans", read, at_most=MOST_READ)
        orders.append(
            [integer(f"scans[{i}][{j}]", row, at_most=rows - 1) for j, row in enumerate(numbers)]
        )
    with paged_table(rows) as table, table.reader(pages) as cursor:
        return [table.scan(cursor, order)[0] for order in orders]
