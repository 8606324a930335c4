"""What others named, of whatever characters, is one line that a file or a terminal can hold."""

import pytest

from tunables.views.safe_text import as_cell, as_cells, legible


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Jörg, Zoë, 李", "Jörg, Zoë, 李"),
        ("L\udcf6sung", "L\\xf6sung"),
        ("\ud800", "\\ud800"),
        ("a\x1b[2J\n\x0c\u2028b", "a\\x1b[2J\\n\\x0c\\u2028b"),
        ("\u202egpj.exe", "\\u202egpj.exe"),
        ("x" * 100, "x" * 28 + "..." + "x" * 28),
    ],
)
def test_what_others_wrote_is_one_line_of_bounded_length_that_can_be_written(text, told):
    assert legible(text, 60) == told


@pytest.mark.parametrize("text", ["=1+1", "+cmd()", "-a", "@SUM(A1)", "\t1a", "\r1a", "-", "＝1"])
def test_a_formula_becomes_text(text):
    assert as_cell(text) == f"'{text}"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x;=HYPERLINK(1)", "x;'=HYPERLINK(1)"),
        ("x; +1+cmd()", "x;' +1+cmd()"),
        ('x;"=1"', 'x;\'"=1"'),
        ("x\n@SUM(A1)", "x\n'@SUM(A1)"),
        ("\t=1", "'\t'=1"),
        (";=1;=2", ";'=1;'=2"),
        ("a; b = 1", "a; b = 1"),
    ],
)
def test_no_formula_begins_where_a_spreadsheet_parts_cells_at_semicolons(text, told):
    assert as_cell(text) == told


@pytest.mark.parametrize("value", ["Anna Li", "", "a=b", "-3", "+49.5", "-1e3", "'=1", -3, None])
def test_all_else_stays(value):
    assert as_cell(value) is value


def test_a_row_keeps_its_columns():
    assert as_cells({"id": "=1", "total": 3}) == {"id": "'=1", "total": 3}
