"""A wrong way does not lead to a right answer: not by the luck of the numbers."""

import pytest

from tests.page.wrong_methods import BLIND, WRONG
from tunables.page.chapters import with_facet
from tunables.page.check import check_answer
from tunables.page.problem import kinds, make_problem

SEEDS = range(300)
ALL = [(chapter, kind) for chapter in with_facet("problems") for kind in kinds(chapter)]


def passes(chapter, kind, method):
    """Return the share of the seeds for which the method's answer counts as right."""
    passed = 0
    for seed in SEEDS:
        problem = make_problem(chapter, seed, kind)
        verdict, _ = check_answer(problem, repr(float(method(problem.given))))
        passed += verdict in ("right", "close")
    return passed / len(SEEDS)


@pytest.mark.parametrize(("chapter", "kind"), ALL)
def test_at_least_two_wrong_methods_fail_on_95_per_cent_of_the_seeds(chapter, kind):
    methods = WRONG[chapter][kind]
    assert len(set(methods)) >= 2
    for method in methods:
        assert passes(chapter, kind, method) <= 0.05, method.__name__


@pytest.mark.parametrize(("chapter", "kind"), [(c, k) for c in BLIND for k in BLIND[c]])
def test_who_does_not_see_that_there_are_cases_is_right_in_seven_of_ten_at_most(chapter, kind):
    for method in BLIND[chapter][kind]:
        assert 0.2 < passes(chapter, kind, method) <= 0.7, method.__name__
