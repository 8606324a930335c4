"""Lab 1 where PostgreSQL is missing: the same cells, on the write-ahead log."""

import pytest

from tests.chapters.notebooks import ROOT, cells, prose
from tunables.lab import postgres, postgres_server
from tunables.theory.group_commit import closed_group_commit

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


def test_the_lab_says_which_settings_of_postgresql_it_changes():
    assert postgres._SETTINGS["commit_siblings"] == 1
    assert "the default is 5. The lab sets it to 1" in prose(LAB)


def test_the_law_bounds_a_log_with_a_delay_and_not_one_without():
    """Flushes of 1 and 16 by turns do more than the law's 1 and 15: it was once called a bound."""
    by_turns = (1 + 16) / (2 * 0.005)
    assert by_turns > closed_group_commit(16, 0.005, 0.0)
    text = prose(LAB)
    assert "No machine, however busy, commits faster than the law" not in text
    assert f"{(1 + 16) / 2} on average, whereas the law says {(1 + 15) // 2}" in text
