"""The policies and stack distances of `caches` in plain Python: the reference for the kernels.

Each policy is written from its paper and yields whether each request of the trace is a hit;
OUTCOMES has the same policies yielding what each request did, as in `caches_kernel`.
Queues are ordered dictionaries, oldest first.
"""

from collections import OrderedDict
from functools import wraps

import numpy as np

from tunables.base.portable import plain_sum
from tunables.simulators.caches_kernel import BYPASSED, HIT, NOBODY


def hits_of(policy):
    """Turn a policy that yields HIT, NOBODY or a victim into one that yields whether it hits.

    The original policy remains available as `__wrapped__`.
    """

    @wraps(policy)
    def hits(*arguments, **named):
        return (done == HIT for done in policy(*arguments, **named))

    return hits


def _queues(count) -> list[OrderedDict]:
    return [OrderedDict() for _ in range(count)]


@hits_of
def sieve(trace, capacity):
    """Zhang, Yang, Yue, Vigfusson & Rashmi (2024), algorithm 1; the list's head is at its end."""
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
        total = plain_sum(map(len, (self.t1, self.t2, self.b1, self.b2)))
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


def _one_queue(trace, capacity, renew, newest_leaves):
    queue: OrderedDict = OrderedDict()
    for x in trace:
        if x in queue:
            yield HIT
            if renew:
                queue.move_to_end(x)
            continue
        full = len(queue) == capacity
        yield queue.popitem(last=newest_leaves)[0] if full else NOBODY
        queue[x] = None


@hits_of
def fifo(trace, capacity):
    """Belady (1966)."""
    return _one_queue(trace, capacity, renew=False, newest_leaves=False)


@hits_of
def lru(trace, capacity):
    """Mattson, Gecsei, Slutz & Traiger (1970)."""
    return _one_queue(trace, capacity, renew=True, newest_leaves=False)


@hits_of
def mru(trace, capacity):
    """Chou & DeWitt (1985)."""
    return _one_queue(trace, capacity, renew=True, newest_leaves=True)


@hits_of
def clock(trace, capacity):
    """Corbató (1968) as a queue: an object referenced since it joined rejoins it at its end."""
    referenced: OrderedDict = OrderedDict()
    for x in trace:
        if x in referenced:
            yield HIT
            referenced[x] = True
            continue
        victim = NOBODY
        while len(referenced) == capacity:
            oldest, spare = referenced.popitem(last=False)
            if spare:
                referenced[oldest] = False
            else:
                victim = oldest
        yield victim
        referenced[x] = False


@hits_of
def random(trace, capacity, seed=0):
    """Empty one of the frames at random; frames are filled from the last to the first."""
    trace = list(trace)
    draws = np.random.default_rng(seed).integers(capacity, size=len(trace), dtype=np.int32)
    draw = iter(draws.tolist())
    frames = [NOBODY] * capacity
    room = capacity
    for x in trace:
        if x in frames:
            yield HIT
            continue
        room -= 1
        frame = room if room >= 0 else next(draw)
        yield frames[frame]
        frames[frame] = x


@hits_of
def opt(trace, capacity):
    """Belady (1966): the victim's next use is furthest or never; if never, the last used leaves."""
    trace = list(trace)
    cached: list = []  # the last used first
    for now, x in enumerate(trace):
        if x in cached:
            yield HIT
            cached.remove(x)
        elif len(cached) == capacity:
            to_come = trace[now + 1 :]
            waits = {y: to_come.index(y) if y in to_come else len(trace) for y in cached}
            victim = max(waits, key=waits.__getitem__)
            yield victim
            cached.remove(victim)
        else:
            yield NOBODY
        cached.insert(0, x)


@hits_of
def bypass(trace, capacity):
    """Bring in nothing without room for it, and evict nothing."""
    cached: set = set()
    for x in trace:
        if x in cached:
            yield HIT
        elif len(cached) < capacity:
            cached.add(x)
            yield NOBODY
        else:
            yield BYPASSED


PLAIN = {
    "lru": lru,
    "fifo": fifo,
    "clock": clock,
    "random": random,
    "mru": mru,
    "sieve": sieve,
    "arc": arc,
    "2q": two_queue,
    "opt": opt,
    "bypass": bypass,
}
OUTCOMES = {name: policy.__wrapped__ for name, policy in PLAIN.items()}


def plain_stack_distances(trace):
    """Return each request's depth in a list with the last used first (1-based), 0 if absent."""
    stack: list = []
    distances = []
    for x in trace:
        distances.append(stack.index(x) + 1 if x in stack else 0)
        if x in stack:
            stack.remove(x)
        stack.insert(0, x)
    return distances
