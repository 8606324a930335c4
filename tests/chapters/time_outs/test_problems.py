"""No silly draws, and steps that a reader can follow with the text beside them."""

from tunables.page.problem import make_problem

SEEDS = range(300)


def draw(kind):
    return [make_problem("time_outs", seed, kind) for seed in SEEDS]


def test_whoever_counts_lost_queries_has_some_to_count():
    assert min(problem.answer for problem in draw("lost-queries")) >= 10


def test_a_percentile_is_never_just_the_reply():
    for problem in draw("percentile"):
        assert problem.answer > problem.given["timeout_s"]
