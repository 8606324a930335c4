"""Chapter 1's other experiment, compiled: committers who wait for nothing but the flush."""

from tunables.simulators.compiled import compiled
from tunables.simulators.draws import seeded
from tunables.simulators.group_commits_kernel import draw_thoughts, group_commits_kernel, room


@compiled
def trace(
    seed, customers, commits, flush_time_s, max_delay_s, think_time_s, spread, rows
):  # fmt: skip
    """Return the number of commits, and of the first the columns of `Commits`."""
    think_s = draw_thoughts(seeded(seed), commits + customers, think_time_s, spread)
    asked_s, begun_s, ended_s, customer, flush = room(rows)
    _, _, count = group_commits_kernel(
        customers, commits, flush_time_s, max_delay_s, think_s,
        asked_s, begun_s, ended_s, customer, flush,
    )  # fmt: skip
    kept = min(count, rows)
    return count, asked_s[:kept], begun_s[:kept], ended_s[:kept], customer[:kept], flush[:kept]
