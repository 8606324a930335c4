"""A table of one row a page, and a count of the pages that SQLite reads for want of cache.

Python's sqlite3 does not show SQLite's own miss counter (sqlite3_db_status), so the table
counts for it. Every row fills one page and carries an edition. Before each scan the next
edition is written over the last one in the file, behind SQLite's back; only those few bytes
of the row change, so SQLite has no way to notice. A page that waited in the cache still shows
an older edition. A page that shows the newest was read from the file during this scan: a miss.
This needs nothing but a file, and it is exact: the tests hold it against the reads that the
Linux kernel counts.
"""

import sqlite3
from contextlib import closing, contextmanager
from io import FileIO
from pathlib import Path
from time import perf_counter

from tunables.measure.cleanup import guarded_folder

PAGE_BYTES = 4096
SLACK_PAGES = 64  # more than SQLite keeps for itself beside the database's pages
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
    """Return where in the file each row's edition stands, having checked one row a page."""
    offsets = {}
    for page in range(0, len(image), PAGE_BYTES):
        if image[page] == _TABLE_LEAF and image[page + 3 : page + 5] == b"\0\1":
            cell = page + int.from_bytes(image[page + 8 : page + 10], "big")
            offset = image.index(b"edition ", cell)
            offsets[int(image[offset + 8 : offset + 16])] = offset
    if sorted(offsets) != list(range(rows)):
        raise RuntimeError(
            f"SQLite {sqlite3.sqlite_version} did not lay the table out as one row a page."
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
            f"{table.rows} cold pages gave {cold} misses, {table.rows} cached ones {warm}."
        )
