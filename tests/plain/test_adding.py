"""Sums have the same last digits on every Python."""

import ast
import math
from pathlib import Path

import pytest

import tunables
from tunables.plain.adding import added

PACKAGE = Path(tunables.__file__).parent
COMPUTING = ("plain", "theory", "page", "chapters", "simulators", "parts")


def test_numbers_are_added_in_their_order_and_nothing_is_carried_along():
    assert added([1e16, 1.0, -1e16]) == 0.0
    assert added([0.1] * 10) == 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1
    assert math.fsum([0.1] * 10) == 1.0 != added([0.1] * 10)
    assert added(iter([1, 2, 3])) == 6
    assert added([]) == 0


def uses_sum(text):
    """Return the lines that call the built-in sum."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Name) and node.id == "sum"
    ]


@pytest.mark.parametrize("room", COMPUTING)
def test_nothing_that_computes_calls_the_built_in_sum(room):
    files = sorted(PACKAGE.glob(f"{room}/**/*.py"))
    assert files
    assert uses_sum("a = sum([1])") == [1]
    assert [str(path) for path in files if uses_sum(path.read_text(encoding="utf-8"))] == []
