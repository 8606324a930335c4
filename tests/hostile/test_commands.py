"""Whatever the command line is given: what was asked for, or one sentence and exit status 2."""

import contextlib
import io
import os
import re
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.cli import main

SAMPLES = Path(__file__).parents[2] / "labs" / "samples" / "own"
ODD = [
    *("", " ", "-", "--", "-1", "0", "1e308", "nan", "inf", "9" * 5000, "²", "１２", "1_0", "0x1"),
    *("no such name", "<script>alert(1)</script>", "\u202eabc", "\U0001f642", "%s{0}", "..", "\n"),
    *("\udcff\udcfe", "a" * 10_000, "None", "True", "[]", "{}", ";ls", "$(ls)", "../../x", "3 "),
]
# Of each command one form that is right, its arguments to be replaced one at a time.
COMMANDS = [
    ["list"],
    ["reproduce", "lease", "--format", "csv", "--seed", "1"],
    ["problem", "3", "--seed", "7", "--kind", "slowdown", "--format", "md", "--students", "2"],
    ["problem", "3", "--secret", "word", "--roster", "roster.csv", "--answer"],
    ["bank", "3", "--each", "1", "--secret", "word", "--format", "moodle"],
    ["exam", "3", "--secret", "word", "--questions", "2", "--format", "csv"],
    ["fit", "2", str(SAMPLES / "2-fits.csv"), "--column", "0"],
    ["fit", "3", str(SAMPLES / "3-fits.csv"), "--column", "0"],
    ["sweep", "rrd", "--grid", "graphs=1000:9000:3", "--sobol", "0", "--seeds", "0"],
]
PROGRESS = re.compile(r"\d+ of \d+ files.*[\r\n]*")  # of a sweep
WORDS = st.sampled_from(ODD) | st.text(max_size=20)


def assert_answered(arguments: list[str]) -> None:
    """Run a command: status 0 and an answer, or 2 and a sentence without a traceback."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = main(arguments)
        except SystemExit as end:  # argparse's own
            status = int(end.code or 0)
    said = err.getvalue()
    assert status in (0, 2), (arguments, said)
    assert "Traceback" not in said
    assert (PROGRESS.sub("", said) == "") == (status == 0), (arguments, said)
    if status == 2:
        assert len(said) > 10, said
        assert len(said) < 3_000, said[:300]


def with_word(command: list[str], place: int, word: str) -> list[str]:
    return [*command[:place], word, *command[place + 1 :]]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Run in a folder of its own, with a roster; a sweep without its folder starts nothing."""
    (tmp_path / "roster.csv").write_text("id,name\ns1,Ada\n")
    monkeypatch.chdir(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("words", [ODD[::6], pytest.param(ODD, marks=pytest.mark.long)], ids=len)
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command)[:30])
def test_an_odd_word_in_any_place(command, words):
    for place in range(len(command)):
        for word in words:
            assert_answered(with_word(command, place, word))


@pytest.mark.slow
@settings(deadline=None, derandomize=True, max_examples=60)
@given(command=st.sampled_from(COMMANDS), data=st.data())
def test_odd_words_in_several_places(command, data):
    for place in data.draw(st.lists(st.integers(0, len(command) - 1), max_size=4)):
        command = with_word(command, place, data.draw(WORDS))
    assert_answered(command + data.draw(st.lists(WORDS, max_size=2)))


@pytest.mark.long
@settings(deadline=None, max_examples=3000)
@given(words=st.lists(WORDS | st.sampled_from([w for c in COMMANDS for w in c]), max_size=9))
def test_any_words(words):
    assert_answered(words)


FILES = {
    "empty": b"",
    "binary": bytes(range(256)) * 40,
    "zeros": b"\0" * 10_000,
    "latin-1": "id;name\nä;Süd\n".encode("latin-1"),
    "marked": b"\xef\xbb\xbfid,name\r\ns1,Ada\r\n",
    "old Macintosh": b"id,name\rs1,Ada\r",
    "UTF-16": "id,name\ns1,Ada\n".encode("utf-16"),
    "one long line": b"," * 3_000_000,
    "quotes": b'id,name\n"' + b"x" * 200_000,
    "no end": b"id,name\ns1,Ada",
    "many columns": b"id,name" + b",x" * 5000 + b"\n",
    "a cell too long": b"id,name\n" + b"9" * 200_000 + b",Ada\n",
    "zero byte": b"id,name\ns1,A\0da\n",
    "markup": b"<html><script>alert(1)</script></html>",
}


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("chapter", ["1", "3", "6"])
def test_a_file_of_any_content(name, chapter):
    Path("odd").write_bytes(FILES[name])
    assert_answered(["fit", chapter, "odd"])
    assert_answered(["problem", "3", "--roster", "odd", "--secret", "word"])


@pytest.mark.parametrize("command", [["fit", "1"], ["problem", "3", "--roster"]])
def test_what_is_no_file_is_a_sentence(command):
    os.mkfifo("pipe")
    writer = threading.Thread(target=lambda: Path("pipe").write_bytes(b"no,table\n"))
    writer.start()
    assert_answered([*command, "pipe"])
    writer.join(timeout=60)
    for path in (".", "absent", "absent/absent", "/dev/null", "/dev/full", "/proc/self/mem"):
        assert_answered([*command, path])


@pytest.mark.slow
@pytest.mark.parametrize("path", [".", "absent/file", "/dev/full", "/proc/version", "a" * 300])
def test_what_cannot_be_written_is_a_sentence(path):
    out = ["--output", path]
    for command in (["problem", "3"], ["exam", "3", "--secret", "word"], ["bank", "3"]):
        short = ["--each", "1"] if command[0] == "bank" else []
        assert_answered([*command, *short, *out])
    assert_answered(["sweep", "rrd", "--grid", "graphs=1000,2000", "--out", f"{path}/x"])


def test_bytes_of_another_encoding_in_an_argument():
    """As the shell hands them on: they are no UTF-8, and stand for halves of characters."""
    assert_answered(["exam", "3", "--secret", os.fsdecode(b"S\xfcd")])
    assert_answered(["problem", os.fsdecode(b"\xff")])
    assert sys.stdout is not None
