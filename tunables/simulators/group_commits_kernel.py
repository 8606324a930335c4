"""The loop of `simulate_group_commits`, one flush per turn, compiled."""

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.draws import random
from tunables.simulators.event_heap import new_heap, pop, push


@compiled
def draw_think_times(state, count, think_time_s, spread):
    """Return count think times, uniform within +- spread of their mean."""
    think_s = np.empty(count)
    for commit in range(count):
        think_s[commit] = think_time_s * (1 + spread * (2 * random(state) - 1))
    return think_s


@compiled
def room(rows):
    """Return empty arrays asked_s, begun_s, ended_s, customer and flush for rows commits."""
    return (
        np.empty(rows), np.empty(rows), np.empty(rows),
        np.empty(rows, np.int64), np.empty(rows, np.int64),
    )  # fmt: skip


@compiled
def group_commits_kernel(
    customers, commits, flush_time_s, max_delay_s, think_s, asked_s, begun_s, ended_s, customer,
    flush,
):  # fmt: skip
    """Return commits/s, mean latency, and the number of commits: the rows of `Commits`.

    think_s[k] follows commit k. asked_s to flush record as many rows as they have room for.
    """
    times, names = new_heap(customers)
    asks, group = np.empty(customers), np.empty(customers, np.int64)
    size = done = flushes = 0
    for name in range(customers):
        size = push(times, names, size, 0.0, name)
    ends = latency_s = 0.0
    while done < commits:
        begins, members = max(times[0], ends) + max_delay_s, 0
        while members == 0 or (size > 0 and times[0] < begins):
            asks[members] = times[0]
            group[members], size = pop(times, names, size)
            members += 1
        ends = begins + flush_time_s
        for member in range(members):
            latency_s += ends - asks[member]
            if done < len(asked_s):
                asked_s[done], begun_s[done], ended_s[done] = asks[member], begins, ends
                customer[done], flush[done] = group[member], flushes
            size = push(times, names, size, ends + think_s[done], group[member])
            done += 1
        flushes += 1
    return done / ends, latency_s / done, done
