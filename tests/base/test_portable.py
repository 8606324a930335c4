"""What is remembered, and that it is bounded."""

import ast
import math
from pathlib import Path

import pytest

import tunables
from tunables.base.portable import memoize, plain_sum


def test_the_same_arguments_are_asked_for_once_and_old_ones_are_forgotten():
    asked = []

    def function(*arguments, **named):
        asked.append((arguments, named))
        return len(asked)

    look_up = memoize(function, most=2)
    assert [look_up(1), look_up(1), look_up(x=1, y=2), look_up(y=2, x=1)] == [1, 1, 2, 2]
    assert [look_up(3), look_up(1), look_up(3)] == [3, 4, 3]  # the third pushed both out
    assert asked == [((1,), {}), ((), {"x": 1, "y": 2}), ((3,), {}), ((1,), {})]


def test_an_error_is_not_remembered():
    look_up = memoize({1: "one"}.__getitem__)
    for _ in range(2):
        with pytest.raises(KeyError):
            look_up(2)
    assert look_up(1) == "one"


PACKAGE = Path(tunables.__file__).parent
COMPUTING = ("base", "theory", "page", "chapters", "simulators", "core")


def test_numbers_are_added_in_their_order_and_nothing_is_carried_along():
    assert plain_sum([1e16, 1.0, -1e16]) == 0.0
    assert plain_sum([0.1] * 10) == 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1
    assert math.fsum([0.1] * 10) == 1.0 != plain_sum([0.1] * 10)
    assert plain_sum(iter([1, 2, 3])) == 6
    assert plain_sum([]) == 0


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
