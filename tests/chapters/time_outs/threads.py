"""A plain simulation of a server of several threads whose clients retry, attempt by attempt.

The package's simulator has one thread. This one can follow the card's advice for any number.
"""

import heapq
import random
from bisect import bisect_right
from typing import NamedTuple


class Run(NamedTuple):
    """Counts over the last seconds of a run.

    attempts: per new request; answered: share of new requests answered in time; in_time: share of
    attempts in time; refused: share of attempts refused by a full queue. Averages over the last
    seconds: queue, the number of waiting attempts, and age_s, the age of the oldest.
    outage_queue: the number waiting when the outage ends.
    """

    attempts: float
    answered: float
    in_time: float
    refused: float
    queue: float
    age_s: float
    outage_queue: int


class Server:
    """Threads and their queue, first come, first served."""

    def __init__(self, threads, service_s, timeout_s, outage, queue_limit, margin_s, purge_s, draw):
        self.free = [0.0] * threads
        self.rate, self.timeout_s, self.outage = 1 / service_s, timeout_s, outage
        self.queue_limit, self.margin_s, self.purge_s = queue_limit, margin_s, purge_s
        self.draw = draw
        self.turns: list[float] = []  # when each attempt leaves the queue, rising
        self.sent: list[float] = []
        self.refused_s: list[float] = []

    def answers(self, now):
        """Accept an attempt, and return whether it is answered in time."""
        if len(self.turns) - bisect_right(self.turns, now) >= self.queue_limit:
            self.refused_s.append(now)
            return False
        start = max(now, self.free[0])
        if self.outage[0] <= start < self.outage[1]:
            start = self.outage[1]
        dropped = now < self.purge_s < start
        self.turns.append(self.purge_s if dropped else start)
        self.sent.append(now)
        late = self.margin_s is not None and now + self.timeout_s - start < self.margin_s
        if dropped or late:
            return False
        end = start + self.draw.expovariate(self.rate)
        heapq.heapreplace(self.free, end)
        return end <= now + self.timeout_s

    def waiting(self, at):
        """Return the number of attempts waiting at a time, and the age of the oldest."""
        first = bisect_right(self.turns, at)
        last = bisect_right(self.sent, at)
        return (last - first, at - self.sent[first]) if first < last else (0, 0.0)


def run(
    arrivals, threads, service_s, timeout_s, retries, *, seed, horizon_s, last_s,
    outage=(0.0, 0.0), queue_limit=float("inf"), margin_s=None, retries_off_s=float("inf"),
    purge_s=float("inf"), admit=(float("inf"), 1.0), budget=None,
) -> Run:  # fmt: skip
    """Simulate a first come, first served server with exponential services.

    outage: begin and end; margin_s: the time that must be left when an attempt's turn comes; admit:
    a time, and the share of new requests let in from then on; budget: retries per new request.
    """
    draw = random.Random(seed)
    server = Server(threads, service_s, timeout_s, outage, queue_limit, margin_s, purge_s, draw)
    retried: list[tuple] = []
    fresh_s, tokens = draw.expovariate(arrivals), 10.0
    begin = horizon_s - last_s
    counts = dict.fromkeys(("fresh", "attempts", "answered"), 0)
    while min(fresh_s, retried[0][0] if retried else fresh_s) <= horizon_s:
        if not retried or fresh_s <= retried[0][0]:
            now, tried = fresh_s, 0
            fresh_s += draw.expovariate(arrivals)
            tokens = min(tokens + (budget or 0.0), 10.0)
            if now >= admit[0] and draw.random() >= admit[1]:
                continue
        else:
            now, tried = heapq.heappop(retried)
            if now >= retries_off_s or (budget is not None and tokens < 1):
                continue
            tokens -= budget is not None
        answered = server.answers(now)
        if now >= begin:
            counts["fresh"] += tried == 0
            counts["attempts"] += 1
            counts["answered"] += answered
        if not answered and tried < retries:
            heapq.heappush(retried, (now + timeout_s, tried + 1))
    lines, ages = zip(*map(server.waiting, range(int(begin) + 1, int(horizon_s))), strict=True)
    return Run(
        counts["attempts"] / max(counts["fresh"], 1),
        counts["answered"] / max(counts["fresh"], 1),
        counts["answered"] / max(counts["attempts"], 1),
        sum(time >= begin for time in server.refused_s) / max(counts["attempts"], 1),
        sum(lines) / len(lines),
        sum(ages) / len(ages),
        server.waiting(outage[1])[0],
    )


def answered_callers(callers, threads, service_s, timeout_s, horizon_s=200.0, seed=1) -> float:
    """Return answers in time per second of callers who ask again after an answer or a timeout."""
    draw = random.Random(seed)
    free = [0.0] * threads
    asked = [draw.random() * timeout_s for _ in range(callers)]
    heapq.heapify(asked)
    answers = 0
    while asked[0] < horizon_s:
        now = asked[0]
        end = max(now, free[0]) + draw.expovariate(1 / service_s)
        heapq.heapreplace(free, end)
        in_time = end <= now + timeout_s
        answers += in_time and now > horizon_s / 4
        heapq.heapreplace(asked, end if in_time else now + timeout_s)
    return answers / (0.75 * horizon_s)
