"""The miss counter: held against the reads that the kernel counts, and against itself."""

import random
from pathlib import Path

import pytest

from tunables.measure import sqlite_table
from tunables.measure.sqlite_table import PAGE_BYTES, paged_table

ROWS = 200
THREAD_IO = Path("/proc/thread-self/io")


def scans(table, cache_pages, count, around=lambda: 0):
    """Return for each of so many shuffled scans its misses and what around() grew by."""
    order = list(range(ROWS))
    results = []
    with table.reader(cache_pages) as cursor:
        for number in range(count):
            random.Random(number).shuffle(order)
            before = around()
            misses, _ = table.scan(cursor, order)
            results.append((misses, around() - before))
    return results


def test_known_cases():
    """A cold cache misses every row; one with room for all misses none; one page misses all."""
    with paged_table(ROWS) as table:
        assert scans(table, 300, 3) == [(ROWS, 0), (0, 0), (0, 0)]
        assert scans(table, 1, 3) == [(ROWS, 0)] * 3


@pytest.mark.skipif(not THREAD_IO.exists(), reason="only Linux counts the reads of a thread")
@pytest.mark.parametrize("cache_pages", [100, 150, 200, 203])
def test_counter_agrees_with_the_reads_that_the_kernel_counts(cache_pages):
    """Each miss reads one page; the kernel counts those of the tree above the rows as well.

    It counts bytes, those that pages_read() reads for itself among them: hence a page of slack.
    """

    def pages_read():
        fields = dict(line.split(": ") for line in THREAD_IO.read_text().splitlines())
        return int(fields["rchar"]) // PAGE_BYTES

    with paged_table(ROWS) as table:
        (cold_misses, cold_reads), *warm = scans(table, cache_pages, 6, pages_read)
        tree = table.pages - ROWS
    assert cold_misses == ROWS
    assert ROWS < cold_reads <= ROWS + tree
    assert all(0 <= reads - misses <= 1 for misses, reads in warm)


def test_a_counter_that_sees_no_misses_is_refused(monkeypatch):
    monkeypatch.setattr(sqlite_table.PagedTable, "renew", lambda table: b"never written")
    with (
        pytest.raises(RuntimeError, match="200 cold pages gave 0 misses, 200 cached ones 0"),
        paged_table(ROWS),
    ):
        pass


def test_a_counter_that_sees_only_misses_is_refused(monkeypatch):
    """So would a SQLite look that read every page afresh, or mapped the file into memory."""

    class Uncached(sqlite_table.PagedTable):
        def reader(self, cache_pages):
            return super().reader(1)

    monkeypatch.setattr(sqlite_table, "PagedTable", Uncached)
    with (
        pytest.raises(RuntimeError, match="200 cold pages gave 200 misses, 200 cached ones 200"),
        paged_table(ROWS),
    ):
        pass


def test_a_layout_of_several_rows_a_page_is_refused(monkeypatch):
    monkeypatch.setattr(sqlite_table, "_FILLER_BYTES", 100)
    with pytest.raises(RuntimeError, match="one row a page"), paged_table(ROWS):
        pass


def test_a_cache_size_that_is_ignored_is_refused():
    """SQLite takes a size beyond 32 bits for another one, as a build without the pragma would."""
    with (
        paged_table(ROWS) as table,
        pytest.raises(RuntimeError, match="ignores PRAGMA cache_size"),
        table.reader(2**40),
    ):
        pass
