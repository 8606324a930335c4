"""SIEVE, 2Q and ARC in readable Python, to hold the compiled ones against.

As in `plain_caches`: each yields whether each request of the trace is a hit.
"""

from collections import OrderedDict


def _queues(count) -> list[OrderedDict]:
    return [OrderedDict() for _ in range(count)]


def sieve(trace, capacity):
    """Zhang, Yang, Yue, Vigfusson & Rashmi (2024), algorithm 1; the list's head is its end."""
    queue: list = []
    visited: set = set()
    hand = 0
    for x in trace:
        yield x in queue
        if x in queue:
            visited.add(x)
            continue
        if len(queue) == capacity:
            while queue[hand] in visited:
                visited.remove(queue[hand])
                hand = (hand + 1) % capacity
            queue.pop(hand)
            hand = hand if hand < len(queue) else 0
        queue.append(x)


def two_queue(trace, capacity):
    """Johnson & Shasha (1994), "2Q, full version", with Kin = C/4 and Kout = C/2."""
    a1in, a1out, am = _queues(3)
    for x in trace:
        yield x in am or x in a1in
        if x in am:
            am.move_to_end(x)
            continue
        if x in a1in:
            continue
        into = am if x in a1out else a1in
        a1out.pop(x, None)
        if len(a1in) + len(am) == capacity:
            if len(a1in) > capacity / 4:
                a1out[a1in.popitem(last=False)[0]] = None
                if len(a1out) > capacity / 2:
                    a1out.popitem(last=False)
            else:
                am.popitem(last=False)
        into[x] = None


class _Arc:
    def __init__(self, capacity):
        self.capacity = capacity
        self.t1, self.t2, self.b1, self.b2 = _queues(4)
        self.target = 0.0

    def replace(self, x):
        full = len(self.t1) > self.target or (x in self.b2 and len(self.t1) == self.target)
        cached, left = (self.t1, self.b1) if self.t1 and full else (self.t2, self.b2)
        left[cached.popitem(last=False)[0]] = None

    def case_four(self, x):
        total = sum(map(len, (self.t1, self.t2, self.b1, self.b2)))
        if len(self.t1) == self.capacity:
            self.t1.popitem(last=False)
        elif len(self.t1) + len(self.b1) == self.capacity:
            self.b1.popitem(last=False)
            self.replace(x)
        elif total >= self.capacity:
            if total == 2 * self.capacity:
                self.b2.popitem(last=False)
            self.replace(x)

    def request(self, x):
        into = self.t2
        if x in self.b1:
            step = max(len(self.b2) / len(self.b1), 1)
            self.target = min(self.capacity, self.target + step)
            self.replace(x)
        elif x in self.b2:
            step = max(len(self.b1) / len(self.b2), 1)
            self.target = max(0, self.target - step)
            self.replace(x)
        elif x not in self.t1 and x not in self.t2:
            self.case_four(x)
            into = self.t1
        for queue in (self.t1, self.t2, self.b1, self.b2):
            queue.pop(x, None)
        into[x] = None


def arc(trace, capacity):
    """Megiddo & Modha (2003), figure 4: cases I to IV, and REPLACE."""
    cache = _Arc(capacity)
    for x in trace:
        yield x in cache.t1 or x in cache.t2
        cache.request(x)
