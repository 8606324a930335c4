"""Event loops of one server under five disciplines, compiled.

Users think and do jobs as `cycles` says (see there); each job of pool p takes service_s[p]
seconds of the whole server. Each loop leaves the end of each pool's last job in its record.
"""

import numpy as np

from tunables.simulators.compiled import compiled
from tunables.simulators.cycles import start_thinking, think
from tunables.simulators.event_heap import pop

# No discipline here lets a job overtake one of its own size. So jobs wait in lanes, one a size
# (or one for all), first in, first out; only the heads of the lanes are compared.
LANE = np.dtype([("head", "i8"), ("tail", "i8"), ("due", "f8"), ("service_s", "f8")], align=True)
USER = np.dtype([("follower", "i8"), ("end", "f8"), ("pool", "i8"), ("lane", "i8")], align=True)
NOBODY = -1


@compiled
def _append(user, lane, users):
    """Put user at the end of a lane; say whether it is the head."""
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
    """Put user in a shared lane; return the lane whose head is done soonest on that clock."""
    users[user].end = clock + lanes[place].service_s
    if _append(user, lanes[place], users):
        lanes[place].due = users[user].end
        if lanes[place].due < lanes[soonest].due:
            return place
    return soonest


@compiled
def _leave(lane, begin, stop, lanes, users):
    """Take the head out of a shared lane; return which one from begin to stop is now soonest."""
    lane.head = users[lane.head].follower
    lane.due = users[lane.head].end if lane.head != NOBODY else np.inf
    soonest, due = begin, lanes[begin].due
    for other in range(begin + 1, stop):
        if lanes[other].due < due:
            soonest, due = other, lanes[other].due
    return soonest


@compiled
def serve_shared(think_s, pools, users, lanes):
    """Processor sharing on two levels: the first half of the lanes goes ahead of the second.

    A job passes its lane of the first level, then that of the second. Each level has a virtual
    clock that runs at 1/n while n jobs share the server, so the time on it at which a job is
    done is known when it joins.
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
    """Return the first lane, by size, in which a job waits, or -1."""
    for place in range(lanes.size):
        if lanes[place].head != NOBODY:
            return place
    return -1


@compiled
def serve_one(think_s, pools, users, lanes, service_s, preempts):
    """One job at a time, the first of the first lane; a shorter arrival may interrupt it.

    Jobs that were interrupted form a stack, the one with the least left on top.
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
