"""The commands' output where it cannot be written as it is."""

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tunables.cli import main
from tunables.terminal import NOT_WRITTEN, READER_GONE

SAMPLE = Path(__file__).parents[1] / "labs" / "samples" / "own" / "5-fits.csv"
COMMANDS = {
    "list": ["list"],
    "reproduce": ["reproduce", "lease"],
    "problem": ["problem", "1", "--kind", "random-commits", "--students", "9", "--answer"],
    "fit": ["fit", "5", str(SAMPLE)],
}
FULL = "tunables: the output could not be written: No space left on device\n"


def printed(arguments, encoding, monkeypatch):
    """Return what main prints to an output of that encoding."""
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", out)
    assert main(arguments) == 0
    return out.buffer.getvalue().decode(encoding)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
@pytest.mark.parametrize("command", COMMANDS)
def test_what_an_encoding_lacks_is_typewritten(command, encoding, monkeypatch):
    text = printed(COMMANDS[command], encoding, monkeypatch)
    usual = printed(COMMANDS[command], "utf-8", monkeypatch)
    assert text.count("?") == usual.count("?")
    assert len(text.splitlines()) == len(usual.splitlines())


def test_the_signs_of_the_tables_are_replaced_by_what_looks_like_them(monkeypatch):
    assert "4.000 +- 0.000" in printed(COMMANDS["reproduce"], "ascii", monkeypatch)


@pytest.mark.parametrize(
    ("text", "typed"), [("ρ ≤ 1, λ", "rho <= 1, lambda"), ("Süd – 漢", "Sud - ?"), ("µs", "us")]
)
def test_letters_are_replaced_by_their_names_or_their_likes(text, typed):
    assert text.encode("ascii", "tunables.typewritten").decode() == typed


def test_json_and_csv_keep_their_form_in_any_encoding(monkeypatch):
    command = [*COMMANDS["reproduce"], "--format"]
    usual = json.loads(printed([*command, "json"], "utf-8", monkeypatch))
    assert json.loads(printed([*command, "json"], "ascii", monkeypatch)) == usual
    table = printed([*command, "csv"], "ascii", monkeypatch)
    assert len(list(csv.DictReader(io.StringIO(table)))) == len(usual)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_reader_who_has_gone_ends_it_quietly(command, monkeypatch, capsys):
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


def test_help_and_the_end_of_the_interpreter_add_no_words():
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
