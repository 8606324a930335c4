"""Newer versions are installed, and what they break is reported."""

import doctest
import json

import pytest

from upkeep import locks, newest


@pytest.mark.parametrize("module", [locks, newest])
def test_its_examples_hold(module):
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0


def test_it_allows_nothing_older_than_the_pins_and_jupyter_book_1():
    wanted = newest.loosen(locks.direct(locks.ROOT / name for name in newest.NAMES)).splitlines()
    assert len(wanted) > 20
    assert all(">=" in line and "==" not in line for line in wanted)
    (book,) = [line for line in wanted if line.startswith("jupyter-book")]
    assert book.endswith(",<2")


def test_it_prints_which_of_npm_s_versions_changed(capsys):
    before, after = (
        json.dumps({"packages": {f"node_modules/{k}": {"version": v} for k, v in each.items()}})
        for each in ({"a": "1", "b": "2"}, {"a": "1", "b": "3", "c": "1"})
    )
    newest.print_changes(before, after)
    assert capsys.readouterr().out == "  b 2 -> 3\n  c (new) -> 1\n"


@pytest.fixture
def folder(tmp_path):
    """Return a folder in which the book cannot be built, and everything else succeeds."""
    (tmp_path / "Makefile").write_text(
        "book:\n\t@echo no such thing; exit 1\nlint front:\n\t@true\n"
    )
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\n")
    python.chmod(0o755)
    return tmp_path


def test_it_prints_what_broke_and_goes_on(folder, capsys):
    done = dict(newest.steps(folder))
    assert list(done.values()) == [False, True, True, True]
    assert "\n  no such thing\n" in capsys.readouterr().out


def test_it_fails_where_a_step_did(folder, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["newest", str(folder / "clone")])
    for name in ("install_python", "install_npm"):
        monkeypatch.setattr(newest, name, lambda clone: None)
    monkeypatch.setattr(newest, "steps", lambda clone: [("one", True), ("two", False)])
    with pytest.raises(SystemExit) as end:
        newest.main()
    assert end.value.code == 1
    assert capsys.readouterr().out.endswith("passed: one\nFAILED: two\n")
