"""Lab 1 where PostgreSQL is missing: the same cells, on the write-ahead log."""

import pytest

from tests.chapters.notebooks import ROOT, cells
from tunables.measure import postgres_server

LAB = ROOT / "labs" / "01-group-commit.ipynb"
SHORTER = {"seconds=2)": "seconds=0.3)", '"seconds": 1,': '"seconds": 0.3,'}


@pytest.fixture
def nothing_installed(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(postgres_server, "_PLACES", ())


def test_the_lab_says_what_is_missing_and_runs_on_the_write_ahead_log(nothing_installed, capsys):
    source = "\n".join(cell["source"] for cell in cells(LAB, "code"))
    for text, shorter in SHORTER.items():
        assert text in source
        source = source.replace(text, shorter)
    names: dict = {}
    exec(source, names)
    printed = capsys.readouterr().out
    assert "PostgreSQL is not installed here" in printed
    assert "sudo apt install postgresql" in printed
    assert names["name"] == "the write-ahead log"
    assert [point.emulated_flush_s for point in names["device"]] == [0.0] * 9
    assert [point.emulated_flush_s for point in names["slow"]] == [0.005] * 9
    assert "the write-ahead log" in str(names["table"](names["device"], names["name"]))
