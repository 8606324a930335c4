"""The problems draw only settings that leave something to compute."""

from tunables.page.problem import make_problem

SEEDS = range(300)


def draw(kind):
    return [make_problem("time_outs", seed, kind) for seed in SEEDS]


def test_at_least_ten_queries_are_lost():
    assert min(problem.answer for problem in draw("lost-queries")) >= 10


def test_a_percentile_is_never_just_the_reply():
    for problem in draw("percentile"):
        assert problem.answer > problem.given["timeout_s"]
