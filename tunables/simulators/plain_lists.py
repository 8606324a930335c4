"""SIEVE, 2Q and ARC in readable Python, to hold the compiled ones against.

As in `plain_caches`: each yields whether each request of the trace is a hit.
"""

from collections import OrderedDict
from functools import wraps

from tunables.plain.adding import added
from tunables.simulators.eviction import HIT, NOBODY


def hits_of(policy):
    """Return a policy that yields HIT, NOBODY or a victim, so that it yields whether it hit.

    As it was it stays at hand as `__wrapped__`.
    """

    @wraps(policy)
    def hits(*arguments, **named):
        return (done == HIT for done in policy(*arguments, **named))

    return hits


def _queues(count) -> list[OrderedDict]:
    return [OrderedDict() for _ in range(count)]


@hits_of
def sieve(trace, capacity):
    """Zhang, Yang, Yue, Vigfusson & Rashmi (2024), algorithm 1; the list's head is its end."""
    queue: list = []
    visited: set = set()
    hand = 0
    for x in trace:
        if x in queue:
            yield HIT
            visited.add(x)
            continue
        victim = NOBODY
        if len(queue) == capacity:
            while queue[hand] in visited:
                visited.remove(queue[hand])
                hand = (hand + 1) % capacity
            victim = queue.pop(hand)
            hand = hand if hand < len(queue) else 0
        yield victim
        queue.append(x)


@hits_of
def two_queue(trace, capacity):
    """Johnson & Shasha (1994), "2Q, full version", with Kin = C/4 and Kout = C/2."""
    a1in, a1out, am = _queues(3)
    for x in trace:
        if x in am:
            am.move_to_end(x)
        if x in am or x in a1in:
            yield HIT
            continue
        into = am if x in a1out else a1in
        a1out.pop(x, None)
        victim = NOBODY
        if len(a1in) + len(am) == capacity:
            if len(a1in) > capacity / 4:
                victim = a1in.popitem(last=False)[0]
                a1out[victim] = None
                if len(a1out) > capacity / 2:
                    a1out.popitem(last=False)
            else:
                victim = am.popitem(last=False)[0]
        yield victim
        into[x] = None


class _Arc:
    def __init__(self, capacity):
        self.capacity = capacity
        self.t1, self.t2, self.b1, self.b2 = _queues(4)
        self.target = 0.0

    def replace(self, x):
        full = len(self.t1) > self.target or (x in self.b2 and len(self.t1) == self.target)
        cached, left = (self.t1, self.b1) if self.t1 and full else (self.t2, self.b2)
        victim = cached.popitem(last=False)[0]
        left[victim] = None
        return victim

    def case_four(self, x):
        total = added(map(len, (self.t1, self.t2, self.b1, self.b2)))
        if len(self.t1) == self.capacity:
            return self.t1.popitem(last=False)[0]
        if len(self.t1) + len(self.b1) == self.capacity:
            self.b1.popitem(last=False)
            return self.replace(x)
        if total >= self.capacity:
            if total == 2 * self.capacity:
                self.b2.popitem(last=False)
            return self.replace(x)
        return NOBODY

    def request(self, x):
        into, done = self.t2, HIT
        if x in self.b1:
            step = max(len(self.b2) / len(self.b1), 1)
            self.target = min(self.capacity, self.target + step)
            done = self.replace(x)
        elif x in self.b2:
            step = max(len(self.b1) / len(self.b2), 1)
            self.target = max(0, self.target - step)
            done = self.replace(x)
        elif x not in self.t1 and x not in self.t2:
            done = self.case_four(x)
            into = self.t1
        for queue in (self.t1, self.t2, self.b1, self.b2):
            queue.pop(x, None)
        into[x] = None
        return done


@hits_of
def arc(trace, capacity):
    """Megiddo & Modha (2003), figure 4: cases I to IV, and REPLACE."""
    cache = _Arc(capacity)
    for x in trace:
        yield cache.request(x)
