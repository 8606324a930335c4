"""The retry storm event by event in plain Python: the reference for the kernel."""

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
from tunables.simulators.retry_storm_kernel import ANSWERED, DROPPED, LATE, REFUSED, SKIPPED

_INTERVENTION, _ARRIVES, _IS_SERVED, _TIMES_OUT = range(4)  # in this order at the same time


class _Storm:
    """A calendar of events, a queue, and the fate of each attempt."""

    def __init__(self, draws, clients, interventions):
        self.draws, self.clients = draws, clients
        self.interventions = list(zip(*(column.tolist() for column in interventions), strict=True))
        self.asked = dict.fromkeys(range(len(draws.fresh_s)), 0)  # requests completed, by caller
        self.asked_by: list[int] = []  # the same when each attempt was sent
        self.latest: dict[int, int] = {}  # latest attempt of each request
        self.events: list[tuple] = [
            (time, _ARRIVES, (k, 0)) for k, time in enumerate(draws.fresh_s.tolist())
        ]
        self.events += [
            (time, _INTERVENTION, k) for k, (time, _, _) in enumerate(self.interventions)
        ]
        heapq.heapify(self.events)
        self.rules = {SERVER: 1.0, SKIP: 0.0, RETRIES: clients.retries, QUEUE_LIMIT: math.inf}
        self.rules |= {RETRY_BUDGET: 0.0, TURN_AWAY: 0.0}
        self.tokens = self.burst = math.inf
        self.queue: deque[int] = deque()
        self.rows: list[list] = []  # those of `Attempts`
        self.tries = dict.fromkeys(range(len(draws.fresh_s)), 0)
        self.in_service = False

    def intervene(self, now, k):
        _, kind, value = self.interventions[k]
        self.rules[kind] = value
        if kind == RETRY_BUDGET:
            self.burst = self.clients.budget_burst
            self.tokens = min(self.tokens, self.burst)
        if kind == DROP_LINE:
            while self.queue:
                self.leaves(now, self.queue.popleft(), DROPPED)

    def leaves(self, now, attempt, fate):
        """Remove an attempt from the queue unserved."""
        self.rows[attempt][1:3] = now, now
        self.rows[attempt][5] = fate

    def sends(self, request):
        """Return whether an attempt is sent at all, and pay for it from the budget."""
        if self.tries[request] == 0:
            self.tokens = min(self.tokens + self.rules[RETRY_BUDGET], self.burst)
            return self.draws.chances[request] >= self.rules[TURN_AWAY]
        if self.tries[request] > self.rules[RETRIES] or self.tokens < 1:
            return False
        self.tokens -= 1
        return True

    def waits(self, attempt):
        """Return whether the request of an attempt is neither answered nor given up."""
        return self.asked_by[attempt] == self.asked[self.rows[attempt][3]]

    def arrives(self, now, item):
        request, asked = item
        if asked != self.asked[request]:
            return  # it was answered in the pause before this retry
        if now < self.clients.horizon_s and self.sends(request):
            attempt = len(self.rows)
            self.asked_by.append(asked)
            self.latest[request] = attempt
            self.rows.append([now, math.inf, math.inf, request, self.tries[request], LATE])
            if len(self.queue) < self.rules[QUEUE_LIMIT]:
                self.queue.append(attempt)
            else:
                self.leaves(now, attempt, REFUSED)
            heapq.heappush(self.events, (now + self.clients.timeout_s, _TIMES_OUT, attempt))
        else:
            self.asked[request] += 1  # given up

    def is_served(self, now, attempt):
        self.in_service = False
        in_time = now <= self.rows[attempt][0] + self.clients.timeout_s
        if self.waits(attempt) and (in_time or self.clients.any_answer):
            self.rows[attempt][5] = ANSWERED
            self.asks_anew(now, self.rows[attempt][3])

    def times_out(self, now, attempt):
        _, _, _, request, tried, _ = self.rows[attempt]
        if not self.waits(attempt):
            return
        if tried < len(self.draws.pauses_s):
            pause = self.draws.pauses_s[tried] * self.draws.jitter[attempt]
            self.tries[request] += 1
            heapq.heappush(self.events, (now + pause, _ARRIVES, (request, self.asked[request])))
        else:
            self.asks_anew(now, request)

    def asks_anew(self, now, request):
        self.tries[request] = 0
        self.asked[request] += 1
        if len(self.draws.think_s):
            anew_s = now + self.draws.think_s[self.latest[request]]
            heapq.heappush(self.events, (anew_s, _ARRIVES, (request, self.asked[request])))

    def is_worth_it(self, now, attempt):
        left_s = self.rows[attempt][0] + self.clients.timeout_s - now
        service_s = self.draws.service_s[attempt]
        return left_s >= (-math.inf, self.clients.margin_s, service_s)[int(self.rules[SKIP])]

    def end_of_service(self, now, attempt):
        """Return the end of a service that starts now; all stops of the server are known."""
        end, down = now + self.draws.service_s[attempt], None
        for time, kind, value in self.interventions:
            if kind != SERVER or time <= now:
                continue
            if value == 0 and down is None and time < end:
                down = time
            elif value == 1 and down is not None:
                end, down = end + (time - down), None
        return end if down is None else math.inf

    def serves(self, now):
        """Let an idle server take attempts until it serves one."""
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
        happens = self.intervene, self.arrives, self.is_served, self.times_out
        while self.events:
            now, event, item = heapq.heappop(self.events)
            happens[event](now, item)
            if not self.events or self.events[0][:2] != (now, _INTERVENTION):
                self.serves(now)  # after all interventions at this time
        for attempt in self.queue:  # left at a server that is never restarted
            self.rows[attempt][5] = SKIPPED if self.rules[SKIP] else LATE


def retry_storm_reference(draws, clients, interventions):
    """Return the rows of `Attempts` that the kernel writes for these arguments."""
    storm = _Storm(draws, clients, interventions)
    storm.run()
    return [tuple(row) for row in storm.rows]
