"""A second way to the answer of each kind of problem: a simulation or another closed form.

PATHS[chapter][kind](given) returns the answer in the problem's unit, from its numbers alone.
"""

from benchmarks.problem_paths import (
    cache_cliff,
    flow_priority,
    group_commit,
    replication,
    time_outs,
    work_queues,
)

PATHS = {
    1: group_commit.PATHS,
    2: time_outs.PATHS,
    3: cache_cliff.PATHS,
    4: flow_priority.PATHS,
    5: replication.PATHS,
    6: work_queues.PATHS,
}


def relative_error(problem) -> float:
    """Return by which share the second way misses the problem's answer."""
    return abs(PATHS[problem.chapter][problem.kind](problem.given) / problem.answer - 1)
