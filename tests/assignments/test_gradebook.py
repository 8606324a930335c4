"""From a Moodle download to its gradebook: reasons, the open question, worksheet and feedback."""

import csv
import io
import json
import subprocess
import zipfile

import pytest

from assignments.feedback import Feedback, feedback_zip
from assignments.spreadsheet_ids import match_rows
from tests.assignments.submissions import BUILT, CHAPTERS, PYTHON, ROOT, notebook, solve, source
from tests.assignments.test_grading import run_grader
from tunables.views.classroom import Student

pytestmark = pytest.mark.timeout(300)

CHAPTER = CHAPTERS[0]
ARCHIVE = BUILT / CHAPTER / "autograder" / f"{CHAPTER}.zip"
HEADER = "def think_time_s(customers, throughput, response_time_s):\n"
RIGHT = "customers / throughput - response_time_s"
FULL = 13  # by program; question 6 has 4 more
OPEN = "My guess was <b>far</b> off: I had thought of one cap."


def q2(body):
    return solve(CHAPTER, {"think_time_s": body})


def renamed():
    return solve(CHAPTER, {"think_time_s": HEADER.replace("time_s", "seconds", 1) + "    return 1"})


def with_open_answer(made):
    [cell] = [one for one in made["cells"] if "Type your answer here" in source(one)]
    cell["source"] = OPEN
    return made


# Name and what is handed in; what the CSV says of question 2; points of question 6, or None.
CLASS = [
    ("Anna Müller", with_open_answer(solve(CHAPTER, {})), "", "4"),
    ("Anna Müller", renamed(), "`think_time_s` is not defined. Did you spell", "0"),
    ("Müller, Anna", q2(HEADER + f"    print({RIGHT})"), "returned None. A function gives", "1.5"),
    ("Cy", q2(f"import numpy\n{HEADER}    return numpy.array([{RIGHT}])"), "list or an array", "1"),
    ("Dan", q2(HEADER + f"    return 1000 * ({RIGHT})"), "; it should return ", "2"),
    ("Eve_Fox", q2(HEADER + "    return customers / 0"), "stopped with ZeroDivisionError", "2"),
    ("Flo", q2(HEADER + "    return customers +"), "Code cell 5 stopped with SyntaxError", ""),
    ("Gus", None, "", ""),
]
WORKSHEET = (
    "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,"
    "Last modified (submission),Last modified (grade),Feedback comments"
)


def number(at):
    return str(7000010 + at)


def worksheet(maximum=17):
    rows = [
        f'Participant {number(at)},"{name}",x{at}@example.org,Submitted,,{maximum}.00,Yes,'
        '"Monday, 2 November 2026, 10:00 AM",-,'
        for at, (name, *_) in enumerate(CLASS)
    ]
    return "\n".join(["\ufeff" + WORKSHEET, *rows]) + "\n"


def hand_in(path):
    with zipfile.ZipFile(path, "w") as download:
        for at, (name, submission, *_) in enumerate(CLASS):
            if submission:
                folder = f"{name.replace('_', ' ')}_{number(at)}_assignsubmission_file"
                download.writestr(f"{folder}/{CHAPTER}.ipynb", json.dumps(submission))


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """Grade the class; return the folder with all files, and the rows by id."""
    folder = tmp_path_factory.mktemp("graded")
    hand_in(folder / "download.zip")
    (folder / "worksheet.csv").write_text(worksheet(), encoding="utf-8")
    options = ["--roster", folder / "worksheet.csv", "--open", folder / "open.html"]
    return folder, run_grader(CHAPTER, folder / "download.zip", *options, key="id")


def test_every_lost_mark_has_its_reason_and_same_names_are_told_apart(graded):
    _, rows = graded
    assert list(rows) == [number(at) for at in range(len(CLASS))]
    for at, (name, submission, words, _) in enumerate(CLASS):
        row = rows[number(at)]
        assert row["name"] == name
        assert row["total"] == ("0" if not submission else f"{FULL - 2 * bool(words)}")
        assert words in row["q2_why"], row
        assert bool(row["q2_why"]) == bool(words)
        assert row["q2_why"].startswith("Loses 2 points: ") or not words
        assert not row["q3_why"]
    assert rows[number(7)]["error"] == "nothing handed in"


def test_what_is_missing_in_an_untouched_notebook_is_said_too(tmp_path):
    untouched = json.dumps(notebook(CHAPTER, "student"))
    (tmp_path / "one.ipynb").write_text(untouched, encoding="utf-8")
    row = run_grader(CHAPTER, tmp_path)["one"]
    assert row["q1_why"] == "Loses 1 point: `predicted_ms` is still `...`."
    assert all("returned None" in row[f"q{n}_why"] for n in (2, 3, 4, 5))


def test_the_open_sheet_has_each_answer_beside_its_rubric(graded):
    page = (graded[0] / "open.html").read_text(encoding="utf-8")
    assert page.count("<article>") == len(CLASS) - 1  # one handed in nothing
    assert OPEN.replace("<b>", "&lt;b&gt;").replace("</b>", "&lt;/b&gt;") in page
    assert page.count("Nothing is written below the question.") == len(CLASS) - 2
    assert page.count("<li>1 point: ") == 4 * (len(CLASS) - 1)
    assert "Guess in question 1: predicted_ms = " in page
    assert "**Rubric.**" not in page


def add_up(folder, rows, *options):
    """Write the rows as a German spreadsheet does, add them up; return the finished process."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(next(iter(rows.values()))), delimiter=";")
    writer.writeheader()
    for row, (*_, points) in zip(rows.values(), CLASS, strict=False):
        row = {**row, "q6": row["q6"] or points.replace(".", ",")}
        writer.writerow(row | {"q6_why": "Two predictions." if points == "1" else ""})
    (folder / "grades.csv").write_bytes(stream.getvalue().encode("cp1252"))
    return subprocess.run(
        [PYTHON, "-m", "assignments.gradebook", ARCHIVE, folder / "grades.csv", *options],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8-sig",  # with the mark that makes Excel read umlauts
        check=False,
    )


def test_the_worksheet_comes_back_filled_and_the_feedback_is_what_moodle_takes(graded):
    folder, rows = graded
    options = ["--roster", folder / "worksheet.csv", "--feedback", folder / "feedback.zip"]
    done = add_up(folder, rows, *options)
    assert done.returncode == 0, done.stderr
    said = "the points of 7 of 8 students are complete; points are missing for Flo ("
    assert said in done.stderr
    assert done.stdout.startswith(WORKSHEET)
    filled = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [row["Grade"] for row in filled] == ["17", "11", "12.5", "12", "13", "13", "", "0"]
    before = list(csv.DictReader(io.StringIO(worksheet().removeprefix("\ufeff"))))
    for row, was in zip(filled, before, strict=True):
        changed = {name for name in was if row[name] != was[name]}
        assert changed <= {"Grade", "Feedback comments"}
    assert filled[3]["Feedback comments"].endswith(" (1 of 4): Two predictions.")
    assert filled[7]["Feedback comments"] == "nothing handed in."
    with zipfile.ZipFile(folder / "feedback.zip") as made:
        pages = {name: made.read(name).decode() for name in made.namelist()}
    # Moodle parts the folder's name at the first four underscores, and wants the number second.
    parts = [name.split("/")[0].split("_", 4) for name in pages]
    assert [part[1] for part in parts] == [number(at) for at in (0, 1, 2, 3, 4, 5, 7)]
    assert all(part[2:4] == ["assignsubmission", "file"] for part in parts)
    second = list(pages.values())[1]
    assert "0 of 2 points" in second
    assert "`think_time_s` is not defined" in second
    assert "11 of 17 points" in second


def test_another_roster_gets_a_column_and_a_worksheet_of_another_maximum_is_refused(graded):
    folder, rows = graded
    plain = "".join(f'{number(at)};"{name}"\n' for at, (name, *_) in enumerate(CLASS))
    (folder / "class.csv").write_text("ID;Name\n" + plain, encoding="utf-8")
    done = add_up(folder, rows, "--roster", folder / "class.csv")
    assert done.stdout.splitlines()[:3] == [
        f"ID,Name,{CHAPTER}",
        f"{number(0)},Anna Müller,17",
        f"{number(1)},Anna Müller,11",
    ]
    (folder / "100.csv").write_text(worksheet(100), encoding="utf-8")
    refused = add_up(folder, rows, "--roster", folder / "100.csv")
    assert refused.returncode == 2
    assert "the worksheet's Maximum Grade is 100.00, but there are 17 points" in refused.stderr


@pytest.mark.parametrize(("points", "words"), [("5", "from 0 to 4"), ("good", "from 0 to 4")])
def test_points_that_are_none_are_refused(graded, points, words):
    folder, rows = graded
    spoilt = {**rows, number(0): {**rows[number(0)], "q6": points}}
    done = add_up(folder, spoilt, "--roster", folder / "worksheet.csv")
    assert done.returncode == 2
    assert f"q6 of {number(0)} = '{points}': must be a number {words}" in done.stderr


def test_no_student_reads_another_ones_id(graded):
    folder, rows = graded
    alike = {
        **rows,
        number(0): {
            **rows[number(0)],
            "error": f"same name as {number(1)}: see the foot of the table",
        },
    }
    filled = add_up(folder, alike, "--roster", folder / "worksheet.csv")
    row = next(line for line in filled.stdout.splitlines() if number(0) in line)
    assert ",17," in row
    assert number(1) not in row


def test_two_rows_of_one_student_are_refused(graded):
    folder, rows = graded
    twice = {**rows, number(1): {**rows[number(1)], "id": number(0)}}
    done = add_up(folder, twice, "--roster", folder / "worksheet.csv")
    assert done.returncode == 2
    assert f"{number(0)} has two rows; keep only the one that counts" in done.stderr


def students(*ids):
    return [Student(id, "Ada Lovelace") for id in ids]


@pytest.mark.parametrize(
    ("ids", "given", "rows", "rewritten", "unknown"),
    [
        (("007", "8"), ("7", "8"), {"007": "7", "8": "8"}, {"007": "7"}, []),
        (("7",), ("007",), {"7": "007"}, {"7": "007"}, []),
        (("000",), ("0",), {"000": "0"}, {"000": "0"}, []),
        (("007", "7"), ("7",), {"7": "7"}, {}, []),
        (("007", "07"), ("7",), {}, {}, ["7"]),
        (("007",), ("7", "07"), {}, {}, ["7", "07"]),
        (("007", "x7"), ("007", "7", ""), {"007": "007"}, {}, ["7"]),
        (("=s1",), ("'=s1",), {"=s1": "'=s1"}, {}, []),
        (("123456789012",), ("1.23457E+11",), {}, {}, ["1.23457E+11"]),
    ],
)
def test_an_id_that_a_spreadsheet_changed_is_matched_if_one_student_is_meant(
    ids, given, rows, rewritten, unknown
):
    found = match_rows([{"id": id} for id in given], students(*ids))
    assert {id: row["id"] for id, row in found.rows.items()} == rows
    assert (found.rewritten, found.unknown) == (rewritten, unknown)


def test_two_rows_of_ids_without_their_zeros_are_refused_with_what_may_have_happened():
    with pytest.raises(ValueError, match=r"7 has two rows; .* back the zeros that a spreadsheet"):
        match_rows([{"id": "7"}, {"id": "7"}], students("007", "7"))


def test_no_page_of_feedback_takes_the_place_of_another():
    first, second = students("s1", "S1")
    same = [Feedback(first, "Ada Lovelace s1", "a"), Feedback(second, "Ada Lovelace S1", "b")]
    with pytest.raises(ValueError, match="s1 and S1 would share the folder 'Ada Lovelace S1'"):
        feedback_zip(same)
    apart = [same[0], same[1]._replace(folder="Ada Lovelace S1 b")]
    with zipfile.ZipFile(io.BytesIO(feedback_zip(apart))) as made:
        assert len(made.namelist()) == 2


def test_a_notebook_that_counts_for_two_gives_each_a_folder_of_their_own(graded):
    folder, rows = graded
    together = {**rows, number(7): {**rows[number(0)], "id": number(7), "q6": "4"}}
    zipped = folder / "both.zip"
    done = add_up(folder, together, "--roster", folder / "worksheet.csv", "--feedback", zipped)
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(zipped) as made:
        assert f"Gus_{number(7)}_assignsubmission_file/feedback.html" in made.namelist()
        assert f"Anna Müller_{number(0)}_assignsubmission_file/feedback.html" in made.namelist()


def test_the_command_says_which_ids_it_matched_and_which_nobody_has(graded):
    folder, rows = graded
    changed = {**rows, number(0): {**rows[number(0)], "id": "0" + number(0)}}
    changed[number(1)] = {**rows[number(1)], "id": "7E+6"}
    done = add_up(folder, changed, "--roster", folder / "worksheet.csv")
    assert done.returncode == 0, done.stderr
    assert f"but they were matched: 0{number(0)} for {number(0)}" in done.stderr
    assert "the roster has no 7E+6, so their rows of grades were left out" in done.stderr
    assert next(csv.DictReader(io.StringIO(done.stdout)))["Grade"] == "17"
