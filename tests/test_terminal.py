"""The commands' output where it cannot be written unchanged."""

import csv
import io
import json
import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tunables.cli import main
from tunables.terminal import NOT_WRITTEN, READER_GONE, write_file

SAMPLE = Path(__file__).parents[1] / "labs" / "samples" / "own" / "5-fits.csv"
COMMANDS = {
    "list": ["list"],
    "reproduce": ["reproduce", "lease"],
    "problem": ["problem", "1", "--kind", "random-commits", "--students", "9", "--answer"],
    "fit": ["fit", "5", str(SAMPLE)],
}
FULL = "tunables: the output could not be written: No space left on device\n"


def printed_text(arguments, encoding, monkeypatch):
    """Return what main prints to an output of that encoding."""
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", out)
    assert main(arguments) == 0
    return out.buffer.getvalue().decode(encoding)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
@pytest.mark.parametrize("command", COMMANDS)
def test_what_an_encoding_lacks_is_typewritten(command, encoding, monkeypatch):
    text = printed_text(COMMANDS[command], encoding, monkeypatch)
    usual = printed_text(COMMANDS[command], "utf-8", monkeypatch)
    assert text.count("?") == usual.count("?")
    assert len(text.splitlines()) == len(usual.splitlines())


def test_the_signs_of_the_tables_are_replaced_by_what_looks_like_them(monkeypatch):
    text = printed_text(COMMANDS["reproduce"], "ascii", monkeypatch)
    assert re.search(r" \+-0\.0005 +>= 4\.000 ", text)


@pytest.mark.parametrize(
    ("text", "typed"), [("ρ ≤ 1, λ", "rho <= 1, lambda"), ("Süd – 漢", "Sud - ?"), ("µs", "us")]
)
def test_letters_are_replaced_by_their_names_or_their_likes(text, typed):
    assert text.encode("ascii", "tunables.typewritten").decode() == typed


def test_json_and_csv_keep_their_form_in_any_encoding(monkeypatch):
    command = [*COMMANDS["reproduce"], "--format"]
    usual = json.loads(printed_text([*command, "json"], "utf-8", monkeypatch))
    assert json.loads(printed_text([*command, "json"], "ascii", monkeypatch)) == usual
    table = printed_text([*command, "csv"], "ascii", monkeypatch)
    assert len(list(csv.DictReader(io.StringIO(table)))) == len(usual)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_closed_pipe_ends_it_quietly(command, monkeypatch, capsys):
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "w", encoding="utf-8") as out:
        monkeypatch.setattr(sys, "stdout", out)
        assert main(COMMANDS[command]) == READER_GONE
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk_is_one_sentence(command, monkeypatch, capsys):
    with open("/dev/full", "w", encoding="utf-8") as out:
        monkeypatch.setattr(sys, "stdout", out)
        assert main(COMMANDS[command]) == NOT_WRITTEN
    assert capsys.readouterr().err == FULL


def test_help_and_the_end_of_the_interpreter_print_nothing_more():
    command = [sys.executable, "-m", "tunables", "--help"]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (NOT_WRITTEN, FULL)


def test_an_output_that_is_closed_is_no_success():
    done = subprocess.run(
        ["sh", "-c", '"$0" -m tunables list >&-', sys.executable],
        capture_output=True,
        text=True,
        timeout=120,
    )
    sentence = "tunables: the output could not be written: it is closed\n"
    assert (done.returncode, done.stderr) == (NOT_WRITTEN, sentence)


def limit_file(size, path, content):
    """Write a file where none may have more than size bytes, as on a disk that is full then."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        write_file(str(path), content)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_file_that_cannot_be_written_whole_is_left_as_it_was(tmp_path):
    path = tmp_path / "bank.xml"
    path.write_text("the old bank\n")
    path.chmod(0o640)
    with pytest.raises(ValueError, match=r"^output = '.*bank\.xml': File too large$"):
        limit_file(1000, path, "x" * 5000)
    assert path.read_text() == "the old bank\n"
    limit_file(1000, path, "the new bank")
    assert path.read_text() == "the new bank\n"
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_file_has_the_usual_rights_and_a_link_stays_one(tmp_path):
    (tmp_path / "usual").write_text("")
    write_file(str(tmp_path / "new"), b"a")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode
    (tmp_path / "link").symlink_to("new")
    write_file(str(tmp_path / "link"), b"b")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "new").read_bytes() == b"b"
    write_file(os.devnull, b"c")
    assert not os.path.isfile(os.devnull)
