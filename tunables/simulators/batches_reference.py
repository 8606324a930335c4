"""The published experiment told as processes: slow, to be read, and held equal to the fast one."""

import heapq
from collections import deque


class _Pool:
    """Threads that are taken and given back first come, first served."""

    def __init__(self, run, threads):
        self.run, self.free = run, threads
        self.queue: deque[int] = deque()

    def enter(self, client):
        if self.free:
            self.free -= 1
        else:
            self.queue.append(client)
            yield None

    def leave(self):
        if self.queue:
            self.run.wake(self.queue.popleft(), 0.0)
        else:
            self.free += 1


class _Flusher:
    """Commits who waits: each after the maximum delay, or all when nobody else is expected."""

    def __init__(self, run, rules):
        self.run, self.max_delay_s, self.adaptive = run, rules.max_delay_s, rules.adaptive
        self.active, self.aborted = rules.long_transactions, 0
        self.waiting, self.deadline = [], None

    def commit(self, client):
        self.active -= 1
        if not self.adaptive:
            yield self.max_delay_s
            return
        if not self.waiting:
            self.deadline = self.run.now + self.max_delay_s
        self.waiting.append(client)
        yield None

    def flush_if_due(self, next_event_s):
        if not self.waiting or (self.active > 0 and self.deadline > next_event_s):
            return
        if self.active > 0:
            self.run.now = self.deadline
        for client in self.waiting:
            self.run.wake(client, 0.0)
        self.active -= self.aborted
        self.waiting, self.aborted = [], 0


class _Run:
    def __init__(self, draws, rules):
        self.draws, self.rules = draws, rules
        self.batch_threads = _Pool(self, rules.batch_threads)
        self.commit_threads = _Pool(self, rules.commit_threads)
        self.flusher = _Flusher(self, rules)
        self.now, self.calendar, self.begun, self.done, self.total = 0.0, [], 0, 0, 0.0
        self.clients = [self.client(number) for number in range(rules.clients)]

    def wake(self, client, delay_s):
        heapq.heappush(self.calendar, (self.now + delay_s, client))

    def transaction(self, client, batch, stage):
        """Commit and return True, or abort and return False."""
        self.flusher.active += 1
        if stage == self.rules.lease_stage:
            yield self.draws.lease_s[batch]
        yield from self.commit_threads.enter(client)
        yield self.draws.work_s[batch, stage]
        committed = not self.draws.aborts[batch, stage]
        if not committed:
            self.flusher.aborted += 1
        elif self.rules.commits:
            yield from self.flusher.commit(client)
        else:
            self.flusher.active -= 1
        self.commit_threads.leave()
        return committed

    def client(self, client):
        """Run batches as long as there are any; yields a delay, or None to be woken."""
        while self.begun < len(self.draws.think_s):
            batch, asked = self.begun, self.now
            self.begun += 1
            yield from self.batch_threads.enter(client)
            for stage in range(self.draws.work_s.shape[1]):
                if not (yield from self.transaction(client, batch, stage)):
                    break
            self.batch_threads.leave()
            self.done += 1
            self.total += self.now - asked
            yield self.draws.think_s[batch]


def batches_reference(draws, rules):
    """Return what `run_batches` returns."""
    run = _Run(draws, rules)
    for client in range(rules.clients):
        run.wake(client, 0.0)
    while run.done < len(draws.think_s):
        run.flusher.flush_if_due(run.calendar[0][0] if run.calendar else float("inf"))
        run.now, client = heapq.heappop(run.calendar)
        delay_s = next(run.clients[client], None)
        if delay_s is not None:
            run.wake(client, delay_s)
    return run.now, run.total / len(draws.think_s)
