"""Text in a table: what a spreadsheet would compute is told as text, all else as it is."""

import pytest

from tunables.plain.cells import as_cell, as_cells


@pytest.mark.parametrize("text", ["=1+1", "+cmd()", "-a", "@SUM(A1)", "\t=1", "\r=1", "-"])
def test_a_formula_becomes_text(text):
    assert as_cell(text) == f"'{text}"


@pytest.mark.parametrize("value", ["Anna Li", "", "a=b", "-3", "+49.5", "-1e3", "'=1", -3, None])
def test_all_else_stays(value):
    assert as_cell(value) is value


def test_a_row_keeps_its_columns():
    assert as_cells({"id": "=1", "total": 3}) == {"id": "'=1", "total": 3}
