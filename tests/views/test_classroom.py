"""A class: rosters as spreadsheets save them, and problems that a secret draws."""

import csv
import io
import json

import pytest

from tunables.cli import main
from tunables.page.problem import LARGEST_SEED, make_problem
from tunables.views import classroom
from tunables.views.classroom import Student, read_roster, secret_seed

ANNA, JUERGEN = CLASS = [Student("s12", "Anna Li"), Student("j.m-7", "Jürgen Müller")]
ROSTER = "id,name\n" + "".join(f"{student.id},{student.name}\n" for student in CLASS)


@pytest.mark.parametrize(
    "content",
    [
        "id,name\ns12,Anna Li\nj.m-7,Jürgen Müller\n".encode(),
        "\ufeffName;ID\r\nAnna Li;s12\r\n;\r\nJürgen Müller;j.m-7\r\n".encode(),
        "id\tname\tgroup\ns12\tAnna Li\tA\nj.m-7\tJürgen Müller\tB\n".encode("cp1252"),
    ],
)
def test_a_roster_is_read_as_spreadsheets_save_it(content, tmp_path):
    (tmp_path / "class.csv").write_bytes(content)
    assert read_roster(tmp_path / "class.csv") == [ANNA, JUERGEN]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("number,name\n1,A\n", "must have the columns id and name, not 'number,name'"),
        ("", "must have the columns"),
        ("id,name\n", "must list at least one student"),
        ("id,name\n1,A\n1,B\n", "line 3: must have an id that no other student has"),
        ("id,name\n,A\n", "line 2: must have an id"),
    ],
)
def test_a_roster_that_cannot_be_used_is_refused(content, words, tmp_path):
    (tmp_path / "class.csv").write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=words):
        read_roster(tmp_path / "class.csv")
    with pytest.raises(ValueError, match=r"none\.csv': No such file"):
        read_roster(tmp_path / "none.csv")


def test_a_name_on_one_line_without_control_characters_and_no_two_students_of_one(tmp_path):
    names = ["Ada\x01", "Bob\x0cBy", "Cy\u2028Fox", '"Dan\nLi"', "Eve\x1b[2J", "Flo\x85Ra"]
    rows = "".join(f"s{number},{name}\n" for number, name in enumerate(names))
    (tmp_path / "class.csv").write_text(f"id,name\n{rows}", encoding="utf-8", newline="")
    found = [student.name for student in read_roster(tmp_path / "class.csv")]
    assert found == ["Ada", "Bob By", "Cy Fox", "Dan Li", "Eve [2J", "Flo Ra"]


WORKSHEET = (
    "\ufeffIdentifier,Full name,Status,Grade,Maximum Grade\n"
    "Participant 7000010,Anna Li,Submitted,,17.00\nParticipant 7000011,Anna Li,,,17.00\n"
)


@pytest.mark.parametrize(
    ("content", "students"),
    [
        (
            "First name,Surname,ID number,Email address,Groups\nAnna,Li,s12,a@x.org,\n"
            "Jürgen,Müller,,j.m-7@x.org,B\n",
            [ANNA, ("j.m-7@x.org", "Jürgen Müller")],
        ),
        ("First name;Last name;Email address\nAnna;Li;a@x.org\n", [("a@x.org", "Anna Li")]),
        (WORKSHEET, [("7000010", "Anna Li"), ("7000011", "Anna Li")]),
    ],
)
def test_moodles_own_lists_are_rosters(content, students, tmp_path):
    (tmp_path / "class.csv").write_text(content, encoding="utf-8")
    assert read_roster(tmp_path / "class.csv") == students


def test_a_worksheet_without_numbers_is_refused(tmp_path):
    (tmp_path / "class.csv").write_text(WORKSHEET.replace(" 7000011", ""), encoding="utf-8")
    refused = "line 3: identifier = 'Participant': must be a word followed by a number"
    with pytest.raises(ValueError, match=refused):
        read_roster(tmp_path / "class.csv")


def test_a_roster_with_the_line_ends_of_an_old_mac_is_read(tmp_path):
    (tmp_path / "class.csv").write_bytes(b"id;name, first\rs12;x\r")
    with pytest.raises(ValueError, match="not 'id;name, first'"):
        read_roster(tmp_path / "class.csv")
    (tmp_path / "class.csv").write_bytes("id;name\rs12;Anna Li\rj.m-7;Jürgen Müller\r".encode())
    assert read_roster(tmp_path / "class.csv") == CLASS


def test_a_name_is_no_mark_of_markdown(tmp_path, capsys):
    name = "<script>alert(1)</script> | *a* [b](c) $d$ & Anna-Li O'Neil"
    (tmp_path / "class.csv").write_text(f"id,name\ns|1,{name}\n", encoding="utf-8")
    options = ["--roster", str(tmp_path / "class.csv"), "--format", "md", "--answer"]
    shown = print_problem(capsys, *options, "--secret", "heron")
    assert "<" not in shown
    escaped = (
        r"&lt;script&gt;alert(1)&lt;/script&gt; &#124; \*a\* \[b\](c) \$d\$ &amp; Anna-Li O'Neil"
    )
    assert f"## {escaped} (s&#124;1): " in shown
    [row] = [line for line in shown.splitlines() if line.startswith("| s&#124;1 |")]
    assert row.count("|") == 6


def test_a_large_class_takes_no_longer_for_each_than_a_small_one(monkeypatch):
    made = []

    def count_draws(chapter, seed, kind):
        made.append(seed)
        assert len(made) < 5 * 1500
        return make_problem(3, min(seed % 400, 30), "zigzag")  # a kind that has but few questions

    monkeypatch.setattr(classroom, "make_problem", count_draws)
    students = [Student(f"s{number}", "") for number in range(1500)]
    sheets = classroom.roster_sheets(3, students, "heron", "zigzag")
    assert len(sheets) == len(students)
    assert len({sheet.problem.question for sheet in sheets}) == 31


def test_a_name_is_no_formula_for_a_spreadsheet(tmp_path, capsys):
    (tmp_path / "class.csv").write_text("id,name\n1,=1+1\n", encoding="utf-8")
    assert main(["problem", "3", "--roster", str(tmp_path / "class.csv"), "--format", "csv"]) == 0
    assert "\n1,'=1+1," in capsys.readouterr().out


@pytest.fixture
def roster(tmp_path):
    path = tmp_path / "class.csv"
    path.write_text(ROSTER, encoding="utf-8")
    return str(path)


def print_problem(capsys, *arguments) -> str:
    assert main(["problem", "3", *arguments]) == 0
    return capsys.readouterr().out


def test_each_of_a_roster_gets_a_problem_that_only_the_secret_draws(roster, capsys):
    options = ["--roster", roster, "--secret", "heron", "--kind", "zigzag"]
    rows = list(csv.DictReader(io.StringIO(print_problem(capsys, *options, "--format", "csv"))))
    assert [(row["student"], row["name"]) for row in rows] == CLASS
    drawn = [make_problem(3, secret_seed("heron", 3, name), "zigzag") for name, _ in CLASS]
    assert [row["question"] for row in rows] == [problem.question for problem in drawn]
    assert "seed" not in rows[0]  # the page shows the steps to whoever knows it
    sheet = print_problem(capsys, *options, "--format", "md")
    assert "Anna Li (s12)" in sheet
    assert not any(str(problem.seed) in sheet for problem in drawn)
    key = json.loads(print_problem(capsys, *options, "--format", "json", "--answer"))
    assert [record["answer"] for record in key] == [problem.answer for problem in drawn]
    assert [record["seed"] for record in key] == [problem.seed for problem in drawn]
    assert print_problem(capsys, *options, "--secret", "crane") != print_problem(capsys, *options)


def test_a_secret_draws_for_one_student_as_for_the_roster(roster, capsys):
    alone = print_problem(capsys, "--seed", ANNA.id, "--secret", "heron", "--format", "json")
    all_of_them = print_problem(capsys, "--roster", roster, "--secret", "heron", "--format", "json")
    assert json.loads(alone)["question"] == json.loads(all_of_them)[0]["question"]
    assert "seed" not in json.loads(alone)


def test_a_secret_seed_is_a_seed_and_depends_on_all_that_it_is_of():
    seeds = [secret_seed(*given) for given in [("a", 1, "x"), ("b", 1, "x"), ("a", 2, "x")]]
    seeds += [secret_seed("a", 1, "y"), secret_seed("a", 1, "x", 1)]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed <= LARGEST_SEED for seed in seeds)
    assert secret_seed("a", 1, "X") == secret_seed("a", "01-group-commit", "x ")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--secret", " "], "secret = ' ': must be a secret word of your own"),
        (["--roster", "no.csv"], "roster = 'no.csv': No such file"),
        (
            ["--roster", "no.csv", "--students", "3"],
            "students or roster: use one of them, not both",
        ),
        (["--roster", "no.csv", "--seed", "3"], "seed or roster: use one of them, not both"),
    ],
)
def test_what_cannot_be_drawn_for_a_class_is_a_sentence(options, words, capsys):
    assert main(["problem", "3", *options]) == 2
    assert words in capsys.readouterr().err
