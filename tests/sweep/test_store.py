"""The folder of a sweep: whole files, one sweep, and nothing of anybody else's."""

import io
import json
import os
from dataclasses import replace

import pyarrow.parquet as pq
import pytest

from tunables.core.registry import find_case
from tunables.sweep.plan import Plan, parse_axis
from tunables.sweep.store import MANIFEST, Store, chunk_bytes

STORM = find_case("storm")


def plan(*texts, **others):
    return Plan("storm", tuple(parse_axis(STORM, text) for text in texts), **others)


def test_a_chunk_has_what_the_model_and_its_simulation_say():
    sweep = plan("retries=0:2", "timeout_s=0.5,1", seeds=2, chunk=4)
    rows = []
    for chunk in range(sweep.chunks):
        content = chunk_bytes(json.dumps(sweep.describe()), chunk)
        rows += pq.read_table(io.BytesIO(content)).to_pylist()
    assert [row["point"] for row in rows] == [n for n in range(6) for _ in range(2)]
    for row in rows:
        settings = STORM.settings(retries=row["retries"], timeout_s=row["timeout_s"])
        for name, value in STORM.predict(**settings).items():
            assert row[name] == value or (row[name] is None and value != value)
        for name, value in STORM.simulation.run(row["seed"], **settings).items():
            assert row[f"simulated_{name}"] == value or row[f"simulated_{name}"] is None
        assert row["refusal"] is None


def test_a_point_that_the_model_refuses_says_why_and_the_sweep_goes_on(monkeypatch):
    def predict(retries, **others):
        if retries == 1:
            raise ValueError("retries = 1: must be something else")
        return STORM.predict(retries=retries, **others)

    monkeypatch.setattr("tunables.sweep.store.find_case", lambda _: replace(STORM, predict=predict))
    content = chunk_bytes(json.dumps(plan("retries=0:2").describe()), 0)
    good, refused, last = pq.read_table(io.BytesIO(content)).to_pylist()
    assert refused["refusal"] == "retries = 1: must be something else"
    assert {refused[output.name] for output in STORM.outputs} == {None}
    assert good["refusal"] is last["refusal"] is None
    assert last["point"] == last["retries"] == 2


def test_a_file_is_there_whole_or_not_at_all(tmp_path):
    sweep = plan("retries", chunk=2)
    store = Store(tmp_path / "new" / "folder", sweep)
    assert store.missing() == [0, 1, 2, 3, 4]
    store.keep(2, chunk_bytes(store.text, 2))
    (store.folder / "part-000000003.parquet.new").write_bytes(b"half a fi")  # as a crash leaves it
    again = Store(store.folder, sweep)
    assert again.missing() == [0, 1, 3, 4]
    assert sorted(path.name for path in store.folder.iterdir()) == [
        MANIFEST,
        "part-000000002.parquet",
    ]


def test_a_folder_of_something_else_is_refused_and_stays_as_it_is(tmp_path):
    Store(tmp_path / "sweep", plan("retries"))
    before = (tmp_path / "sweep" / MANIFEST).read_bytes()
    with pytest.raises(ValueError, match="holds another sweep"):
        Store(tmp_path / "sweep", plan("retries=0:3"))
    assert (tmp_path / "sweep" / MANIFEST).read_bytes() == before
    (tmp_path / "drafts").mkdir()
    (tmp_path / "drafts" / "chapter.new").write_text("half of it")
    with pytest.raises(ValueError, match="must be a new or empty folder"):
        Store(tmp_path / "drafts", plan("retries"))
    assert (tmp_path / "drafts" / "chapter.new").read_text() == "half of it"
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.tex").write_text("all of it")
    with pytest.raises(ValueError, match="must be a new or empty folder"):
        Store(tmp_path / "thesis", plan("retries"))
    with pytest.raises(ValueError, match=r"out = .*chapter\.tex"):
        Store(tmp_path / "thesis" / "chapter.tex", plan("retries"))
    assert (tmp_path / "thesis" / "chapter.tex").read_text() == "all of it"


def test_a_full_disk_is_reported_and_existing_files_stay(tmp_path):
    store = Store(tmp_path / "sweep", plan("retries", chunk=2))
    store.keep(0, b"content")
    store.folder.rename(tmp_path / "gone")
    with pytest.raises(ValueError, match=r"out = .*; nothing there was changed"):
        store.keep(1, b"content")
    assert (tmp_path / "gone" / store.name(0)).read_bytes() == b"content"


@pytest.mark.parametrize("damage", ["empty", "cut off", "its end cut off", "text", "other rows"])
def test_a_damaged_file_counts_as_missing_and_is_computed_again(tmp_path, damage):
    store = Store(tmp_path, plan("retries=0:4", "timeout_s=0.5,1", seeds=2, chunk=3))
    good = chunk_bytes(store.text, 1)
    made = {
        "empty": b"",
        "cut off": good[: len(good) // 2],
        "its end cut off": good[:-1],
        "text": b"a,b\n",
        "other rows": chunk_bytes(store.text, store.plan.chunks - 1),
    }
    store.keep(0, chunk_bytes(store.text, 0))
    store.keep(1, made[damage])
    assert store.missing() == list(range(1, store.plan.chunks))
    store.keep(1, good)
    assert store.missing() == list(range(2, store.plan.chunks))


def test_a_file_of_other_columns_counts_as_missing(tmp_path):
    store = Store(tmp_path, plan("retries=0:4", chunk=5))
    other = plan("timeout_s=1:2:5", chunk=5)
    store.keep(0, chunk_bytes(json.dumps(other.describe()), 0))
    assert store.missing() == [0]


@pytest.mark.timeout(30)
def test_a_pipe_in_place_of_a_file_does_not_block(tmp_path):
    store = Store(tmp_path, plan("retries=0:4", chunk=5))
    os.mkfifo(tmp_path / store.name(0))
    assert store.missing() == [0]
    (tmp_path / MANIFEST).unlink()
    os.mkfifo(tmp_path / MANIFEST)
    with pytest.raises(ValueError, match="holds another sweep"):
        Store(tmp_path, plan("retries=0:4", chunk=5))


def test_a_manifest_in_another_encoding_is_another_sweeps(tmp_path):
    text = Store(tmp_path, plan("retries")).text
    (tmp_path / MANIFEST).write_bytes(text.encode("utf-16"))
    with pytest.raises(ValueError, match=r"out = .*: holds another sweep"):
        Store(tmp_path, plan("retries"))


def test_a_folder_whose_name_no_system_has_is_refused():
    with pytest.raises(ValueError, match=r"out = 'a\\x00b': must be a path without a null"):
        Store("a\0b", plan("retries"))
