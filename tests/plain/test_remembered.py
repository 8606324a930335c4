"""What is remembered, and that it is bounded."""

import pytest

from tunables.plain.remembered import remembered


def test_the_same_arguments_are_asked_for_once_and_old_ones_are_forgotten():
    asked = []

    def function(*arguments, **named):
        asked.append((arguments, named))
        return len(asked)

    look_up = remembered(function, most=2)
    assert [look_up(1), look_up(1), look_up(x=1, y=2), look_up(y=2, x=1)] == [1, 1, 2, 2]
    assert [look_up(3), look_up(1), look_up(3)] == [3, 4, 3]  # the third pushed both out
    assert asked == [((1,), {}), ((), {"x": 1, "y": 2}), ((3,), {}), ((1,), {})]


def test_an_error_is_not_remembered():
    look_up = remembered({1: "one"}.__getitem__)
    for _ in range(2):
        with pytest.raises(KeyError):
            look_up(2)
    assert look_up(1) == "one"
