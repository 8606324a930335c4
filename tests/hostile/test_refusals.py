"""How each public function refuses a wrong argument, against the record: its name, its range."""

import pytest

from tests.hostile.refusals import by_function, on_record, refusals


@pytest.mark.parametrize("function", by_function())
def test_refuses_by_the_name_and_the_range_on_record(function):
    known = [row for row in on_record() if row[0] == function]
    assert refusals(function) == known, "if meant, run: python -m tests.hostile.refusals"


def test_no_function_on_record_is_gone():
    assert {row[0] for row in on_record()} <= set(by_function())
