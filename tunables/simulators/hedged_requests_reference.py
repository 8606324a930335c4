"""Hedged requests event by event in plain Python: the reference for the kernel."""

import heapq
import math

from tunables.simulators.relief import USUAL_BURST

_ENDS, _DUE, _ASKED = range(3)  # in this order at the same time


class _Server:
    def __init__(self, spells):
        self.spells = spells
        self.queue: list = []
        self.busy = False

    def end_of_work(self, now, work_s):
        for begins_s, ends_s in self.spells:
            if ends_s <= now:
                continue
            if begins_s - now >= work_s:
                break
            work_s -= max(begins_s - now, 0.0)
            now = ends_s
        return now + work_s


class _Allowance:
    def __init__(self, share):
        self.share = share
        self.tokens = 0.0

    def add(self):
        """Add what a request earns."""
        self.tokens = min(self.tokens + self.share, USUAL_BURST)

    def take(self):
        """Return whether a copy may be sent, and pay for it."""
        if self.share >= 1:
            return True
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True


def hedged_requests_reference(asked_s, work_s, server, delay_s, rule, budget, spells):
    """Return what the kernel returns, as lists with nan for what never was.

    spells: for each server, the (begin, end) of the times in which it stands still.
    """
    n = len(asked_s)
    nothing = [math.nan, math.nan]
    sent, begun, ended = ([list(nothing) for _ in range(n)] for _ in range(3))
    answered = [math.nan] * n
    machines = [_Server(each) for each in spells]
    calendar = [(time, _ASKED, request, 0) for request, time in enumerate(asked_s)]
    heapq.heapify(calendar)
    allowance = _Allowance(budget)

    def serve(machine, now):
        while machine.queue and not machine.busy:
            request, copy = machine.queue.pop(0)
            if rule != "run" and answered[request] <= now:
                continue
            if rule == "tie" and begun[request][1 - copy] <= now:
                continue
            machine.busy, begun[request][copy] = True, now
            end = machine.end_of_work(now, work_s[request][copy])
            heapq.heappush(calendar, (end, _ENDS, request, copy))

    while calendar:
        now, event, request, copy = heapq.heappop(calendar)
        machine = machines[server[request][copy]]
        if event == _ENDS:
            ended[request][copy] = now
            if math.isnan(answered[request]):
                answered[request] = now
            machine.busy = False
        else:
            if event == _ASKED:
                allowance.add()
                heapq.heappush(calendar, (now + delay_s, _DUE, request, 1))
            elif answered[request] <= now or not allowance.take():
                continue
            sent[request][copy] = now
            machine.queue.append((request, copy))
        serve(machine, now)
    return sent, begun, ended, answered
