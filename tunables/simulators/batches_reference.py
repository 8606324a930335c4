"""The published experiment told as processes: slow, to be read, and held equal to the fast one."""

import heapq
from collections import deque


class _Pool:
    """Threads that are taken and given back first come, first served."""

    def __init__(self, run, threads):
        self.run, self.free, self.queue = run, threads, deque()

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

    def __init__(self, run, max_delay_s, adaptive, stuck):
        self.run, self.max_delay_s, self.adaptive = run, max_delay_s, adaptive
        self.active, self.aborted = stuck, 0
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
    def __init__(self, draws, clients, commits, lease_stage, max_delay_s, adaptive, stuck, threads):
        self.think_s, self.lease_s, self.work_s, self.aborts = draws
        self.commits, self.lease_stage = commits, lease_stage
        self.batch_threads, self.commit_threads = (_Pool(self, count) for count in threads)
        self.flusher = _Flusher(self, max_delay_s, adaptive, stuck)
        self.now, self.calendar, self.begun, self.done, self.total = 0.0, [], 0, 0, 0.0
        self.clients = [self.client(number) for number in range(clients)]

    def wake(self, client, delay_s):
        heapq.heappush(self.calendar, (self.now + delay_s, client))

    def transaction(self, client, batch, stage):
        """Commit and return True, or abort and return False."""
        self.flusher.active += 1
        if stage == self.lease_stage:
            yield self.lease_s[batch]
        yield from self.commit_threads.enter(client)
        yield self.work_s[batch, stage]
        committed = not self.aborts[batch, stage]
        if not committed:
            self.flusher.aborted += 1
        elif self.commits:
            yield from self.flusher.commit(client)
        else:
            self.flusher.active -= 1
        self.commit_threads.leave()
        return committed

    def client(self, client):
        """Run batches as long as there are any; yields a delay, or None to be woken."""
        while self.begun < len(self.think_s):
            batch, asked = self.begun, self.now
            self.begun += 1
            yield from self.batch_threads.enter(client)
            for stage in range(max(self.commits, 1)):
                if not (yield from self.transaction(client, batch, stage)):
                    break
            self.batch_threads.leave()
            self.done += 1
            self.total += self.now - asked
            yield self.think_s[batch]


def batches_reference(*arguments):
    """Return what the compiled loop of `simulate_batches` returns, from the same arguments."""
    run = _Run(*arguments)
    for client in range(len(run.clients)):
        run.wake(client, 0.0)
    batches = len(run.think_s)
    while run.done < batches:
        run.flusher.flush_if_due(run.calendar[0][0] if run.calendar else float("inf"))
        run.now, client = heapq.heappop(run.calendar)
        delay_s = next(run.clients[client], None)
        if delay_s is not None:
            run.wake(client, delay_s)
    return run.now, run.total / batches
