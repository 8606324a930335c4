"""The same policies and stack distances in readable Python, to hold the compiled ones against.

Each policy is written from its paper, with ordered dictionaries for queues (oldest first),
and yields whether each request of the trace is a hit.
"""

from collections import OrderedDict

import numpy as np


def lru(trace, capacity):
    """Mattson, Gecsei, Slutz & Traiger (1970)."""
    queue = OrderedDict()
    for x in trace:
        yield x in queue
        if x not in queue and len(queue) == capacity:
            queue.popitem(last=False)
        queue[x] = None
        queue.move_to_end(x)


def fifo(trace, capacity):
    """Belady (1966)."""
    queue = OrderedDict()
    for x in trace:
        yield x in queue
        if x not in queue and len(queue) == capacity:
            queue.popitem(last=False)
        queue[x] = None


def mru(trace, capacity):
    """As LRU, but the last one in the queue leaves."""
    queue = OrderedDict()
    for x in trace:
        yield x in queue
        if x not in queue and len(queue) == capacity:
            queue.popitem(last=True)
        queue[x] = None
        queue.move_to_end(x)


def clock(trace, capacity):
    """Corbató (1968) as a queue: an object referenced since it joined goes to its end again."""
    referenced = OrderedDict()
    for x in trace:
        yield x in referenced
        if x in referenced:
            referenced[x] = True
            continue
        while len(referenced) == capacity:
            oldest, spare = referenced.popitem(last=False)
            if spare:
                referenced[oldest] = False
        referenced[x] = False


def random(trace, capacity, seed=0):
    """One of the frames at random is emptied; they fill from the last to the first."""
    trace = list(trace)
    draws = np.random.default_rng(seed).integers(capacity, size=len(trace), dtype=np.int32)
    draw = iter(draws.tolist())
    frames = [None] * capacity
    room = capacity
    for x in trace:
        yield x in frames
        if x not in frames:
            room -= 1
            frames[room if room >= 0 else next(draw)] = x


def sieve(trace, capacity):
    """Zhang, Yang, Yue, Vigfusson & Rashmi (2024), algorithm 1; the list's head is its end."""
    queue = []
    visited = set()
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
    a1in, a1out, am = OrderedDict(), OrderedDict(), OrderedDict()
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


def arc(trace, capacity):
    """Megiddo & Modha (2003), figure 4: cases I to IV, and REPLACE."""
    t1, t2, b1, b2 = OrderedDict(), OrderedDict(), OrderedDict(), OrderedDict()
    p = 0.0

    def replace():
        if t1 and (len(t1) > p or (x in b2 and len(t1) == p)):
            b1[t1.popitem(last=False)[0]] = None
        else:
            b2[t2.popitem(last=False)[0]] = None

    for x in trace:
        yield x in t1 or x in t2
        if x in t1 or x in t2:
            t1.pop(x, None)
            t2.pop(x, None)
            t2[x] = None
        elif x in b1:
            p = min(capacity, p + max(len(b2) / len(b1), 1))
            replace()
            del b1[x]
            t2[x] = None
        elif x in b2:
            p = max(0, p - max(len(b1) / len(b2), 1))
            replace()
            del b2[x]
            t2[x] = None
        else:
            if len(t1) + len(b1) == capacity:
                if len(t1) < capacity:
                    b1.popitem(last=False)
                    replace()
                else:
                    t1.popitem(last=False)
            elif len(t1) + len(t2) + len(b1) + len(b2) >= capacity:
                if len(t1) + len(t2) + len(b1) + len(b2) == 2 * capacity:
                    b2.popitem(last=False)
                replace()
            t1[x] = None


def opt(trace, capacity):
    """Belady (1966): the victim's next use is furthest, or never."""
    trace = list(trace)
    cached = set()
    for now, x in enumerate(trace):
        yield x in cached
        if x not in cached and len(cached) == capacity:
            to_come = trace[now + 1 :]
            waits = {y: to_come.index(y) if y in to_come else len(trace) for y in cached}
            cached.remove(max(waits, key=waits.__getitem__))
        cached.add(x)


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
}


def plain_stack_distances(trace):
    """Return each request's depth in a list with the last used first (1-based), 0 if absent."""
    stack, distances = [], []
    for x in trace:
        distances.append(stack.index(x) + 1 if x in stack else 0)
        if x in stack:
            stack.remove(x)
        stack.insert(0, x)
    return distances
