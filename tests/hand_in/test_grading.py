"""The gradebook of a class: what is marked, what is refused, and whose it is."""

import csv
import io
import unicodedata
import zipfile

import pytest

from tests.hand_in.texts import ADA, BOB, CLASS, OTHER_ADA, SECRET, payload, right_answers, text_of
from tests.hand_in.texts import student_code as code_of_id
from tunables.cli import main
from tunables.hand_in.grading import COLUMNS, grade_rows, gradebook
from tunables.page.chapters import find_chapter, with_facet
from tunables.page.hand_in import problems_of
from tunables.page.problem import kinds
from tunables.views.classroom import Student

POSSIBLE = str(len(kinds(3)))


def write(folder, files):
    for path, text in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def graded(place, chapter=None):
    """Return the rows of a place by id and chapter, and those of nobody."""
    rows = grade_rows(place, CLASS, SECRET, chapter)
    known = {(row["id"], row.get("chapter", "")): row for row in rows if row["id"]}
    return known, [row for row in rows if not row["id"]]


@pytest.mark.parametrize("chapter", with_facet("problems"))
def test_a_hand_in_of_each_chapter_gets_all_points(chapter, tmp_path):
    write(tmp_path, {"one.txt": text_of(ADA, chapter)})
    known, others = graded(tmp_path / "one.txt")
    number, possible = str(find_chapter(chapter).number), str(len(kinds(chapter)))
    row = known["s1", number]
    assert (row["points"], row["possible"], row.get("look_at")) == (possible, possible, "")
    assert (row["guesses"], row["steps"]) == ("2 of 3", "3 of 5")
    assert (row["map"], row["own_numbers"]) == ("yes", "no")
    assert [known[one, number]["error"] for one in ("s2", "s3")] == ["nothing handed in"] * 2
    assert [known[one, number]["points"] for one in ("s2", "s3")] == ["0", "0"]
    assert others == []


def test_answers_are_marked_by_the_pages_rule(tmp_path):
    code = code_of_id(SECRET, ADA.id)
    factors = dict(zip(sorted(kinds(3)), (1.0, 1.009, 1.02, 0.001, None, -1), strict=True))
    answers = {
        problem.kind: f"{problem.answer * factors[problem.kind]:.9f}"
        for problem in problems_of(code, 3)
        if factors[problem.kind] is not None
    }
    write(tmp_path, {"one.txt": text_of(ADA, 3, answers)})
    row = graded(tmp_path / "one.txt")[0]["s1", "3"]
    said = dict(part.split(": ") for part in row["answers"].split("; "))
    right, near, far, unit, none, below = (said[kind] for kind in sorted(kinds(3)))
    assert (right, far, none, below) == ("right", "wrong", "no answer", "wrong")
    assert near in ("right", "wrong")  # a count must be exact
    assert unit in ("wrong unit", "wrong")
    worth = {"right": 1, "wrong unit": 0.5}
    assert float(row["points"]) == sum(worth.get(word, 0) for word in said.values())


def test_a_unit_that_is_off_gets_half_and_another_unit_all(tmp_path):
    code = code_of_id(SECRET, ADA.id)
    problem = next(one for one in problems_of(code, 2) if one.unit == "ms")
    for typed, points in (
        (f"{problem.answer}", "1"),
        (f"{problem.answer / 1000} s", "1"),
        (f"{problem.answer / 1000}", "0.5"),
        (f"{problem.answer * 1.5}", "0"),
    ):
        write(tmp_path, {"one.txt": text_of(ADA, 2, {problem.kind: typed})})
        assert graded(tmp_path / "one.txt")[0]["s1", "2"]["points"] == points


def edited(text):
    """Return a text with its 100th character changed."""
    begin, letters = payload(text)
    other = "0" if letters[100] != "0" else "1"
    return text[: begin + 100] + other + text[begin + 101 :]


REFUSED = {
    "edited": (edited(text_of(ADA)), "it was changed"),
    "truncated": (text_of(ADA)[:-60], "it is cut off"),
    "empty": ("", "an empty file"),
    "blank": (" \n", "an empty file"),
    "an essay": ("I did it all.", "it contains no hand-in"),
    "another class": (text_of(Student("s9", "Eve")), "has no code in this class"),
    "another secret": (text_of(ADA, secret="no such"), "has no code in this class"),
    "a classmate's": (
        text_of(BOB),
        "signed with the code of s2, but handed in by another student: s1",
    ),
}


@pytest.mark.parametrize(("text", "sentence"), REFUSED.values(), ids=[*REFUSED])
def test_a_refused_hand_in_has_a_sentence_and_no_points(text, sentence, tmp_path):
    submissions = tmp_path / "submissions"
    write(submissions, {"s1_9_assignsubmission_file/a.txt": text, "s3.txt": text_of(OTHER_ADA)})
    known, others = graded(submissions)
    assert sentence in known["s1", "3"]["error"]
    assert "points" not in known["s1", "3"]
    assert known["s3", "3"]["points"] == POSSIBLE
    assert others == []


@pytest.mark.parametrize(("text", "sentence"), REFUSED.values(), ids=[*REFUSED])
def test_a_refused_text_that_is_alone_in_its_file_is_refused_too(text, sentence, tmp_path):
    write(tmp_path, {"all.txt": text})
    if "no code" in sentence:
        with pytest.raises(
            ValueError, match="none of the hand-ins is signed with a code from this class"
        ):
            graded(tmp_path / "all.txt")
    elif "another student:" not in sentence:  # nobody has said who handed it in
        known, [other] = graded(tmp_path / "all.txt")
        assert known == {}
        assert sentence in other["error"]


def test_another_chapter_than_the_one_that_was_set_is_refused(tmp_path):
    write(tmp_path / "in", {"s1/a.txt": text_of(ADA, 4), "s2/a.txt": text_of(BOB, 3)})
    known, _ = graded(tmp_path / "in", "cache-cliff")
    assert known["s1", "3"]["error"] == "chapter 4, not chapter 3"
    assert known["s2", "3"]["points"] == POSSIBLE
    both = graded(tmp_path / "in")[0]
    assert len(both) == 2 * len(CLASS)
    assert both["s1", "4"]["points"] == str(len(kinds(4)))


def test_of_several_hand_ins_the_last_counts_and_the_same_twice_is_one(tmp_path):
    half = text_of(ADA, 3, {"late": right_answers(ADA, 3)["late"]})
    write(tmp_path / "in", {"s1/1.txt": half, "s1/2.txt": text_of(ADA), "s1/3.txt": text_of(ADA)})
    row = graded(tmp_path / "in")[0]["s1", "3"]
    assert (row["points"], row["file"], row["look_at"]) == (
        POSSIBLE,
        "s1/3.txt",
        "not graded: s1/1.txt",
    )
    write(tmp_path / "in", {"s1/4.txt": edited(half)})
    row = graded(tmp_path / "in")[0]["s1", "3"]
    assert row["points"] == POSSIBLE
    assert "refused: s1/4.txt: it was changed" in row["look_at"]


def test_students_of_the_same_name_are_told_apart_by_their_codes(tmp_path):
    texts = [text_of(OTHER_ADA, 3, {}), text_of(ADA)]
    write(
        tmp_path / "in",
        {f"Ada Lovelace_{n}_assignsubmission_file/a.txt": text for n, text in enumerate(texts)},
    )
    known, _ = graded(tmp_path / "in")
    assert [known[one, "3"]["points"] for one in ("s1", "s2", "s3")] == [POSSIBLE, "0", "0"]
    assert known["s3", "3"]["file"].startswith("Ada Lovelace_0")


def test_a_refused_text_of_one_of_two_students_leaves_both_without_points(tmp_path):
    name = f"{ADA.name}_9_assignsubmission_file/a.txt"
    write(tmp_path / "in", {name: edited(text_of(ADA)), "s2.txt": text_of(BOB)})
    known, [other] = graded(tmp_path / "in")
    for student in ("s1", "s3"):
        assert "points" not in known[student, "3"]
        assert (
            f"a refused hand-in may be this student's: {name}: it was changed"
            in (known[student, "3"]["error"])
        )
    assert known["s2", "3"]["points"] == POSSIBLE
    assert other["look_at"] == "student unclear: perhaps s1, s3"
    write(tmp_path / "in", {"s1.txt": text_of(ADA)})
    known, _ = graded(tmp_path / "in")
    assert known["s1", "3"]["points"] == POSSIBLE
    assert "points" not in known["s3", "3"]


@pytest.mark.parametrize("place", ["all.txt", "in"])
def test_a_text_that_is_cut_off_and_names_nobody_may_be_anybodys(place, tmp_path):
    cut = text_of(ADA)[:-60]
    texts = {"in/forum.txt": cut, "in/b.txt": text_of(BOB), "all.txt": text_of(BOB) + "\n" + cut}
    known, [other] = graded(write(tmp_path, texts) / place)
    for student in ("s1", "s3"):
        assert "points" not in known[student, "3"]
        assert "it is cut off" in known[student, "3"]["error"]
    assert known["s2", "3"]["points"] == POSSIBLE
    assert "it is cut off" in other["error"]


def test_a_file_that_holds_no_hand_in_and_names_nobody_takes_no_points_away(tmp_path):
    files = {
        "s2.txt": text_of(BOB),
        "read me.txt": "Chapter 3",
        "logo.png": b"\x89PNG",
        "e.txt": "",
    }
    known, others = graded(write(tmp_path / "in", files))
    assert [known[one, "3"]["points"] for one in ("s1", "s2", "s3")] == ["0", POSSIBLE, "0"]
    unclear = "student unclear: the hand-in names nobody"
    assert [row["look_at"] for row in others] == [unclear] * 3


def test_another_chapters_text_is_its_students_in_one_file_too(tmp_path):
    write(tmp_path, {"all.txt": text_of(ADA, 4) + "\n" + text_of(BOB, 3)})
    known, others = graded(tmp_path / "all.txt", "cache-cliff")
    assert known["s1", "3"]["error"] == "chapter 4, not chapter 3"
    assert [known[one, "3"].get("points") for one in ("s1", "s2", "s3")] == [None, POSSIBLE, "0"]
    assert others == []


def test_a_platforms_zip_and_its_pages_are_read(tmp_path):
    content = io.BytesIO()
    page = "<html><body><p>" + text_of(ADA).replace("\n", "</p><p>") + "</p></body></html>"
    with zipfile.ZipFile(content, "w") as file:
        file.writestr("s1_11_assignsubmission_onlinetext/onlinetext.html", page)
        file.writestr("s2_12_assignsubmission_file/essay.docx", b"PK")
        file.writestr("__MACOSX/x.txt", "nothing")
    write(tmp_path, {"class.zip": content.getvalue()})
    known, others = graded(tmp_path / "class.zip")
    assert known["s1", "3"]["points"] == POSSIBLE
    assert "ask the student to paste the text" in known["s2", "3"]["error"]
    assert others == []


def test_many_texts_in_one_file_are_all_marked(tmp_path):
    texts = [text_of(student) for student in CLASS]
    write(tmp_path, {"forum.csv": "\nOn Monday somebody wrote:\n".join(texts)})
    known, others = graded(tmp_path / "forum.csv")
    assert [row["points"] for row in known.values()] == [POSSIBLE] * 3
    assert others == []


def test_another_name_than_the_rosters_is_shown(tmp_path):
    write(tmp_path, {"one.txt": text_of(ADA._replace(name="Eve"))})
    assert graded(tmp_path / "one.txt")[0]["s1", "3"]["look_at"] == 'claims to be from "Eve"'


def test_a_name_is_known_however_its_letters_are_composed_and_parted(tmp_path):
    typed = unicodedata.normalize("NFD", BOB.name.split()[-1])
    write(tmp_path, {"one.txt": text_of(BOB._replace(name=f"({typed})"))})
    assert graded(tmp_path / "one.txt")[0][BOB.id, "3"]["look_at"] == ""


def test_a_spreadsheet_computes_nothing_that_a_student_wrote(tmp_path):
    write(tmp_path, {"=1+1.txt": text_of(ADA._replace(name="=1+1"))})
    rows = grade_rows(tmp_path / "=1+1.txt", CLASS, SECRET)
    [row] = [row for row in csv.DictReader(io.StringIO(gradebook(rows))) if row["file"]]
    assert row["file"] == "'=1+1.txt"
    assert [*row] == [*COLUMNS]


ROSTER = "id,name\n" + "\n".join(",".join(student) for student in CLASS)


def test_the_commands_make_codes_and_mark(tmp_path, capsys):
    write(tmp_path, {"class.csv": ROSTER, "one.txt": text_of(ADA)})
    roster = str(tmp_path / "class.csv")
    assert main(["class-codes", roster, "--secret", SECRET]) == 0
    codes = {row["id"]: row for row in csv.DictReader(io.StringIO(capsys.readouterr().out))}
    assert codes["s1"]["code"] == code_of_id(SECRET, "s1")
    grade = ["grade-page", str(tmp_path / "one.txt"), "--roster", roster, "--secret"]
    assert main([*grade, SECRET, "--chapter", "3"]) == 0
    rows = [*csv.DictReader(io.StringIO(capsys.readouterr().out))]
    assert [row["points"] for row in rows] == [POSSIBLE, "0", "0"]
    for command, heads in (
        ([*grade, SECRET], "id,name,file,chapter,"),
        (["class-codes", roster, "--secret", SECRET], "id,name,code,link"),
        (["problem", "3", "--roster", roster, "--format", "csv"], "student,name,chapter,"),
    ):
        assert main([*command, "--output", str(tmp_path / "out.csv")]) == 0
        # Excel needs the mark to read the umlaut of Bob Müller.
        out = (tmp_path / "out.csv").read_text(encoding="utf-8")
        assert out.startswith(f"\ufeff{heads}")
        assert "Müller" in out
    assert main(["class-codes", str(tmp_path / "out.csv"), "--secret", SECRET]) == 2
    assert "must have the columns id and name, not 'student,name" in capsys.readouterr().err
    slips = ["class-codes", roster, "--secret", SECRET, "--format", "text", "--output"]
    assert main([*slips, str(tmp_path / "slips.txt")]) == 0
    assert (tmp_path / "slips.txt").read_text(encoding="utf-8").startswith("Ada Lovelace (s1)")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"secret": "another"}, "none of the hand-ins is signed with a code from this class"),
        ({"secret": " "}, "secret = ' ': must be a secret of your own"),
        ({"chapter": "12"}, "chapter = '12': must be one of"),
        ({"place": "nowhere.txt"}, "nowhere.txt': No such file or directory"),
        ({"place": "nowhere.zip"}, "nowhere.zip': must be a folder or a zip"),
        ({"roster": "nobody.csv"}, "nobody.csv': No such file or directory"),
    ],
)
def test_the_command_refuses_in_one_sentence(change, sentence, tmp_path, capsys):
    write(tmp_path, {"class.csv": ROSTER, "one.txt": text_of(ADA)})
    given = {"place": "one.txt", "roster": "class.csv", "secret": SECRET, "chapter": "3"} | change
    status = main(
        [
            *("grade-page", str(tmp_path / given["place"])),
            *("--roster", str(tmp_path / given["roster"])),
            *("--secret", given["secret"], "--chapter", given["chapter"]),
        ]
    )
    assert status == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1
