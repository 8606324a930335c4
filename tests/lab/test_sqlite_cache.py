"""The miss counter: held against the reads that the kernel counts, and against itself."""

import os
import random
import signal
from pathlib import Path

import pytest

from tests.lab.interrupted import assert_nothing_is_left
from tunables.lab import sqlite_cache
from tunables.lab.sqlite_cache import (
    ORDERS,
    PAGE_BYTES,
    Layout,
    paged_table,
    peculiarities,
    replay,
    survey,
    sweep,
)
from tunables.theory.caching import shuffled_hit_ratio, zigzag_hit_ratio

ROWS = 200
THREAD_IO = Path("/proc/thread-self/io")


def scans(table, cache_pages, count, around=lambda: 0):
    """Return for each shuffled scan its misses and the growth of around()."""
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
    monkeypatch.setattr(sqlite_cache.PagedTable, "renew", lambda table: b"never written")
    with (
        pytest.raises(
            RuntimeError, match="200 cold pages gave 0 misses, and 200 cached ones gave 0"
        ),
        paged_table(ROWS),
    ):
        pass


def test_a_counter_that_sees_only_misses_is_refused(monkeypatch):
    """So would a SQLite look that read every page afresh, or mapped the file into memory."""

    class Uncached(sqlite_cache.PagedTable):
        def reader(self, cache_pages):
            return super().reader(1)

    monkeypatch.setattr(sqlite_cache, "PagedTable", Uncached)
    with (
        pytest.raises(
            RuntimeError, match="200 cold pages gave 200 misses, and 200 cached ones gave 200"
        ),
        paged_table(ROWS),
    ):
        pass


def test_a_layout_of_several_rows_a_page_is_refused(monkeypatch):
    monkeypatch.setattr(sqlite_cache, "_FILLER_BYTES", 100)
    with pytest.raises(RuntimeError, match="one row per page"), paged_table(ROWS):
        pass


def test_a_cache_size_that_is_ignored_is_refused():
    """SQLite takes a size beyond 32 bits for another one, as a build without the pragma would."""
    with (
        paged_table(ROWS) as table,
        pytest.raises(RuntimeError, match="ignores PRAGMA cache_size"),
        table.reader(2**40),
    ):
        pass


@pytest.fixture(scope="module")
def layout():
    return survey(ROWS)


def miss_ratios(sizes, orders=ORDERS, **arguments):
    results = sweep(sizes, orders, rows=ROWS, **arguments)
    return {(row.cache_pages, row.order): row.miss_ratio for row in results}


def test_layout_counts_the_pages_above_the_rows(layout):
    assert layout.rows == ROWS
    assert layout.rows + 2 <= layout.pages <= layout.rows + 5  # the schema, a root, a level
    assert layout.pages <= layout.fits <= layout.pages + 2


def test_row_capacity_stays_between_nothing_and_every_row():
    layout = Layout(rows=200, pages=202, fits=203)
    assert [layout.row_capacity(pages) for pages in (1, 4, 103, 203, 999)] == [0, 1, 100, 200, 200]


def test_a_cache_that_holds_everything_misses_nothing(layout):
    assert set(miss_ratios([layout.fits, layout.fits + 100]).values()) == {0.0}


def test_one_page_too_few_is_the_cliff(layout):
    ratios = miss_ratios([layout.fits - 1])
    assert ratios[layout.fits - 1, "cyclic"] == 1.0
    assert 0 < ratios[layout.fits - 1, "zigzag"] <= 0.02
    assert ratios[layout.fits - 1, "shuffle"] <= 0.05


@pytest.mark.parametrize("fraction", [0.25, 0.5, 0.9])
def test_orders_follow_their_laws(layout, fraction):
    size = layout.fits - ROWS + round(fraction * ROWS)
    held = layout.row_capacity(size) / ROWS
    ratios = miss_ratios([size], scans=20)
    assert ratios[size, "cyclic"] == 1.0
    assert ratios[size, "zigzag"] == pytest.approx(1 - zigzag_hit_ratio(held), abs=0.02)
    assert ratios[size, "shuffle"] == pytest.approx(1 - shuffled_hit_ratio(held), abs=0.03)


def test_same_seed_same_counts_and_another_seed_other_counts(layout):
    def misses(seed):
        results = sweep([layout.fits - 50], ["shuffle"], rows=ROWS, scans=5, seed=seed)
        return [row.misses for row in results]

    assert misses(1) == misses(1)
    assert misses(1) != misses(2)


@pytest.mark.parametrize("before", [0, 45, 90, 180])
def test_a_warm_cache_whose_scan_grows_forgets_at_once(layout, before):
    """An LRU cache hits all that fits; once more rows join, it hits nothing, wherever they join."""
    size = layout.fits - 20
    old = list(range(layout.row_capacity(size)))
    grown = [*old[:before], *range(len(old), ROWS), *old[before:]]
    misses = replay(size, [old, old, grown, grown, grown], rows=ROWS)
    assert misses == [180, 0, ROWS - before, ROWS, ROWS]


def test_far_more_rows_than_room_are_forgotten_too(layout):
    old = range(layout.row_capacity(layout.fits - 140))
    misses = replay(layout.fits - 140, [old, old, range(ROWS), range(ROWS)], rows=ROWS)
    assert misses == [60, 0, ROWS - 60, ROWS]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"cache_pages": 0, "scans": [[1]]}, "cache_pages = 0"),
        ({"cache_pages": 9, "scans": [[1], [2, 20]], "rows": 20}, r"scans\[1\]\[1\] = 20: .* 19"),
        ({"cache_pages": 9, "scans": [[-1]]}, r"scans\[0\]\[0\] = -1"),
        ({"cache_pages": 9, "scans": [[1]], "rows": 5}, "rows = 5"),
    ],
)
def test_scans_of_no_row_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        replay(**arguments)


def test_rows_say_what_was_measured(layout):
    (row,) = sweep([layout.fits - 1], ["zigzag"], rows=ROWS, scans=4)
    assert row.requests == 4 * ROWS
    assert row.miss_ratio == row.misses / row.requests
    assert row.seconds > 0


def test_closing_half_way_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    results = sweep([100, 150], rows=ROWS)
    assert list(tmp_path.iterdir()) == []  # nothing is made before the first result
    next(results)
    (folder,) = tmp_path.glob("tunables-sqlite-*")
    assert (folder / "pages.db").stat().st_size >= ROWS * PAGE_BYTES
    results.close()
    assert list(tmp_path.iterdir()) == []


LONG_SWEEP = """
from tunables.lab.sqlite_cache import sweep
for row in sweep([100] * 30_000, rows=200):
    print(row.cache_pages, flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals as POSIX has them")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_signal_half_way_leaves_no_file(number):
    assert_nothing_is_left(LONG_SWEEP, number)


def test_peculiarities_are_sentences():
    (shared,) = peculiarities(["COMPILER=gcc", "ENABLE_MEMORY_MANAGEMENT"])
    assert shared == (
        "This SQLite was compiled with ENABLE_MEMORY_MANAGEMENT: all databases that this "
        "program has open share one page cache."
    )
    assert len(peculiarities(["OMIT_PAGER_PRAGMAS", "THREADSAFE=0"])) == 2
    assert any(option.startswith("THREADSAFE=") for option in sqlite_cache.compile_options())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"cache_pages": [0]}, r"cache_pages\[0\] = 0: must be a whole number at least 1"),
        ({"cache_pages": [10, -2000]}, r"cache_pages\[1\] = -2000"),
        ({"cache_pages": [10], "orders": ["random"]}, r"orders\[0\] = 'random': must be one of"),
        ({"cache_pages": [10], "rows": 9}, "rows = 9"),
        ({"cache_pages": [10], "rows": 50_001}, "rows = 50001"),
        ({"cache_pages": [10], "scans": 0}, "scans = 0"),
        ({"cache_pages": [float("nan")]}, r"cache_pages\[0\] = nan"),
    ],
)
def test_bad_arguments_are_refused_before_anything_is_made(arguments, message):
    with pytest.raises(ValueError, match=message):
        sweep(**arguments)


def test_survey_refuses_too_few_rows():
    with pytest.raises(ValueError, match="rows = 2"):
        survey(2)


def test_more_rows_than_a_lab_waits_for_are_refused_before_they_are_read():
    with pytest.raises(ValueError, match="rows in all scans = 2000001: must be a whole number"):
        replay(5, [[0], [0] * 1_000_000, [1] * 1_000_000])
    with pytest.raises(ValueError, match=r"scans\[0\]\[1000\] = 1000: must be a whole number"):
        replay(5, [range(1001)], rows=1000)
