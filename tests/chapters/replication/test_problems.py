"""Problems of chapter 5: sensible draws, and steps that a reader can follow with the text."""

from tunables.chapters.replication.problems import RESOURCES
from tunables.page.problem import make_problem

SEEDS = range(300)


def draw(kind):
    return [make_problem("replication", seed, kind) for seed in SEEDS]


def test_more_processes_meet_where_the_demand_is_largest():
    named = set()
    for problem in draw("replicats"):
        largest = max(RESOURCES, key=lambda resource: problem.given[resource[0]])
        assert f"most of all at {largest[1]}." in problem.remark
        named.add(largest[1])
    assert named == {"the table disks", "the CPU"}


def test_a_recursion_is_shown_down_to_its_first_value_with_a_reference():
    problem = make_problem("replication", 1, "replicats")
    assert "(0) = 0" in " ".join(problem.steps)
    assert 'page "Mean value analysis"' in problem.remark
