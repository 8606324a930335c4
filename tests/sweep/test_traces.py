"""Traces in Parquet: a row group at a time, here and by Dask, the same sample."""

import os
import re
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from tunables.simulators.caches import zipf_trace
from tunables.simulators.shards import sample_trace
from tunables.sweep.run import connect
from tunables.sweep.traces import row_group, row_groups, sample_on

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


@pytest.mark.long  # two workers write the same bytes in test_run.py
def test_two_workers_sample_the_same(file):
    with connect(workers=2) as client:
        found = sample_on(client, file, "id", 0.1, seed=2)
    here = sample_trace(row_groups(file, "id"), 0.1, seed=2)
    assert found.ids.tobytes() == here.ids.tobytes()
    assert found.requests == here.requests == len(TRACE)


ODD = {
    "text": pa.array(["1", "2"]),
    "float": pa.array([1.0, float("nan")]),
    "truth": pa.array([True, False]),
    "date": pa.array([1, 2], pa.timestamp("ns")),
    "list": pa.array([[1], [2, 3]]),
    "decimal": pa.array([1, 2], pa.decimal128(20, 2)),
    "pair": pa.array([{"a": 1}, {"a": 2}]),
    "dictionary": pa.array(["a", "b"]).dictionary_encode(),
    "none": pa.array([None, None]),
}


def test_what_is_no_whole_number_is_refused_by_its_kind(tmp_path):
    parquet.write_table(pa.table(ODD), tmp_path / "odd.parquet")
    for name in ODD:
        with pytest.raises(ValueError, match=f"{name}: must hold whole numbers, not "):
            row_group(tmp_path / "odd.parquet", name, 0)


def test_a_group_that_is_not_there_and_a_file_without_rows_are_refused(file, tmp_path):
    groups: tuple[Any, ...] = (4, -1, 0.5, 2**63)
    for group in groups:
        with pytest.raises(ValueError, match="group = "):
            row_group(file, "id", group)
    parquet.write_table(pa.table({"id": pa.array([], pa.int64())}), tmp_path / "empty")
    for read in (lambda path: next(row_groups(path, "id")), lambda path: row_group(path, "id", 0)):
        with pytest.raises(ValueError, match="must contain at least one row"):
            read(tmp_path / "empty")


@given(st.integers(0, 2**32), st.sampled_from(["change", "cut", "repeat"]))
@settings(max_examples=300, deadline=None)
def test_a_damaged_file_is_refused_or_gives_whole_numbers(folder, place, how):
    whole = (folder / "small.parquet").read_bytes()
    at = place % len(whole)
    made = {
        "change": whole[:at] + bytes([whole[at] ^ (place % 255 + 1)]) + whole[at + 1 :],
        "cut": whole[:at],
        "repeat": whole[:at] + whole[at // 2 :],
    }
    (folder / "damaged").write_bytes(made[how])
    found = refusal_or_kind(folder / "damaged")
    assert found in ("int64", "uint64") or re.search("path = |column = |id: must", found)


def refusal_or_kind(path):
    try:
        return str(row_group(path, "id", 0).dtype)
    except ValueError as error:
        return str(error)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("damaged")
    parquet.write_table(pa.table({"id": TRACE[:500]}), folder / "small.parquet")
    return folder


def test_what_cannot_be_read_is_refused(file, tmp_path):
    with pytest.raises(ValueError, match="column = 'ids': must be one of id, gap"):
        next(row_groups(file, "ids"))
    with pytest.raises(ValueError, match="gap: must have a number in each row; 1 have none"):
        next(row_groups(file, "gap"))
    (tmp_path / "text").write_text("a,b\n")
    for path in (tmp_path / "text", tmp_path / "none"):
        with pytest.raises(ValueError, match="must be a Parquet file"):
            next(row_groups(path, "id"))


def test_names_that_are_no_utf8_are_refused(tmp_path):
    parquet.write_table(pa.table({"idname": [1, 2]}), tmp_path / "named")
    content = (tmp_path / "named").read_bytes().replace(b"idname", b"id\xff\xfeme")
    (tmp_path / "named").write_bytes(content)
    with pytest.raises(ValueError, match=r"path = .*(in UTF-8|row group|Parquet file)"):
        row_group(tmp_path / "named", "idname", 0)


@pytest.mark.timeout(30)
def test_a_pipe_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match="must be a Parquet file, not a pipe"):
        row_group(tmp_path / "pipe", "id", 0)
