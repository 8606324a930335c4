"""The retry storm event by event: slow and plain, and what the compiled pass must return."""

import heapq
import math
from collections import deque

from tunables.simulators.retry_deeds import (
    DROP_LINE,
    QUEUE_LIMIT,
    RETRIES,
    RETRY_BUDGET,
    SERVER,
    SKIP,
    TURN_AWAY,
)
from tunables.simulators.retry_rows import ANSWERED, DROPPED, LATE, REFUSED, SKIPPED

_DEED, _ARRIVES, _IS_SERVED, _TIMES_OUT = range(4)  # in this order at the same time


class _Storm:
    """A calendar of events, a queue, and what became of each attempt."""

    def __init__(self, draws, clients, deeds):
        self.draws, self.clients = draws, clients
        self.deeds = list(zip(*(column.tolist() for column in deeds), strict=True))
        self.events = [(time, _ARRIVES, k) for k, time in enumerate(draws.fresh_s.tolist())]
        self.events += [(time, _DEED, k) for k, (time, _, _) in enumerate(self.deeds)]
        heapq.heapify(self.events)
        self.rules = {SERVER: 1.0, SKIP: 0.0, RETRIES: clients.retries, QUEUE_LIMIT: math.inf}
        self.rules |= {RETRY_BUDGET: 0.0, TURN_AWAY: 0.0}
        self.tokens = self.burst = math.inf
        self.queue: deque[int] = deque()
        self.rows: list[list] = []  # those of `Attempts`
        self.tries = dict.fromkeys(range(len(draws.fresh_s)), 0)
        self.in_service = False

    def deed(self, now, k):
        _, deed, value = self.deeds[k]
        self.rules[deed] = value
        if deed == RETRY_BUDGET:
            self.burst = self.clients.budget_burst
            self.tokens = min(self.tokens, self.burst)
        if deed == DROP_LINE:
            while self.queue:
                self.leaves(now, self.queue.popleft(), DROPPED)

    def leaves(self, now, attempt, fate):
        """Let an attempt leave the line unserved."""
        self.rows[attempt][1:3] = now, now
        self.rows[attempt][5] = fate

    def sends(self, request):
        """Say whether an attempt is sent at all, and pay for it."""
        if self.tries[request] == 0:
            self.tokens = min(self.tokens + self.rules[RETRY_BUDGET], self.burst)
            return self.draws.chances[request] >= self.rules[TURN_AWAY]
        if self.tries[request] > self.rules[RETRIES] or self.tokens < 1:
            return False
        self.tokens -= 1
        return True

    def arrives(self, now, request):
        if now < self.clients.horizon_s and self.sends(request):
            attempt = len(self.rows)
            self.rows.append([now, math.inf, math.inf, request, self.tries[request], LATE])
            if len(self.queue) < self.rules[QUEUE_LIMIT]:
                self.queue.append(attempt)
            else:
                self.leaves(now, attempt, REFUSED)
            heapq.heappush(self.events, (now + self.clients.timeout_s, _TIMES_OUT, attempt))

    def is_served(self, now, attempt):
        self.in_service = False
        if now <= self.rows[attempt][0] + self.clients.timeout_s:
            self.rows[attempt][5] = ANSWERED
            self.asks_anew(now, attempt)

    def times_out(self, now, attempt):
        _, _, _, request, tried, fate = self.rows[attempt]
        if fate == ANSWERED:
            return
        if tried < len(self.draws.pauses_s):
            pause = self.draws.pauses_s[tried] * self.draws.jitter[attempt]
            self.tries[request] += 1
            heapq.heappush(self.events, (now + pause, _ARRIVES, request))
        else:
            self.asks_anew(now, attempt)

    def asks_anew(self, now, attempt):
        request = self.rows[attempt][3]
        self.tries[request] = 0
        if len(self.draws.think_s):
            heapq.heappush(self.events, (now + self.draws.think_s[attempt], _ARRIVES, request))

    def is_worth_it(self, now, attempt):
        left_s = self.rows[attempt][0] + self.clients.timeout_s - now
        service_s = self.draws.service_s[attempt]
        return left_s >= (-math.inf, self.clients.margin_s, service_s)[int(self.rules[SKIP])]

    def end_of_service(self, now, attempt):
        """Return the end of a service from now on, the standstills known beforehand."""
        end, down = now + self.draws.service_s[attempt], None
        for time, deed, value in self.deeds:
            if deed != SERVER or time <= now:
                continue
            if value == 0 and down is None and time < end:
                down = time
            elif value == 1 and down is not None:
                end, down = end + (time - down), None
        return end if down is None else math.inf

    def serves(self, now):
        """Let an idle server take attempts until one is worth its time."""
        while self.queue and not self.in_service and self.rules[SERVER]:
            attempt = self.queue.popleft()
            if self.is_worth_it(now, attempt):
                self.in_service = True
                end = self.end_of_service(now, attempt)
                self.rows[attempt][1:3] = now, end
                heapq.heappush(self.events, (end, _IS_SERVED, attempt))
            else:
                self.leaves(now, attempt, SKIPPED)

    def run(self):
        happens = self.deed, self.arrives, self.is_served, self.times_out
        while self.events:
            now, event, item = heapq.heappop(self.events)
            happens[event](now, item)
            if not self.events or self.events[0][:2] != (now, _DEED):
                self.serves(now)  # once all that is done at this time is done
        for attempt in self.queue:  # before a server that nobody starts again
            self.rows[attempt][5] = SKIPPED if self.rules[SKIP] else LATE


def retry_storm_reference(draws, clients, deeds):
    """Return the rows of `Attempts` that the kernel writes for these arguments."""
    storm = _Storm(draws, clients, deeds)
    storm.run()
    return [tuple(row) for row in storm.rows]
