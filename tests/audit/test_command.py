"""The command and the action: what they print, and the status they end with."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.audit.reading import table_of
from tunables.cli import main
from tunables.evidence.errata import table_path

ROOT = Path(__file__).parents[2]
CLEAN = table_of(
    "Case, Before (ms), After (ms), Speedup",
    "a, 103, 51.5, 2.00x",
    "b, 309, 103, 3.00x",
    "c, 515, 412, 1.25x",
    "d, 94.5, 21, 4.50x",
)
WRONG = CLEAN.replace("1.25x", "2.25x")
SCRIPT = ROOT / ".github" / "actions" / "audit" / "audit.sh"


@pytest.fixture
def file(tmp_path):
    def write(text, name="README.md"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def test_a_file_without_an_impossible_number_ends_with_0(file, capsys):
    assert main(["audit", file(CLEAN)]) == 0
    assert "0 are impossible" in capsys.readouterr().out


def test_an_impossible_number_is_named_and_ends_with_1(file, capsys):
    assert main(["audit", file(WRONG)]) == 1
    out = capsys.readouterr().out
    assert (
        '515 ms / 412 ms is 1.25x, not 2.25x. The likeliest error is row 3, "Speedup", which would '
        "have to be 1.25x. Perhaps one digit is wrong. This holds if" in out
    )


def test_several_tables_of_a_file_are_all_audited(file, capsys):
    assert main(["audit", file(f"# A\n\n{CLEAN}\n\n# B\n\n{WRONG}\n")]) == 1
    out = capsys.readouterr().out
    assert 'Table 1 of 2 ("A", line 3, Markdown)' in out
    assert 'Table 2 of 2 ("B", line 12, Markdown)' in out


def test_one_table_of_several_can_be_chosen(file):
    path = file(f"# A\n\n{CLEAN}\n\n# B\n\n{WRONG}\n")
    assert main(["audit", path, "--table", "1"]) == 0
    assert main(["audit", path, "--table", "2"]) == 1


def test_json_holds_cells_findings_and_the_law(file, capsys):
    assert main(["audit", file(WRONG), "--format", "json"]) == 1
    (table,) = json.loads(capsys.readouterr().out)["tables"]
    (finding,) = table["findings"]
    assert finding["cells"] == [[3, 4]]
    assert finding["laws"][0]["name"] == "a ratio"
    (cell,) = [each for each in table["cells"] if each["verdict"] == "impossible"]
    assert (cell["row"], cell["column"], cell["printed"], cell["needed"]) == (
        3,
        4,
        "2.25x",
        "1.25x",
    )


def test_github_gets_an_annotation_on_the_line_of_the_row(file, capsys):
    path = file(f"text\n\n{WRONG}\n")
    assert main(["audit", path, "--format", "github"]) == 1
    out = capsys.readouterr().out
    assert out.startswith(f"::error file={path},line=7,title=Impossible number::")
    assert out.count("\n") == 1


def test_github_gets_nothing_of_a_clean_file(file, capsys):
    assert main(["audit", file(CLEAN), "--format", "github"]) == 0
    assert capsys.readouterr().out == ""


def test_markdown_marks_the_cell(file, capsys):
    assert main(["audit", file(WRONG), "--format", "markdown"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("**1 of the 12 numbers is impossible.**")
    assert "2.25x ✗1 |" in out
    assert "\n1. 515 ms / 412 ms is 1.25x" in out
    assert "Meanings chosen by hand" not in out
    assert main(["audit", file(CLEAN), "--format", "markdown", "--column", "2=maximum"]) == 0
    out = capsys.readouterr().out
    assert "Meanings chosen by hand: Before (ms) = maximum latency." in out
    assert "✗" not in out  # nor a word on a mark that does not occur


def test_a_column_can_be_corrected(file):
    path = str(table_path("etcd-reads"))
    assert main(["audit", path]) == 1
    assert main(["audit", path, "--column", "8=maximum"]) == 0


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--column", "9=latency"], "There is no column 9: choose one from 1 to 4."),
        (["--column", "2=speed"], '"speed" is not a known meaning: choose one of bandwidth'),
        (
            ["--column", "latency"],
            "column = 'latency': must have the form COLUMN=MEANING, as in 4=latency",
        ),
        (["--table", "2"], "table = 2: must be from 1 to 1"),
    ],
)
def test_a_wrong_option_is_one_sentence_and_status_2(options, sentence, file, capsys):
    assert main(["audit", file(CLEAN), *options]) == 2
    assert sentence in capsys.readouterr().err


def test_a_file_that_is_not_there_or_has_no_table_is_one_sentence(file, capsys):
    assert main(["audit", "/nowhere/x.md"]) == 2
    assert main(["audit", file("no table")]) == 2
    err = capsys.readouterr().err
    assert "file = '/nowhere/x.md': No such file or directory" in err
    assert "No table was found" in err


def run_action(folder, files, fail="true"):
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "FILES": files,
        "FAIL": fail,
    }
    return subprocess.run(
        ["bash", str(SCRIPT)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_the_action_fails_on_an_impossible_number_unless_told_otherwise(tmp_path, file):
    file(WRONG)
    file("no table", "NOTES.md")
    done = run_action(tmp_path, "*.md")
    assert done.returncode == 1
    assert done.stdout.startswith("::error file=README.md,line=5,")
    assert run_action(tmp_path, "*.md", fail="false").returncode == 0
    assert run_action(tmp_path, "NOTES.md").returncode == 0


def test_the_action_names_a_file_that_is_not_there(tmp_path):
    done = run_action(tmp_path, "none.md")
    assert (done.returncode, done.stdout) == (2, "::error::There is no file none.md to audit.\n")
