"""A class as a platform hands it over: what hangs, cheats, is nested or missing gets its row."""

import io
import json
import unicodedata
import zipfile

import pytest

from tests.assignments.submissions import CHAPTERS, notebook, solve
from tests.assignments.test_grading import points, run_grader

CHAPTER = CHAPTERS[0]
FULL = {"q1": 1, "q2": 2, "q3": 4, "q4": 3, "q5": 3}
WITHOUT_Q2 = {**FULL, "q2": 0}
NONE = dict.fromkeys(FULL, 0)

HEADER = "def think_time_s(customers, throughput, response_time_s):\n"
FORGED = """
import sys, types
forged = types.ModuleType("hidden_cases")
forged.check = lambda *given: None
sys.modules["hidden_cases"] = forged
"""
READS = 'import glob\nanswers = [open(path).read() for path in glob.glob("**/hidden*")]\n'


def forge():
    """Return the notebook nobody touched, with hidden cases of its own."""
    made = notebook(CHAPTER, "student")
    made["cells"][2]["source"] = FORGED + READS
    return made


def with_q2(body):
    return solve(CHAPTER, {"think_time_s": body})


def without_code():
    """Return a notebook whose code cells were deleted: an answer to the open question is left."""
    made = solve(CHAPTER, {})
    made["cells"] = [cell for cell in made["cells"] if cell["cell_type"] != "code"]
    return made


# Student: what is handed in, as which file, points by question, words in the row's error.
HANDED_IN = {
    "Loop Inside": (
        with_q2(HEADER + "    while True: pass"),
        "a.ipynb",
        WITHOUT_Q2,
        "not finished in",
    ),
    "Loop Outside": (with_q2("while True: pass"), "a.ipynb", WITHOUT_Q2, "left out: not finished"),
    "Three Gigabytes": (
        with_q2(HEADER + '    while True: print("x" * 2**20)'),
        "a.ipynb",
        WITHOUT_Q2,
        "not finished in",
    ),
    "Memory Hog": (with_q2("held = bytearray(3 * 2**30)"), "a.ipynb", WITHOUT_Q2, ""),
    "Ends Inside": (
        with_q2(HEADER + "    import os\n    os._exit(0)"),
        "a.ipynb",
        WITHOUT_Q2,
        "q2: think_time_s ended the program",
    ),
    "Ends Outside": (with_q2("import os\nos._exit(0)"), "a.ipynb", WITHOUT_Q2, "ended the program"),
    "Forges Cases": (forge(), "a.ipynb", NONE, ""),
    "Jörg Müller": (solve(CHAPTER, {}), "Lösung für Übung.ipynb", FULL, ""),
    "Zips It": (solve(CHAPTER, {}), "all.zip", FULL, ""),
    "No Code": (without_code(), "a.ipynb", NONE, "the notebook has no code cells"),
    "No Notebook": ({}, "report.pdf", NONE, "not a notebook"),
    "Absent Student": (None, "", NONE, "nothing handed in"),
}


def moodle_download(path):
    """Write the zip of a Moodle assignment: a folder for each student, named as Moodle names it."""
    with zipfile.ZipFile(path, "w") as download:
        for number, (name, (submission, file, *_)) in enumerate(HANDED_IN.items(), 1234567):
            if submission is None:
                continue
            content = json.dumps(submission).encode()
            if file.endswith(".zip"):
                inside = io.BytesIO()
                with zipfile.ZipFile(inside, "w") as nested:
                    nested.writestr("homework/solution.ipynb", content)
                    nested.writestr("__MACOSX/homework/._solution.ipynb", b"none")
                content = inside.getvalue()
            decomposed = unicodedata.normalize("NFD", name)  # as a Mac writes it
            download.writestr(f"{decomposed}_{number}_assignsubmission_file_/{file}", content)


def grade_class(folder) -> dict:
    """Grade the class; return its rows by name."""
    moodle_download(folder / "download.zip")
    roster = "".join(f"=s{number};{name}\n" for number, name in enumerate(HANDED_IN))
    (folder / "class.csv").write_text("id;name\n" + roster, encoding="utf-8")
    options = ["--roster", folder / "class.csv", "--cpu_s", "3", "--open", folder / "open.html"]
    return run_grader(CHAPTER, folder / "download.zip", *options, key="name")


@pytest.mark.timeout(900)
def test_every_student_gets_the_row_that_a_teacher_expects(tmp_path):
    rows = grade_class(tmp_path)
    assert list(rows) == list(HANDED_IN)
    ids = [row["id"] for row in rows.values()]
    assert ids == [f"'=s{n}" for n in range(len(HANDED_IN))]  # no formula for a spreadsheet
    for name, (submission, file, expected, words) in HANDED_IN.items():
        row = rows[name]
        graded = submission and file.endswith(("ipynb", "zip"))
        assert points(row) == (expected if graded else {**expected, "q6": 0}), name
        assert words in row["error"], name
        assert bool(words) == bool(row["error"]), name
        # A column for the person who marks it; without a notebook there is nothing to mark.
        assert row["q6"] == ("" if graded else "0")
        assert float(row["total"]) == sum(expected.values())
        assert float(row["possible"]) == sum(FULL.values())
    looks = {name: row["look_at"] for name, row in rows.items()}
    for word in ("hidden_cases", "sys.modules", "open(", "glob"):
        assert word in looks["Forges Cases"]
    assert "same code as" in looks["Jörg Müller"]
    assert "same code as Zips It" in looks["Jörg Müller"]  # by name, not by a path
    assert "mentions" not in looks["Jörg Müller"]
    assert looks["Absent Student"] == ""
    page = (tmp_path / "open.html").read_text(encoding="utf-8")
    assert page.count("<article>") == len(HANDED_IN) - 2
    assert "No Code" in page


def test_of_several_notebooks_the_one_with_code_is_graded(tmp_path):
    for name, made in (("a", solve(CHAPTER, {})), ("b", without_code())):
        place = tmp_path / "in" / "s1" / f"{name}.ipynb"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(made), encoding="utf-8")
    (tmp_path / "class.csv").write_text("id,name\ns1,Ada\n", encoding="utf-8")
    row = run_grader(CHAPTER, tmp_path / "in", "--roster", tmp_path / "class.csv", key="id")["s1"]
    assert points(row) == FULL
    assert row["look_at"].startswith(
        "several notebooks, not graded: s1/b.ipynb: the notebook has no"
    )
