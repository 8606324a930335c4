"""The command line, run as a reader runs it."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tunables.cli import main

SAMPLES = Path(__file__).parents[1] / "labs" / "samples" / "own"


def test_reproduce_prints_each_number_with_its_status(capsys):
    assert main(["reproduce", "rrd"]) == 0
    text = capsys.readouterr().out
    for word in ("73,469", "±", "+5.0%", "fitted", "predicted", "unexplained", "holds"):
        assert word in text
    assert "Fitted parameters: 2" in text


def test_json_and_csv_hold_the_same_records(capsys):
    main(["reproduce", "rrd", "--format", "json"])
    records = json.loads(capsys.readouterr().out)
    main(["reproduce", "rrd", "--format", "csv"])
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["number"] for row in rows] == [record["number"] for record in records]
    assert float(rows[0]["predicted"]) == records[0]["predicted"] == 20.0


@pytest.mark.parametrize(
    ("command", "rest", "names"),
    [
        (
            "problem",
            ["--seed", "7"],
            ["3", "03", "cache_cliff", "cache-cliff", "03-cache-cliff", "rrd"],
        ),
        ("fit", [str(SAMPLES / "3-fits.csv")], ["3", "cache_cliff", "03-cache-cliff", "rrd"]),
        ("reproduce", ["--format", "csv"], ["rrd", "cache_cliff", "3", "03-cache-cliff"]),
    ],
)
def test_a_command_takes_any_name_of_a_chapter(command, rest, names, capsys):
    printed = []
    for name in names:
        assert main([command, name, *rest]) == 0
        printed.append(capsys.readouterr().out)
    assert len(printed[0]) > 100
    assert printed == printed[:1] * len(names)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["reproduce", "nothing"], "case = 'nothing': must be one of"),
        (["reproduce", ""], "case = '': must be one of"),
        (["reproduce", "rrd", "--seed", "-1"], "seed = '-1': must be a whole number"),
        (["reproduce", "rrd", "--seed", "²"], "seed = '²': must be a whole number"),
        (["reproduce", "rrd", "--seed", "9" * 5000], "9999': must be a whole number"),
        (["problem", "²"], "chapter = '²': must be one of 1 "),
    ],
)
def test_a_bad_argument_is_one_sentence_and_status_2(arguments, sentence, capsys):
    assert main(arguments) == 2
    assert sentence in capsys.readouterr().err


def test_fit_prints_the_verdict_the_rule_and_the_rows_held_out(capsys):
    assert main(["fit", "5", str(SAMPLES / "5-fits.csv")]) == 0
    text = capsys.readouterr().out
    for words in (
        "This model fits",
        "The rule, set in advance",
        "rows held out, which",
        "when a parameter grows by 1%",
    ):
        assert words in text
    assert main(["fit", "5", str(SAMPLES / "5-misfit.csv")]) == 0
    assert "This model does not fit" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("chapter", "name", "sentence"),
    [
        ("5", "2-fits.csv", "no column rtt_s, throughput_bps; the columns found are latency_s"),
        ("6", "5-fits.csv", "The fit of chapter 6 takes a daemon's printout"),
        ("5", "no-such-file.csv", "there is no such file"),
        ("5", "x" * 300, "xxx: there is no such file"),
        ("5", ".", "this is a folder, not a file"),
        ("5", "/proc/self/mem", "this file cannot be read: Input/output error"),
        ("9", "5-fits.csv", "chapter = '9': must be one of 1 "),
        ("x", "5-fits.csv", "chapter = 'x': must be one of 1 "),
    ],
)
def test_a_file_that_cannot_be_fitted_is_a_sentence_and_status_2(chapter, name, sentence, capsys):
    assert main(["fit", chapter, str(SAMPLES / name)]) == 2
    printed, error = capsys.readouterr()
    assert printed == ""
    assert sentence in error


def test_fit_takes_the_column_of_the_keys(tmp_path, capsys):
    trace = tmp_path / "trace.csv"
    trace.write_text("at,sector\n" + "".join(f"{n},{n * n % 97}\n" for n in range(600)))
    assert main(["fit", "3", str(trace)]) == 2
    assert "or choose it with --column NAME" in capsys.readouterr().err
    assert main(["fit", "3", str(trace), "--column", "sector"]) == 0
    assert "This model" in capsys.readouterr().out


def test_the_module_runs_and_lists_the_cases():
    done = subprocess.run(
        [sys.executable, "-m", "tunables", "list"], capture_output=True, text=True, check=True
    )
    assert "chapter 3: The LRU cliff" in done.stdout
