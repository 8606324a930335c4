"""The least worst miss: against a model where it is known, and for every hypothesis of the book."""

from functools import cache

import numpy as np
import pytest

from tunables.parts.registry import find_case, hypotheses
from tunables.parts.surviving import Hypothesis, least_miss, seen_numbers
from tunables.reader.digits import survivors_table

EACH = [(case, each.name) for case, held in hypotheses().items() for each in held]


def named(case, name):
    (found,) = (each for each in hypotheses()[case] if each.name == name)
    return found


@cache
def found_for(case, name):
    return least_miss(find_case(case), named(case, name))


def test_with_two_caps_rows_1_and_3_pull_the_base_apart_and_row_2_lies_between():
    case = find_case("rdu")
    off_ms = [
        1000 * (case.answer(number) - number.value)
        for number in case.numbers
        if number.record.row_id.endswith("-response")
    ]
    halves = (max(off_ms) - min(off_ms)) / 2 / 0.5  # of a digit, which is a millisecond
    found = found_for("rdu", "two caps")
    assert found.miss == pytest.approx(halves, rel=1e-6)
    assert found.numbers == 4


@pytest.mark.parametrize(("case", "name"), EACH)
def test_no_point_about_the_best_one_misses_less(case, name):
    found, hypothesis, case = found_for(case, name), named(case, name), find_case(case)
    rng = np.random.default_rng(1)
    for spread in (1e-4, 1e-2, 0.1):
        for factors in 1 + spread * rng.uniform(-1, 1, (40, len(hypothesis.start))):
            try:
                answers = [
                    2
                    * (case.answer(number, **hypothesis.values(factors)) - number.value)
                    / number.resolution
                    for number in seen_numbers(case)
                ]
            except ValueError:
                continue
            assert np.abs(answers).max() >= found.miss * (1 - 1e-6)


def test_one_that_can_meet_all_survives_from_wherever_it_starts():
    case = find_case("rrd")
    assert len(seen_numbers(case)) == 2
    start = {"cost_ratio": 31.0, "bytes_per_graph": 89_000.0}
    found = least_miss(case, Hypothesis(name="lru", start=start, settings={"scheme": "lru"}))
    assert found.miss == pytest.approx(0, abs=1e-3)


def test_none_survives_and_the_book_says_so():
    assert min(found_for(case, name).miss for case, name in EACH) > 1
    rows = survivors_table("rdu").rows
    assert [row[0] for row in rows] == [name for case, name in EACH if case == "rdu"]
    assert {row[-1] for row in rows} == {"refuted"}
