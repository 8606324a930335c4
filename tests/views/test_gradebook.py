"""A gradebook: the roster as it came, with points; and a page of feedback that escapes."""

import pytest

from tunables.views.classroom import Student
from tunables.views.gradebook import Mark, MarkedQuestion, feedback_page, gradebook

WORKSHEET = (
    "Identifier,Full name,Grade,Maximum Grade,Last modified (grade),Feedback comments\n"
    "Participant 1,=A(1),,13.00,-,\nParticipant 2,Bob,7.00,13.00,-,Old.\n"
)


def test_a_worksheet_is_filled_and_a_student_without_a_mark_keeps_the_row(tmp_path):
    (tmp_path / "w.csv").write_text(WORKSHEET, encoding="utf-8")
    marks = {"1": Mark(12.5, "Well done."), "2": Mark(None)}
    assert gradebook(tmp_path / "w.csv", marks, 13).splitlines()[1:] == [
        "Participant 1,=A(1),12.5,13.00,-,Well done.",
        "Participant 2,Bob,7.00,13.00,-,Old.",
    ]
    with pytest.raises(ValueError, match=r"Maximum Grade is 13\.00, but there are 17 points"):
        gradebook(tmp_path / "w.csv", marks, 17)


def test_what_came_in_goes_out_as_it_came_and_only_what_is_written_is_no_formula(tmp_path):
    kept = "Participant 2,Bob,7.00,13.00,-,- see me"
    old = WORKSHEET.replace("Participant 2,Bob,7.00,13.00,-,Old.", kept)
    (tmp_path / "w.csv").write_text(old, encoding="utf-8")
    filled = gradebook(tmp_path / "w.csv", {"1": Mark(1, "=1+1")}, 13)
    assert filled.splitlines()[1:] == ["Participant 1,=A(1),1,13.00,-,'=1+1", kept]
    (tmp_path / "c.csv").write_text("id,name,+/-\ns1,Ada,-x\n", encoding="utf-8")
    assert gradebook(tmp_path / "c.csv", {}, 13, "=2").splitlines() == [
        "id,name,+/-,'=2",
        "s1,Ada,-x,",
    ]


def test_columns_of_one_heading_stay_all_in_their_order(tmp_path):
    content = "group,id,Group,name,,group,\nA,s1,B,Ada,x,C,y\nD,s2\nE,s3,F,Cy,z,G,w,more\n"
    (tmp_path / "c.csv").write_text(content, encoding="utf-8")
    assert gradebook(tmp_path / "c.csv", {"s1": Mark(1), "s3": Mark(2)}, 13, "Cache") == (
        "group,id,Group,name,,group,,Cache\n"
        "A,s1,B,Ada,x,C,y,1\nD,s2,,,,,,\nE,s3,F,Cy,z,G,w,2,more\n"
    )


@pytest.mark.parametrize(
    ("content", "column"),
    [
        ("id,name,ID\ns1,Ada,7\n", "id"),
        ("id,name,Cache,Cache\ns1,Ada,7,8\n", "Cache"),
        (WORKSHEET.replace("Last modified (grade)", "Grade"), "grade"),
    ],
)
def test_a_roster_in_which_two_columns_could_be_meant_is_refused(content, column, tmp_path):
    (tmp_path / "c.csv").write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=f"must have exactly one column named {column}"):
        gradebook(tmp_path / "c.csv", {}, 13, "Cache")


def test_another_roster_gets_a_column(tmp_path):
    (tmp_path / "c.csv").write_text("id;name;group\ns1;Ada;A\ns2;Bob;B\n", encoding="utf-8")
    filled = gradebook(tmp_path / "c.csv", {"s2": Mark(1 / 3)}, 13, "Cache")
    assert filled == "id,name,group,Cache\ns1,Ada,A,\ns2,Bob,B,0.33\n"


def test_points_that_a_roster_has_already_stay_where_no_mark_replaces_them(tmp_path):
    (tmp_path / "c.csv").write_text("id,name,points\ns1,Ada,12\ns2,Bob,3\n", encoding="utf-8")
    filled = gradebook(tmp_path / "c.csv", {"s1": Mark(5)}, 13)
    assert filled == "id,name,points\ns1,Ada,5\ns2,Bob,3\n"


def test_feedback_shows_names_and_reasons_as_text():
    one = MarkedQuestion("2. <i>x</i>", 1, 2, "Loses 1 point: `f('<script>')`.")
    page = feedback_page("Cache", Student("s1", "<b>"), [one], "a & b")
    assert "<script>" not in page
    assert "<b>" not in page
    assert "a &amp; b" in page
    assert "1 of 2 points" in page
