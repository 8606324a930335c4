"""Event loops of one server under five disciplines, compiled.

Users think and do jobs as described in `cycles`; each job of pool p takes service_s[p] seconds of
the whole server. `serve_levels`, `serve_in_turn` and `serve_groups` assign the users to lanes, run
a loop and return the records of the pools, each with the end of the pool's last job.
"""

import numpy as np

from tunables.simulators.compiled import compiled, records
from tunables.simulators.cycles import new_pools, start_thinking, think
from tunables.simulators.event_heap import pop

# No discipline here lets a job overtake another of its own size. So jobs wait in lanes, one per
# size (or one for all), first in, first out; only the heads of the lanes are compared.
LANE = np.dtype([("head", "i8"), ("tail", "i8"), ("due", "f8"), ("service_s", "f8")], align=True)
USER = np.dtype([("follower", "i8"), ("end", "f8"), ("pool", "i8"), ("lane", "i8")], align=True)
NOBODY = -1


@compiled
def _append(user, lane, users):
    """Put user at the end of a lane; return whether it is the head."""
    users[user].follower = NOBODY
    alone = lane.head == NOBODY
    if alone:
        lane.head = user
    else:
        users[lane.tail].follower = user
    lane.tail = user
    return alone


@compiled
def _join(user, place, clock, soonest, lanes, users):
    """Put user in a shared lane; return the lane whose head finishes first on the given clock."""
    users[user].end = clock + lanes[place].service_s
    if _append(user, lanes[place], users):
        lanes[place].due = users[user].end
        if lanes[place].due < lanes[soonest].due:
            return place
    return soonest


@compiled
def _leave(lane, begin, stop, lanes, users):
    """Remove the head of a shared lane; return which lane from begin to stop is first now."""
    lane.head = users[lane.head].follower
    lane.due = users[lane.head].end if lane.head != NOBODY else np.inf
    soonest, due = begin, lanes[begin].due
    for other in range(begin + 1, stop):
        if lanes[other].due < due:
            soonest, due = other, lanes[other].due
    return soonest


@compiled
def serve_shared(think_s, pools, users, lanes):
    """Share the processor on two levels: the first half of the lanes goes ahead of the second.

    A job passes through its lane of the first level, then that of the second. Each level has a
    virtual clock that runs at 1/n while n jobs share the server, so a job's end on that clock is
    known when it joins.
    """
    wake_s, thinkers, thinking = start_thinking(think_s, pools, users.pool)
    sizes = lanes.size // 2
    n_ahead, ahead_clock, ahead = 0, 0.0, 0
    n_rest, rest_clock, rest = 0, 0.0, sizes
    now = 0.0
    while thinking + n_ahead + n_rest > 0:
        departure = np.inf
        if n_ahead > 0:
            departure = now + (lanes[ahead].due - ahead_clock) * n_ahead
        elif n_rest > 0:
            departure = now + (lanes[rest].due - rest_clock) * n_rest
        if wake_s[0] <= departure:
            if n_ahead > 0:
                ahead_clock += (wake_s[0] - now) / n_ahead
            elif n_rest > 0:
                rest_clock += (wake_s[0] - now) / n_rest
            now = wake_s[0]
            user, thinking = pop(wake_s, thinkers, thinking)
            ahead = _join(user, users[user].lane, ahead_clock, ahead, lanes, users)
            n_ahead += 1
            continue
        now = departure
        if n_ahead > 0:
            user = lanes[ahead].head
            ahead_clock = lanes[ahead].due
            ahead = _leave(lanes[ahead], 0, sizes, lanes, users)
            n_ahead -= 1
            place = users[user].lane + sizes
            if lanes[place].service_s > 0:
                rest = _join(user, place, rest_clock, rest, lanes, users)
                n_rest += 1
                continue
        else:
            user = lanes[rest].head
            rest_clock = lanes[rest].due
            rest = _leave(lanes[rest], sizes, 2 * sizes, lanes, users)
            n_rest -= 1
        pool = pools[users[user].pool]
        pool.finished_s = now
        thinking = think(user, pool, now, think_s, wake_s, thinkers, thinking)


@compiled
def _shortest(lanes):
    """Return the first lane, in order of size, with a waiting job, or -1."""
    for place in range(lanes.size):
        if lanes[place].head != NOBODY:
            return place
    return -1


@compiled
def serve_one(think_s, pools, users, lanes, service_s, preempts):
    """Serve one job at a time, the head of the first lane; a shorter arrival may preempt it.

    Preempted jobs form a stack, the one with the least left on top.
    """
    wake_s, thinkers, thinking = start_thinking(think_s, pools, users.pool)
    stack, left_s, depth = np.empty(users.size, np.int64), np.empty(users.size), 0
    waiting = 0
    current, end = NOBODY, np.inf
    while thinking > 0 or current != NOBODY:
        if wake_s[0] <= end:
            now = wake_s[0]
            user, thinking = pop(wake_s, thinkers, thinking)
            need_s = service_s[users[user].pool]
            if current != NOBODY and not (preempts and need_s < end - now):
                _append(user, lanes[users[user].lane], users)
                waiting += 1
                continue
            if current != NOBODY:
                stack[depth] = current
                left_s[depth] = end - now
                depth += 1
            current, end = user, now + need_s
            continue
        now, done = end, current
        place = _shortest(lanes) if waiting > 0 else -1
        if place >= 0 and (depth == 0 or lanes[place].service_s < left_s[depth - 1]):
            current = lanes[place].head
            lanes[place].head = users[current].follower
            waiting -= 1
            end = now + service_s[users[current].pool]
        elif depth > 0:
            depth -= 1
            current, end = stack[depth], now + left_s[depth]
        else:
            current, end = NOBODY, np.inf
        pool = pools[users[done].pool]
        pool.finished_s = now
        thinking = think(done, pool, now, think_s, wake_s, thinkers, thinking)


@compiled
def serve_least_attained(think_s, pools, users, service_s):
    """Share the server among the jobs that have had the least service.

    Jobs with equal attained service form a group, and the groups form a stack, least attained on
    top: an arrival pushes a group, and the top group merges with the next when it catches up.
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
        if shortest[top] > goal:  # caught up: the two groups become one
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


@compiled
def _place(known, count, value):
    """Return the index of the first of the count sorted values that is not below value."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if known[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def rank_values(values):
    """Return the distinct values, sorted, and the rank of each value among them."""
    known, rank, count = np.empty_like(values), np.empty(len(values), np.int64), 0
    for value in values:
        place = _place(known, count, value)
        if place == count or known[place] != value:
            for later in range(count, place, -1):
                known[later] = known[later - 1]
            known[place] = value
            count += 1
    for i in range(len(values)):
        rank[i] = _place(known, count, values[i])
    return known[:count], rank


@compiled
def _new_lane(lanes, place, service_s):
    lanes[place].head, lanes[place].due, lanes[place].service_s = NOBODY, np.inf, service_s


@compiled
def _new_users(pool_of, lane_of):
    """Return users of whom none is waiting; lane_of: the lane of each pool."""
    users = records(len(pool_of), USER)
    for user in range(len(pool_of)):
        users[user].pool, users[user].lane = pool_of[user], lane_of[pool_of[user]]
    return users


@compiled
def serve_levels(cycles, service_s, ahead_s):
    """Share the processor on two levels: the first ahead_s[p] of a job of pool p go ahead."""
    sizes_s, size_of = rank_values(service_s)
    limits_s, limit_of = rank_values(ahead_s)
    limits = len(limits_s)
    pair_of = np.empty_like(size_of)  # in a loop: numba's array expressions name their file
    for pool in range(len(size_of)):
        pair_of[pool] = size_of[pool] * limits + limit_of[pool]
    pairs, lane_of = rank_values(pair_of)
    lanes = records(2 * len(pairs), LANE)
    for place in range(len(pairs)):
        size_s = sizes_s[pairs[place] // limits]
        first_s = min(size_s, limits_s[pairs[place] % limits])
        _new_lane(lanes, place, first_s)
        _new_lane(lanes, place + len(pairs), size_s - first_s)
    pools = new_pools(cycles)
    serve_shared(cycles[0], pools, _new_users(cycles[3], lane_of), lanes)
    return pools


@compiled
def serve_in_turn(cycles, service_s, preempts):
    """Serve one job at a time: the first or, if they preempt, the one with the least left."""
    sizes_s, lane_of = rank_values(service_s if preempts else np.zeros(len(service_s)))
    lanes = records(len(sizes_s), LANE)
    for place in range(len(sizes_s)):
        _new_lane(lanes, place, sizes_s[place])
    pools = new_pools(cycles)
    serve_one(cycles[0], pools, _new_users(cycles[3], lane_of), lanes, service_s, preempts)
    return pools


@compiled
def serve_groups(cycles, service_s):
    """Serve the least attained service first."""
    pools = new_pools(cycles)
    users = _new_users(cycles[3], np.zeros(len(service_s), np.int64))
    serve_least_attained(cycles[0], pools, users, service_s)
    return pools
