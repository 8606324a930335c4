"""The closed flow-level model in SimPy: a process per user, a processor-sharing port."""

import heapq
import itertools

import simpy


class SharingPort:
    """Sends all transfers at equal rates; a transfer is done at a virtual time set on arrival."""

    def __init__(self, env):
        self.env = env
        self.transfers: list = []  # (virtual time of completion, order, event)
        self.order = itertools.count()
        self.virtual = self.since = 0.0
        self.alarm = None

    def _catch_up(self):
        if self.transfers:
            self.virtual += (self.env.now - self.since) / len(self.transfers)
        self.since = self.env.now

    def _set_alarm(self):
        if self.transfers:
            wait = (self.transfers[0][0] - self.virtual) * len(self.transfers)
            self.alarm = self.env.timeout(max(0.0, wait))
            self.alarm.callbacks.append(self._finish_transfer)

    def _finish_transfer(self, alarm):
        if alarm is not self.alarm:  # an arrival or departure has set another since
            return
        self._catch_up()
        self.virtual, _, event = heapq.heappop(self.transfers)
        event.succeed()
        self._set_alarm()

    def send(self, service_s):
        """Return the event that a transfer of service_s seconds, alone, is done."""
        self._catch_up()
        event = self.env.event()
        heapq.heappush(self.transfers, (self.virtual + service_s, next(self.order), event))
        self._set_alarm()
        return event


def _user(env, port, pool, think_s, service_s, issued, jobs, finished):
    while issued[pool] < jobs[pool]:
        issued[pool] += 1
        yield env.timeout(next(think_s[pool]))
        yield port.send(service_s[pool])
        finished[pool] = env.now


def simpy_shared(cycles, service_s):
    """Return what `flows.serve(cycles, service_s, "ps")` returns."""
    think_s, first, jobs, pool_of = (array.tolist() for array in cycles)
    times = [iter(think_s[at : at + n]) for at, n in zip(first, jobs, strict=True)]
    env = simpy.Environment()
    port = SharingPort(env)
    issued, finished = [0] * len(jobs), [0.0] * len(jobs)
    for pool in pool_of:
        env.process(_user(env, port, pool, times, service_s.tolist(), issued, jobs, finished))
    env.run()
    return finished
