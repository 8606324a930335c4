"""A FIFO port behind a standing backlog, played through transaction by transaction."""

import heapq
import random
from collections import deque


def fifo_port(backlog_s, own_s, think_s, users, packets=64, seconds=200.0, seed=1):
    """Play a FIFO port through: mean seconds that a small transaction is in it.

    The large connections keep so many packets waiting, which the port needs backlog_s for: each
    joins the line again as it leaves. Think times are exponential.
    """
    draws = random.Random(seed)
    line: deque[float | None] = deque([None] * packets)  # when a transaction came; None: a packet
    wake_s = sorted(draws.expovariate(1 / think_s) for _ in range(users))
    now, responses = 0.0, []
    while now < seconds:
        came_s = line.popleft()
        now += backlog_s / packets if came_s is None else own_s
        while wake_s and wake_s[0] <= now:
            line.append(heapq.heappop(wake_s))
        if came_s is None:
            line.append(None)
        else:
            responses.append(now - came_s)
            heapq.heappush(wake_s, now + draws.expovariate(1 / think_s))
    return sum(responses) / len(responses)
