"""The published experiment as processes in plain Python: the reference for the kernel."""

import heapq
from collections import deque

from tunables.simulators.batches_kernel import (
    ANSWERED,
    ASKS,
    FLUSHED,
    HELD,
    QUERIES,
    WAITS,
    WORKS,
)  # fmt: skip


class _Pool:
    """A pool of threads, first come, first served."""

    def __init__(self, run, number, threads):
        self.run, self.number, self.free = run, number, threads
        self.queue: deque[int] = deque()

    def enter(self, client, batch):
        if self.free:
            self.free -= 1
        else:
            self.run.note(WAITS, client, batch, self.number)
            self.queue.append(client)
            yield None

    def leave(self):
        if self.queue:
            self.run.wake(self.queue.popleft(), 0.0)
        else:
            self.free += 1


class _Flusher:
    """Commits each transaction after the maximum delay, or all when no other is expected."""

    def __init__(self, run, rules):
        self.run, self.max_delay_s, self.adaptive = run, rules.max_delay_s, rules.adaptive
        self.active, self.aborted = rules.long_transactions, 0
        self.waiting, self.deadline, self.flushes = [], None, 0
        self.freed_by = [0] * rules.clients

    def commit(self, client):
        """Wait for a flush and return its number."""
        self.active -= 1
        if not self.adaptive:
            yield self.max_delay_s
            self.flushes += 1
            return self.flushes - 1
        if not self.waiting:
            self.deadline = self.run.now + self.max_delay_s
        self.waiting.append(client)
        yield None
        return self.freed_by[client]

    def flush_if_due(self, next_event_s):
        if not self.waiting or (self.active > 0 and self.deadline > next_event_s):
            return
        if self.active > 0:
            self.run.now = self.deadline
        for client in self.waiting:
            self.freed_by[client] = self.flushes
            self.run.wake(client, 0.0)
        self.flushes += 1
        self.active -= self.aborted
        self.waiting, self.aborted = [], 0


class _Run:
    def __init__(self, draws, rules):
        self.draws, self.rules = draws, rules
        self.batch_threads = _Pool(self, 0, rules.batch_threads)
        self.commit_threads = _Pool(self, 1, rules.commit_threads)
        self.flusher = _Flusher(self, rules)
        self.now, self.calendar, self.begun, self.done, self.total = 0.0, [], 0, 0, 0.0
        self.rows = []
        self.clients = [self.client(number) for number in range(rules.clients)]

    def wake(self, client, delay_s):
        heapq.heappush(self.calendar, (self.now + delay_s, client))

    def note(self, *row):
        self.rows.append((self.now, *row))

    def transaction(self, client, batch, stage):
        """Commit and return True, or abort and return False."""
        self.flusher.active += 1
        if stage == self.rules.lease_stage:
            self.note(QUERIES, client, batch, stage)
            yield self.draws.lease_s[batch]
        yield from self.commit_threads.enter(client, batch)
        self.note(WORKS, client, batch, stage)
        yield self.draws.work_s[batch, stage]
        committed = not self.draws.aborts[batch, stage]
        if not committed:
            self.flusher.aborted += 1
        elif self.rules.commits:
            self.note(HELD, client, batch, stage)
            flush = yield from self.flusher.commit(client)
            self.note(FLUSHED, client, batch, flush)
        else:
            self.flusher.active -= 1
        self.commit_threads.leave()
        return committed

    def client(self, client):
        """Run batches while any are left; yield a delay, or None to wait to be woken."""
        while self.begun < len(self.draws.think_s):
            batch, asked = self.begun, self.now
            self.begun += 1
            self.note(ASKS, client, batch, 0)
            yield from self.batch_threads.enter(client, batch)
            for stage in range(self.draws.work_s.shape[1]):
                if not (yield from self.transaction(client, batch, stage)):
                    break
            self.batch_threads.leave()
            self.done += 1
            self.total += self.now - asked
            self.note(ANSWERED, client, batch, 0)
            yield self.draws.think_s[batch]


def batches_reference(draws, rules):
    """Return what `run_batches` returns, and the rows of `BatchEvents`."""
    run = _Run(draws, rules)
    for client in range(rules.clients):
        run.wake(client, 0.0)
    while run.done < len(draws.think_s):
        run.flusher.flush_if_due(run.calendar[0][0] if run.calendar else float("inf"))
        run.now, client = heapq.heappop(run.calendar)
        delay_s = next(run.clients[client], None)
        if delay_s is not None:
            run.wake(client, delay_s)
    return run.now, run.total / len(draws.think_s), run.rows
