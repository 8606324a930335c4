"""The reads of BLOBs: SQLite's pages as the kernel counts them, and nothing left behind."""

import os

import pytest

from tunables.lab import blob_store
from tunables.lab.blob_store import BlobTimes, bytes_read, forget, sweep
from tunables.page.chapters import module
from tunables.theory.blob_storage import pages_of

payload_bytes = module("blobs", "predictor").payload_bytes
SIMULATION = module("blobs", "simulation")
COUNTED = pytest.mark.skipif(bytes_read() is None, reason="only Linux counts a thread's reads")


@COUNTED
@pytest.mark.parametrize("page_bytes", [1024, 4096, 65536])
@pytest.mark.parametrize("blob_bytes", [4000, 20_000, 100_000])
def test_sqlite_reads_the_pages_of_the_formula(page_bytes, blob_bytes):
    """One more at most: a page of the tree above the leaf, when the cache has dropped it."""
    (row,) = sweep([page_bytes], [blob_bytes], content_bytes=1_000_000, repeats=1)
    wanted = pages_of(payload_bytes(blob_bytes / 1000), page_bytes)
    assert row.blobs == 1_000_000 // blob_bytes
    assert row.pages is not None
    assert 0.3 * wanted <= row.pages <= wanted + 2
    if wanted > 10:
        assert row.pages == pytest.approx(wanted, rel=0.1)


def test_times_are_those_of_one_blob():
    rows = list(sweep([4096, 16384], [2000, 50_000], content_bytes=200_000, repeats=2, cold=True))
    assert [(row.page_bytes, row.blob_bytes) for row in rows] == [
        (4096, 2000),
        (16384, 2000),
        (4096, 50_000),
        (16384, 50_000),
    ]
    assert all(isinstance(row, BlobTimes) and row.file_s > 0 and row.row_s > 0 for row in rows)
    assert [row.blobs for row in rows] == [100, 100, 8, 8]


def test_forgetting_is_asked_only_where_the_system_knows_it(tmp_path, monkeypatch):
    path = tmp_path / "a"
    path.write_bytes(b"x")
    assert forget([str(path)]) == hasattr(os, "posix_fadvise")
    monkeypatch.delattr(os, "posix_fadvise", raising=False)
    assert not forget([str(path)])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([1000], [2000]), r"page_bytes\[0\] = 1000: must be one of 512"),
        (([4096], [10]), r"blob_bytes\[0\] = 10: must be"),
        (([4096], [2000], 10), "content_bytes = 10: must be"),
        (([4096], [2000], 10**6, 0), "repeats = 0: must be"),
        (([4096], [2000], 10**6, 1, 2), "cold = 2: must be"),
    ],
)
def test_odd_arguments_are_refused_before_anything_is_written(arguments, words):
    with pytest.raises(ValueError, match=words):
        sweep(*arguments)


def test_a_read_that_lacks_bytes_is_no_measurement():
    with pytest.raises(RuntimeError, match="4 bytes were written, but 3 were read"):
        blob_store._timed(lambda: 3, 4)


def test_the_simulated_database_has_the_labs_share_of_cache():
    rows, *_ = SIMULATION.shape_of(10, 1024)
    assert rows * 10_000 // blob_store._CACHE_SHARE // 1024 == pytest.approx(
        SIMULATION.cache_pages(2, 1024), rel=0.03
    )
