"""BLOBs read from files of their own and from rows of SQLite: times, and the pages of a row."""

import os
import random
import sqlite3
from collections.abc import Callable, Generator, Iterable
from contextlib import closing, suppress
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from tunables.base.arguments import flag, integer, refuse, sequence
from tunables.lab.cleanup import guarded_folder
from tunables.lab.machine import MOST_REPEATS

PAGE_SIZES = (512, 1024, 2048, 4096, 8192, 16384, 32768, 65536)
LEAST_BLOB, LARGEST_BLOB = 100, 10_000_000  # bytes
LEAST_CONTENT, MOST_CONTENT = 100_000, 1_000_000_000  # bytes
FEWEST_BLOBS = 8
_CACHE_SHARE = 50  # the page cache is a fiftieth of the content, as in the report
_THREAD_IO = Path("/proc/thread-self/io")


class BlobTimes(NamedTuple):
    """The time of a BLOB from a file and from a row, in seconds, and the pages of a row.

    pages: what SQLite read for a BLOB, in pages, as the kernel counts; None where it does not.
    """

    page_bytes: int
    blob_bytes: int
    blobs: int
    file_s: float
    row_s: float
    pages: float | None


def bytes_read() -> int | None:
    """Return how many bytes this thread has asked the kernel for, or None where it doesn't say."""
    with suppress(OSError, KeyError, ValueError):
        fields = dict(line.split(": ") for line in _THREAD_IO.read_text().splitlines())
        return int(fields["rchar"])
    return None


def _content(number: int, size: int) -> bytes:
    """Return a BLOB that differs from the others and doesn't compress."""
    return random.Random(number).randbytes(size)


def _write_files(folder: Path, count: int, size: int) -> list[str]:
    paths = []
    for number in range(count):
        path = folder / f"{size}-{number}"
        path.write_bytes(_content(number, size))
        paths.append(str(path))
    return paths


def _write_rows(path: Path, page_bytes: int, count: int, size: int) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size = {page_bytes}")
        connection.execute("PRAGMA auto_vacuum = 0")
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("CREATE TABLE blobs (id INTEGER PRIMARY KEY, content BLOB)")
        connection.execute("BEGIN")
        rows = ((number, _content(number, size)) for number in range(count))
        connection.executemany("INSERT INTO blobs VALUES (?, ?)", rows)
        connection.execute("COMMIT")


def forget(paths: Iterable[str]) -> bool:
    """Ask the system to drop files from its cache; return whether it knows the request.

    Any user may ask this of files that are open: POSIX_FADV_DONTNEED, after a sync. Where the
    files are in memory only, or other programs use them, they stay.
    """
    if not hasattr(os, "posix_fadvise"):
        return False
    for path in paths:
        file = os.open(path, os.O_RDONLY)
        try:
            os.fsync(file)
            os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        finally:
            os.close(file)
    return True


def _read_files(paths: list[str], order: list[int], size: int) -> int:
    """Read the files in an order, and return the bytes."""
    total, opened, read, close = 0, os.open, os.read, os.close
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0)
    for number in order:
        file = opened(paths[number], flags)
        total += len(read(file, size))
        close(file)
    return total


def _read_rows(cursor: sqlite3.Cursor, order: list[int]) -> int:
    total = 0
    for number in order:
        row = cursor.execute("SELECT content FROM blobs WHERE id = ?", (number,)).fetchone()
        total += len(row[0])
    return total


def _timed(read: Callable[[], int], wanted: int) -> float:
    began = perf_counter()
    total = read()
    elapsed_s = perf_counter() - began
    if total != wanted:
        raise RuntimeError(
            f"{wanted} bytes were written, but {total} were read. Run the cell again."
        )
    return max(elapsed_s, 1e-9)


class _Store:
    """BLOBs of one size in files and, for each page size, in a database."""

    def __init__(self, folder: Path, pages: list[int], size: int, count: int):
        self.size, self.count = size, count
        self.paths = _write_files(folder, count, size)
        self.databases = {page: folder / f"{size}-{page}.db" for page in pages}
        for page, path in self.databases.items():
            _write_rows(path, page, count, size)

    def time_files(self, order: list[int], cold: bool) -> float:
        if cold:
            forget(self.paths)
        return _timed(lambda: _read_files(self.paths, order, self.size), self.size * self.count)

    def time_rows(self, page: int, order: list[int], cold: bool) -> tuple[float, float | None]:
        """Return the seconds of a pass over the rows, and the pages of each."""
        path = self.databases[page]
        if cold:
            forget([str(path)])
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA mmap_size = 0")
            cache = max(10, self.size * self.count // _CACHE_SHARE // page)
            connection.execute(f"PRAGMA cache_size = {cache}")
            connection.execute("BEGIN")
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            cursor, before = connection.cursor(), bytes_read()
            elapsed_s = _timed(lambda: _read_rows(cursor, order), self.size * self.count)
            after = bytes_read()
        counted = None
        if before is not None and after is not None:
            counted = (after - before) / page / self.count
        return elapsed_s, counted


def _measure(pages, sizes, content_bytes, repeats, cold, seed):
    draw = random.Random(seed)
    for size in sizes:
        count = max(FEWEST_BLOBS, content_bytes // size)
        with guarded_folder("tunables-blobs-") as folder:
            store = _Store(folder.path, pages, size, count)
            files_s: list[float] = []
            rows_s: dict[int, list[float]] = {page: [] for page in pages}
            counted: dict[int, float | None] = {}
            for _ in range(repeats):  # in turns: a slow moment hits all alike
                order = draw.sample(range(count), count)
                files_s.append(store.time_files(order, cold))
                for page in pages:
                    elapsed_s, counted[page] = store.time_rows(page, order, cold)
                    rows_s[page].append(elapsed_s)
        for page in pages:
            fastest = min(files_s) / count, min(rows_s[page]) / count
            yield BlobTimes(page, size, count, *fastest, counted[page])


def sweep(
    page_bytes: Iterable[int],
    blob_bytes: Iterable[int],
    content_bytes=8_000_000,
    repeats=3,
    cold=False,
    seed=0,
) -> Generator[BlobTimes, None, None]:
    """Yield BlobTimes for every BLOB size and, within it, every page size of SQLite.

    content_bytes of BLOBs (at least 8) are read in random orders, from files and from rows, with
    a page cache of a fiftieth of that. The time is that of the fastest of the repeats. cold: the
    system is asked to forget the files before each pass. The generator owns a temporary folder
    with the files and the databases, and removes it when it ends or is closed.

    Raises ValueError for a page size that SQLite doesn't take, sizes outside 100 bytes to 10 MB,
    content outside 100 kB to 1 GB, and repeats below 1.
    """
    pages = [
        integer(f"page_bytes[{i}]", page, PAGE_SIZES[0], PAGE_SIZES[-1])
        for i, page in enumerate(sequence("page_bytes", page_bytes))
    ]
    for i, page in enumerate(pages):
        if page not in PAGE_SIZES:
            refuse(f"page_bytes[{i}]", page, f"one of {', '.join(map(str, PAGE_SIZES))}")
    sizes = [
        integer(f"blob_bytes[{i}]", size, LEAST_BLOB, LARGEST_BLOB)
        for i, size in enumerate(sequence("blob_bytes", blob_bytes))
    ]
    content = integer("content_bytes", content_bytes, LEAST_CONTENT, MOST_CONTENT)
    repeats = integer("repeats", repeats, at_least=1, at_most=MOST_REPEATS)
    return _measure(pages, sizes, content, repeats, flag("cold", cold), integer("seed", seed))
