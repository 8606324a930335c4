"""The autograder, run: right answers get all the points, wrong ones lose what they should."""

import csv
import io
import json
import os
import re
import subprocess

import pytest

from tests.assignments.submissions import (
    ANSWERS,
    BUILT,
    CHAPTERS,
    PYTHON,
    ROOT,
    WRONG,
    answers,
    notebook,
    solve,
    source,
)


def run_grader(chapter, folder, *options, key="file") -> dict:
    """Grade the notebooks in the folder or zip; return the rows of the CSV by a column."""
    archive = BUILT / chapter / "autograder" / f"{chapter}.zip"
    assert PYTHON.exists(), "no environment to grade in: run `make assignments` first"
    done = subprocess.run(
        [PYTHON, "-m", "assignments.grade", archive, folder, *options],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        capture_output=True,
        encoding="utf-8-sig",  # with the mark that makes a spreadsheet read umlauts
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return {
        row[key].removesuffix(".ipynb"): row for row in csv.DictReader(io.StringIO(done.stdout))
    }


def points(row) -> dict:
    """Return the points by question, of those that a program marks."""
    return {name: float(row[name]) for name in row if re.fullmatch(r"q\d+", name) and row[name]}


pytestmark = pytest.mark.timeout(900)  # grading starts a kernel for each of a chapter's notebooks


@pytest.fixture(scope="module")
def grade_submissions(tmp_path_factory):
    """Return the function that grades a chapter's submissions, each chapter once."""
    known: dict = {}

    def grades(chapter):
        if chapter not in known:
            folder = tmp_path_factory.mktemp(chapter)
            hand_in = {"untouched": notebook(chapter, "student"), "solution": solve(chapter, {})}
            for name in (*WRONG, "another_way"):
                hand_in[name] = solve(chapter, answers(chapter, name)[1])
            for name, submission in hand_in.items():
                (folder / f"{name}.ipynb").write_text(json.dumps(submission), encoding="utf-8")
            known[chapter] = run_grader(chapter, folder)
        return known[chapter]

    return grades


@pytest.mark.sampled
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_solution_gets_all_the_points_that_the_notebook_promises(grade_submissions, chapter):
    row = grade_submissions(chapter)["solution"]
    cells = [source(cell) for cell in notebook(chapter, "student")["cells"]]
    promised = [re.search(r"## (\d)\.[\s\S]*_Points:_ (\d+)$", cell) for cell in cells]
    worth = {f"q{found[1]}": float(found[2]) for found in promised if found}
    assert points(row) == {name: worth[name] for name in points(row)}
    assert set(worth) - set(points(row)) == {"q6"}  # the one that a person marks
    assert float(row["total"]) == float(row["possible"]) == sum(points(row).values())


@pytest.mark.sampled
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_another_method_gets_all_the_points(grade_submissions, chapter):
    loses, functions = answers(chapter, "another_way")
    assert not loses
    assert functions
    assert points(grade_submissions(chapter)["another_way"]) == points(
        grade_submissions(chapter)["solution"]
    )


@pytest.mark.sampled
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_notebook_that_nobody_touched_gets_none(grade_submissions, chapter):
    row = grade_submissions(chapter)["untouched"]
    assert not row["error"]
    assert not any(points(row).values())


@pytest.mark.sampled  # test_hidden_cases.py judges all of them without otter
@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_wrong_answer_loses_its_points_and_no_others(grade_submissions, chapter, name):
    loses, _ = answers(chapter, name)
    assert loses
    full, got = (
        points(grade_submissions(chapter)["solution"]),
        points(grade_submissions(chapter)[name]),
    )
    lost = {question: full[question] - got[question] for question in full}
    assert {question: value for question, value in lost.items() if value} == loses


def test_every_chapter_has_the_same_kinds_of_answers():
    for chapter in CHAPTERS:
        names = {path.stem for path in (ANSWERS / chapter).glob("*.txt")}
        assert names == {*WRONG, "another_way"}


def test_what_cannot_be_graded_gets_a_reason_and_leaves_the_others_alone(tmp_path):
    chapter = CHAPTERS[0]
    other = json.dumps(notebook(CHAPTERS[1], "student"))
    good = json.dumps(solve(chapter, {}))
    for name, text in {"empty": "", "other": other, "solution": good}.items():
        (tmp_path / f"{name}.ipynb").write_text(text, encoding="utf-8")
    rows = run_grader(chapter, tmp_path)
    assert CHAPTERS[1] in rows["other"]["error"]
    assert rows["empty"]["error"]
    totals = {name: row["total"] for name, row in rows.items()}
    assert float(totals.pop("solution")) > 0
    assert totals == {"empty": "", "other": ""}


def test_a_notebook_that_does_not_end_is_ended(tmp_path):
    endless = solve(CHAPTERS[0], {"think_time_s": "import time\ntime.sleep(1e6)"})
    (tmp_path / "endless.ipynb").write_text(json.dumps(endless), encoding="utf-8")
    row = run_grader(CHAPTERS[0], tmp_path, "--timeout_s", "8")["endless"]
    assert row["error"].endswith("not finished after 8 s")
    assert float(row["total"]) == 0


def test_the_archive_gives_the_same_points_by_otter_itself(grade_submissions, tmp_path):
    submission = solve(CHAPTERS[0], answers(CHAPTERS[0], "wrong_formula")[1])
    (tmp_path / "one.ipynb").write_text(json.dumps(submission), encoding="utf-8")
    archive = BUILT / CHAPTERS[0] / "autograder" / f"{CHAPTERS[0]}.zip"
    subprocess.run(
        [PYTHON, "-m", "otter", "run", "--no-logo", "-a", archive, "one.ipynb", "-o", tmp_path],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )
    tests = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))["tests"]
    by_otter = {test["name"]: test["score"] for test in tests if "max_score" in test}
    assert by_otter == points(grade_submissions(CHAPTERS[0])["wrong_formula"])
