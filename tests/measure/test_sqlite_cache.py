"""SQLite's cache: the laws of the three orders, and nothing left behind."""

import os
import signal
import subprocess
import sys

import pytest

from tunables.measure import sqlite_cache
from tunables.measure.sqlite_cache import ORDERS, Layout, peculiarities, survey, sweep
from tunables.measure.sqlite_table import PAGE_BYTES
from tunables.theory.caching import shuffled_hit_ratio, zigzag_hit_ratio

ROWS = 200


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
    (folder,) = tmp_path.iterdir()
    assert (folder / "pages.db").stat().st_size >= ROWS * PAGE_BYTES
    results.close()
    assert list(tmp_path.iterdir()) == []


LONG_SWEEP = """
import signal
from tunables.measure.sqlite_cache import sweep
signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever the parent ignores
for row in sweep([100] * 30_000, rows=200):
    print(row.cache_pages, flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="kill -INT is POSIX")
def test_interrupt_half_way_leaves_no_file(tmp_path):
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", LONG_SWEEP],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "100\n"
        assert list(tmp_path.iterdir()) != []
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert "KeyboardInterrupt" in errors
    assert list(tmp_path.iterdir()) == []


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
