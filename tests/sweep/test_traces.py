"""Traces in Parquet: a row group at a time, here and by Dask, the same sample."""

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from tunables.simulators.caches import zipf_trace
from tunables.simulators.shards import sample_trace
from tunables.sweep.run import connected
from tunables.sweep.traces import row_groups, sample_on

TRACE = zipf_trace(5000, 100_000, 0.8, seed=3)


@pytest.fixture
def file(tmp_path):
    table = pa.table({"id": TRACE, "gap": pa.array([None] + [1] * (len(TRACE) - 1))})
    parquet.write_table(table, tmp_path / "trace.parquet", row_group_size=30_000)
    return tmp_path / "trace.parquet"


def test_the_row_groups_are_the_trace(file):
    groups = list(row_groups(file, "id"))
    assert [len(group) for group in groups] == [30_000, 30_000, 30_000, 10_000]
    assert (np.concatenate(groups) == TRACE).all()


@pytest.mark.slow
def test_two_workers_sample_the_same(file):
    with connected(workers=2) as client:
        found = sample_on(client, file, "id", 0.1, seed=2)
    here = sample_trace(row_groups(file, "id"), 0.1, seed=2)
    assert found.ids.tobytes() == here.ids.tobytes()
    assert found.requests == here.requests == len(TRACE)


def test_what_cannot_be_read_is_refused(file, tmp_path):
    with pytest.raises(ValueError, match="column = 'ids': must be one of id, gap"):
        next(row_groups(file, "ids"))
    with pytest.raises(ValueError, match="gap: must have a number in each row; 1 have none"):
        next(row_groups(file, "gap"))
    (tmp_path / "text").write_text("a,b\n")
    for path in (tmp_path / "text", tmp_path / "none"):
        with pytest.raises(ValueError, match="must be a Parquet file"):
            next(row_groups(path, "id"))
