"""No silly draws, and steps that a reader can follow with the text beside them."""

import re

import pytest

from tunables.page.chapters import with_facet
from tunables.page.problem import EFFORTS, kinds, make_problem


def test_rates_have_their_greek_letters():
    for chapter in with_facet("problems"):
        for kind in kinds(chapter):
            steps = " ".join(make_problem(chapter, 1, kind).steps)
            assert not re.search(r"\b(mu|lambda|l)\b", steps), kind
            if kind != "capacity":  # u is the percentage there, as in the chapter
                assert not re.search(r"\bu\b", steps), kind


def test_every_kind_says_how_much_work_it_is_and_each_chapter_has_an_easy_one():
    for chapter in with_facet("problems"):
        efforts = {effort for _, _, effort in kinds(chapter).values()}
        assert 1 in efforts
        assert efforts <= set(EFFORTS)


def test_a_students_number_or_user_name_is_a_seed():
    for seed in (202612345678, "S1234567", "mueller", "0"):
        problem = make_problem(3, seed)
        assert problem == make_problem(3, f" {seed} ".upper())
        assert problem.seed == (int(seed) if str(seed).isdigit() else str(seed).lower())
    questions = {make_problem(1, f"s{number}", "two-caps").question for number in range(50)}
    assert len(questions) == 50
    for bad in ("", "x y", "ü", "a" * 33, 10**15, "9" * 16, None, True):
        with pytest.raises(ValueError, match=r"seed = .*: must be a whole number from 0 to 999,"):
            make_problem(3, bad)
