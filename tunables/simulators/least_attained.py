"""The event loop of least attained service first, compiled."""

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.cycles import start_thinking, think
from tunables.simulators.event_heap import pop


@compiled
def serve_least_attained(think_s, pools, users, service_s):
    """The jobs that have had the least service share the server; arguments as in `flows_kernel`.

    Jobs of one attained service form a group, and the groups a stack, least attained on top:
    an arrival pushes a group, and the top group grows into the next by catching up with it.
    """
    wake_s, thinkers, thinking = start_thinking(think_s, pools, users.pool)
    job_s = np.empty(users.size)
    for user in range(users.size):
        job_s[user] = service_s[users[user].pool]
    members, jobs = np.empty(users.size, np.int64), 0
    # The bottom of the stack is a sentinel that is never caught up with.
    start = np.zeros(users.size + 1, np.int64)
    attained, shortest = np.full(users.size + 1, np.inf), np.full(users.size + 1, np.inf)
    top = 0
    now = 0.0
    while thinking + jobs > 0:
        sharing = jobs - start[top]
        goal = min(shortest[top], attained[top - 1]) if jobs else np.inf
        event = now + (goal - attained[top]) * sharing if jobs else np.inf
        if wake_s[0] <= event:
            if jobs:
                attained[top] += (wake_s[0] - now) / sharing
            now = wake_s[0]
            user, thinking = pop(wake_s, thinkers, thinking)
            top += 1
            start[top], attained[top], shortest[top] = jobs, 0.0, job_s[user]
            members[jobs] = user
            jobs += 1
            continue
        now = event
        attained[top] = goal
        if shortest[top] > goal:  # caught up: the two groups are one
            shortest[top - 1] = min(shortest[top - 1], shortest[top])
            top -= 1
            continue
        place = start[top]
        while job_s[members[place]] > goal:
            place += 1
        user = members[place]
        jobs -= 1
        members[place] = members[jobs]
        if jobs == start[top]:
            top -= 1
        else:
            shortest[top] = np.inf
            for place in range(start[top], jobs):
                shortest[top] = min(shortest[top], job_s[members[place]])
        pool = pools[users[user].pool]
        pool.finished_s = now
        thinking = think(user, pool, now, think_s, wake_s, thinkers, thinking)
