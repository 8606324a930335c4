"""The pages of a BLOB against SQLite itself, and the costs against brute force."""

import sqlite3

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.page.chapters import module
from tunables.theory.blob_storage import (
    best_page_bytes,
    file_cost,
    interior_fanout,
    largest_payload,
    local_bytes,
    pages_of,
    row_cost,
    rows_per_leaf,
    threshold_pages,
)

tree_of = module("blobs", "experiment").tree_of
few = settings(deadline=None, max_examples=100, derandomize=True)
page_sizes = st.sampled_from([512, 1024, 2048, 4096, 8192, 16384, 32768, 65536])
ROWS = 300


def sqlite_pages(page_bytes, blob_bytes):
    connection = sqlite3.connect(":memory:")
    connection.execute(f"PRAGMA page_size = {page_bytes}")
    connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, content BLOB)")
    rows = ((row, blob_bytes) for row in range(1, ROWS + 1))
    connection.executemany("INSERT INTO t VALUES (?, zeroblob(?))", rows)
    (count,) = connection.execute("PRAGMA page_count").fetchone()
    connection.close()
    return count - 1  # the first page holds the schema


def header(blob_bytes):
    """Return the bytes of a record beside its BLOB: its length, a NULL, and a type's varint."""
    kind = 2 * blob_bytes + 12
    return 2 + (1 if kind < 2**7 else 2 if kind < 2**14 else 3)


@pytest.mark.parametrize("page_bytes", [512, 1024, 4096, 16384, 65536])
@pytest.mark.parametrize("blob_bytes", [100, 980, 4056, 10_000, 16_345, 16_350, 20_000, 65_500])
def test_sqlite_needs_as_many_pages(page_bytes, blob_bytes):
    """Overflow pages are exact. A leaf or an inner page may hold one row or child more than said:

    the smallest keys and lengths take a byte or two less than `rows_per_leaf` allows them.
    """
    payload = blob_bytes + header(blob_bytes)
    tree = int(tree_of(ROWS, rows_per_leaf(payload, page_bytes), interior_fanout(page_bytes)).sum())
    spilled = ROWS * (pages_of(payload, page_bytes) - 1)
    found = sqlite_pages(page_bytes, blob_bytes)
    assert spilled + 1 <= found
    assert found - spilled == pytest.approx(tree, abs=1 + 0.25 * tree)
    assert found <= spilled + tree


@given(st.integers(1, 3_000_000), page_sizes)
@few
def test_what_is_not_in_the_leaf_fills_overflow_pages(payload, page):
    local, pages = local_bytes(payload, page), pages_of(payload, page)
    assert local <= page - 35
    assert (pages - 2) * (page - 4) < payload - local <= (pages - 1) * (page - 4)


@given(st.integers(1, 300), page_sizes)
@few
def test_the_largest_payload_of_some_pages_is_the_last_that_fits(pages, page):
    most = largest_payload(pages, page)
    assert pages_of(most, page) == pages
    assert pages_of(most + 1, page) == pages + 1


@given(
    page_sizes,
    st.floats(1, 300),
    st.floats(0, 100),
    st.floats(0, 10),
    st.floats(1.05, 3),
)
@few
def test_the_threshold_is_the_last_full_row_that_is_as_fast_as_a_file(page, o, f, q, s):
    pages = threshold_pages(page, o, f, q, s)

    def gain(n):
        return file_cost(largest_payload(n, page) / 1000, o) - row_cost(n, page, f, q, s)

    assert all(gain(n) > -1e-6 for n in range(1, int(min(pages, 50)) + 1))
    assert all(gain(n) < 1e-6 for n in range(int(pages) + 1, int(pages) + 50))


def test_a_page_that_costs_less_than_its_bytes_from_a_file_has_no_threshold():
    assert threshold_pages(4096, 120, 35, 1, 0.5) == float("inf")
    assert threshold_pages(4096, 0, 35, 4, 1.25) == 0


@pytest.mark.parametrize(("o", "f", "q", "s"), [(10, 35, 0.1, 0.5), (1, 200, 0, 0.9)])
def test_where_only_large_rows_are_faster_there_is_no_threshold_either(o, f, q, s):
    """Opening costs less than the look-up, and each page less than its bytes in a file."""

    def row_is_faster(n):
        return row_cost(n, 4096, f, q, s) <= file_cost(largest_payload(n, 4096) / 1000, o)

    assert not row_is_faster(1)
    assert all(map(row_is_faster, range(600, 700)))
    assert threshold_pages(4096, o, f, q, s) == float("inf")


@pytest.mark.parametrize("blob_kb", [50, 200])
def test_the_best_page_is_where_the_mean_cost_of_a_row_that_overflows_is_least(blob_kb):
    """Over BLOBs near that size, of which the last page is half full on average."""
    q, s = 4.0, 1.25
    sizes = [int(1000 * blob_kb * share) for share in np.linspace(0.6, 1.4, 401)]
    pages = np.unique(np.geomspace(2000, 60_000, 60).astype(int))
    costs = [
        sum(row_cost(pages_of(size, int(u)), int(u), 35, q, s) for size in sizes) for u in pages
    ]
    best = best_page_bytes(blob_kb, q, s)
    near = np.interp(best, pages, costs)
    assert near <= 1.03 * min(costs)
    assert best == pytest.approx(pages[int(np.argmin(costs))], rel=0.35)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: pages_of(0, 4096), "payload_bytes = 0: must be a whole number at least 1"),
        (lambda: pages_of(10, 100), "page_bytes = 100: must be a whole number at least 512"),
        (lambda: largest_payload(0, 4096), "pages = 0: must"),
        (lambda: file_cost(0, 1), "blob_kb = 0: must be"),
        (lambda: row_cost(-1, 4096, 1, 1, 1), "pages = -1: must be"),
        (lambda: best_page_bytes(1, 0, 1), "page_kb = 0: must be"),
    ],
)
def test_what_is_out_of_range_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()
