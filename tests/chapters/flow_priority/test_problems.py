"""The steps of chapter 4's problems lead to their answers."""

import pytest

from tunables.page.problem import make_problem
from tunables.theory.queueing import mva

SEEDS = range(300)


def draw_problems(kind):
    return [make_problem("flow_priority", seed, kind) for seed in SEEDS]


def test_the_steps_of_a_delay_from_a_table_lead_to_it():
    """Begin with R = D, set Z = cycle - R, and so on."""
    for problem in draw_problems("delay-from-a-table"):
        given = problem.given
        cycle_s = given["alone_s"] / given["transactions"]
        demand_s = 8 * given["size_bytes"] / (given["port_rate_gbps"] * 1e9)
        delay_s = cycle_s - demand_s
        for _ in range(25):
            delay_s = cycle_s - mva([demand_s], given["users"], delay_s)[1]
        assert 1000 * delay_s == pytest.approx(problem.answer, rel=problem.tolerance / 2)


def test_a_recursion_states_its_first_value_and_where_it_is_explained():
    for kind in ("shared-port", "delay-from-a-table"):
        problem = make_problem("flow_priority", 1, kind)
        assert "(0) = 0" in " ".join(problem.steps)
        assert 'page "Mean value analysis"' in problem.remark
