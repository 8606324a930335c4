"""Newer versions are asked for, and what they break is told."""

import doctest

import pytest

from upkeep import locks, newer, newest


@pytest.mark.parametrize("module", [locks, newer])
def test_its_examples_hold(module):
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0


def test_it_asks_for_no_less_than_what_is_pinned_and_for_jupyter_book_1():
    asked = newer.loosened(locks.direct(locks.ROOT / name for name in newer.NAMES)).splitlines()
    assert len(asked) > 20
    assert all(">=" in line and "==" not in line for line in asked)
    (book,) = [line for line in asked if line.startswith("jupyter-book")]
    assert book.endswith(",<2")


def test_it_tells_which_versions_changed(capsys):
    before, after = newer.pins("a==1\nb==2 ; os_name == 'nt'\n"), newer.pins("a==1\nb==3\nc==1")
    newer.show(before, after)
    assert capsys.readouterr().out == "  b 2 -> 3\n  c (new) -> 1\n"


@pytest.fixture
def folder(tmp_path):
    """Return a folder in which the book cannot be made, and all else goes well."""
    (tmp_path / "Makefile").write_text(
        "book:\n\t@echo no such thing; exit 1\nlint front:\n\t@true\n"
    )
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\n")
    python.chmod(0o755)
    return tmp_path


def test_it_tells_what_broke_and_goes_on(folder, capsys):
    done = dict(newest.steps(folder))
    assert list(done.values()) == [False, True, True, True]
    assert "\n  no such thing\n" in capsys.readouterr().out


def test_it_fails_where_a_step_did(folder, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["newest", str(folder / "clone")])
    for name in ("newest_python", "newest_npm"):
        monkeypatch.setattr(newest, name, lambda clone: None)
    monkeypatch.setattr(newest, "steps", lambda clone: [("one", True), ("two", False)])
    with pytest.raises(SystemExit) as end:
        newest.main()
    assert end.value.code == 1
    assert capsys.readouterr().out.endswith("well: one\nFAILED: two\n")
