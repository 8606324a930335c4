"""Event loops of one server under five disciplines, compiled.

Users think and do jobs as `cycles` says (see there); each job of pool p takes service_s[p]
seconds of the whole server. Each loop returns the time at which each pool's last job ends.
"""

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.cycles import start_thinking, think
from tunables.simulators.event_heap import new_heap, pop, push


@compiled
def serve_shared(cycles, service_s, priority_s):
    """Processor sharing, in which the first priority_s of each service go ahead of the rest.

    Each level has a virtual clock that runs at 1/n while n jobs share the server: a job is
    done when the clock has advanced by its service, so its place in a heap never changes.
    """
    issued, waking, thinking = start_thinking(cycles)
    pool_of = cycles[3]
    job_s = service_s[pool_of]
    ahead, n_ahead, ahead_clock = new_heap(pool_of.size), 0, 0.0
    rest, n_rest, rest_clock = new_heap(pool_of.size), 0, 0.0
    finished = np.zeros(service_s.size)
    now = 0.0
    while thinking + n_ahead + n_rest > 0:
        arrival = waking[0][0] if thinking else np.inf
        departure = np.inf
        if n_ahead:
            departure = now + (ahead[0][0] - ahead_clock) * n_ahead
        elif n_rest:
            departure = now + (rest[0][0] - rest_clock) * n_rest
        if arrival <= departure:
            if n_ahead:
                ahead_clock += (arrival - now) / n_ahead
            elif n_rest:
                rest_clock += (arrival - now) / n_rest
            now = arrival
            user, thinking = pop(waking, thinking)
            n_ahead = push(ahead, n_ahead, ahead_clock + min(job_s[user], priority_s), now, user)
            continue
        now = departure
        if n_ahead:
            ahead_clock = ahead[0][0]
            user, n_ahead = pop(ahead, n_ahead)
            if job_s[user] > priority_s:
                n_rest = push(rest, n_rest, rest_clock + job_s[user] - priority_s, now, user)
                continue
        else:
            rest_clock = rest[0][0]
            user, n_rest = pop(rest, n_rest)
        finished[pool_of[user]] = now
        thinking = think(user, now, cycles, issued, waking, thinking)
    return finished


@compiled
def serve_one(cycles, service_s, by_size):
    """One job at a time: the one with the least left (by_size), or the one that came first."""
    issued, waking, thinking = start_thinking(cycles)
    pool_of = cycles[3]
    job_s = service_s[pool_of]
    queue, queueing = new_heap(pool_of.size), 0
    left = np.zeros(pool_of.size)
    finished = np.zeros(service_s.size)
    now = 0.0
    while thinking + queueing > 0:
        arrival = waking[0][0] if thinking else np.inf
        head = queue[2][0]
        departure = now + left[head] if queueing else np.inf
        if arrival <= departure:
            if queueing:
                left[head] -= arrival - now
                if by_size:  # the head stays the head when its key falls
                    queue[0][0] = left[head]
            now = arrival
            user, thinking = pop(waking, thinking)
            left[user] = job_s[user]
            queueing = push(queue, queueing, left[user] if by_size else now, now, user)
            continue
        now = departure
        user, queueing = pop(queue, queueing)
        finished[pool_of[user]] = now
        thinking = think(user, now, cycles, issued, waking, thinking)
    return finished


@compiled
def serve_least_attained(cycles, service_s):
    """The jobs that have had the least service share the server.

    Jobs of one attained service form a group, and the groups a stack, least attained on top:
    an arrival pushes a group, and the top group grows into the next by catching up with it.
    """
    issued, waking, thinking = start_thinking(cycles)
    pool_of = cycles[3]
    job_s = service_s[pool_of]
    members, jobs = np.empty(pool_of.size, np.int64), 0
    # The bottom of the stack is a sentinel that is never caught up with.
    start = np.zeros(pool_of.size + 1, np.int64)
    attained, shortest = np.full(pool_of.size + 1, np.inf), np.full(pool_of.size + 1, np.inf)
    top = 0
    finished = np.zeros(service_s.size)
    now = 0.0
    while thinking + jobs > 0:
        sharing = jobs - start[top]
        arrival = waking[0][0] if thinking else np.inf
        goal = min(shortest[top], attained[top - 1]) if jobs else np.inf
        event = now + (goal - attained[top]) * sharing if jobs else np.inf
        if arrival <= event:
            if jobs:
                attained[top] += (arrival - now) / sharing
            now = arrival
            user, thinking = pop(waking, thinking)
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
            shortest[top] = job_s[members[start[top] : jobs]].min()
        finished[pool_of[user]] = now
        thinking = think(user, now, cycles, issued, waking, thinking)
    return finished


def serve(cycles, service_s, discipline, priority_s=0.0):
    """Return the time at which each pool's last job ends under the discipline of that name.

    "fifo", "ps" (processor sharing), "srpt" (shortest remaining processing time), "fb" (least
    attained service) or "dpp" (the first priority_s of each job go ahead, each level shared).
    """
    if discipline == "fb":
        return serve_least_attained(cycles, service_s)
    if discipline in ("fifo", "srpt"):
        return serve_one(cycles, service_s, discipline == "srpt")
    return serve_shared(cycles, service_s, priority_s if discipline == "dpp" else np.inf)
