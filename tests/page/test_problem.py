"""Problems: the same for the same seed, answerable, and right by a second way."""

import json
import math

import pytest

from tests.page.second_ways import PATHS, relative_error
from tunables.page.chapters import with_facet
from tunables.page.check import check_answer
from tunables.page.problem import (
    answer_text,
    as_markdown,
    as_record,
    as_text,
    kinds,
    make_problem,
)

SEEDS = range(50)
ALL = [(chapter, kind) for chapter in with_facet("problems") for kind in kinds(chapter)]


def test_every_chapter_has_at_least_four_kinds_and_each_has_a_second_way():
    for chapter in with_facet("problems"):
        assert len(kinds(chapter)) >= 4
        assert set(kinds(chapter)) == set(PATHS[chapter])


@pytest.mark.parametrize(("chapter", "kind"), ALL)
def test_fifty_answers_are_finite_and_a_second_way_agrees_within_the_tolerance(chapter, kind):
    for seed in SEEDS:
        problem = make_problem(chapter, seed, kind)
        assert math.isfinite(problem.answer)
        assert problem.answer > 0
        assert relative_error(problem) <= problem.tolerance, problem


@pytest.mark.parametrize(("chapter", "kind"), ALL)
def test_the_seed_makes_the_problem(chapter, kind):
    problems = [make_problem(chapter, seed, kind) for seed in SEEDS]
    assert problems == [make_problem(chapter, seed, kind) for seed in SEEDS]
    assert len({problem.question for problem in problems}) >= 40


@pytest.mark.parametrize(("chapter", "kind"), ALL)
def test_steps_lead_to_the_answer_and_the_answer_passes_the_check(chapter, kind):
    for seed in SEEDS:
        problem = make_problem(chapter, seed, kind)
        text = answer_text(problem)
        assert len(problem.steps) >= 2
        assert text.split()[0] in " ".join(problem.steps[-2:]), problem
        assert check_answer(problem, text)[0] in ("right", "close")
        wrong = check_answer(problem, str(3.3 * problem.answer))
        assert wrong[0] == "wrong"


def test_without_a_kind_the_seed_chooses_one_and_all_are_chosen():
    for chapter in with_facet("problems"):
        chosen = {make_problem(chapter, seed).kind for seed in range(100)}
        assert chosen == set(kinds(chapter))


def test_what_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="chapter = 99: must be one of 1 "):
        make_problem(99, 1)
    with pytest.raises(ValueError, match=r"seed = 1\.5: must be a whole number"):
        make_problem(3, 1.5)
    with pytest.raises(ValueError, match="seed = -1: must be a whole number"):
        make_problem(3, -1)
    with pytest.raises(ValueError, match="kind = 'two-caps': must be one of capacity, late"):
        make_problem(3, 1, "two-caps")


def test_no_form_shows_the_answer_unasked():
    for chapter, kind in ALL:
        problem = make_problem(chapter, 1, kind)
        assert not {"answer", "answer_text", "steps", "remark"} & set(as_record(problem, False))
        for form in (as_text, as_markdown):
            assert problem.steps[-1] not in form(problem)
            assert problem.steps[-1] in form(problem, with_answer=True)
        json.dumps(as_record(problem), allow_nan=False)
