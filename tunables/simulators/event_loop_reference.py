"""The event loop of `simulate_event_loop` in plain Python; times in nanoseconds."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tunables.simulators.work_queue_reference import WorkQueue


@dataclass
class BackgroundQueue(WorkQueue):
    """A work queue with its next due time, the delay after a run, and the items taken so far."""

    due: int = 0
    delay: int = 0
    taken: int = 0


@dataclass
class Events:
    """Timers, reads or writes: the moments at which they are ready, and the handler's cost."""

    ready: deque[int]
    handler_cost: int
    lateness: list[int] = field(default_factory=list)


@dataclass
class EventLoop:
    """Kinds of events in the order in which a turn serves them, and the background queues."""

    events: Sequence[Events]
    queues: Sequence[BackgroundQueue]
    quantum: int
    check_cost: int
    now: int = 0
    turns: list[int] = field(default_factory=list)
    runs: list[tuple[int, ...]] = field(default_factory=list)
    looks: list[int] = field(default_factory=list)

    def _pending(self) -> Iterator[int]:
        yield from (kind.ready[0] for kind in self.events if kind.ready)
        yield from (queue.due for queue in self.queues if queue.costs)

    def run(self) -> None:
        """Take turns until nothing is pending."""
        while moments := list(self._pending()):
            self.now = max(self.now, min(moments))
            self._turn(self.now)

    def _turn(self, start: int) -> None:
        for kind in self.events:
            while kind.ready and kind.ready[0] <= start:
                kind.lateness.append(self.now - kind.ready.popleft())
                self.now += kind.handler_cost
        ready = [(q.due, i) for i, q in enumerate(self.queues) if q.costs and q.due <= start]
        for _, index in sorted(ready):
            queue = self.queues[index]
            begin, granularity = self.now, queue.granularity
            cycles, elapsed, looks = queue.run(self.quantum, self.check_cost)
            run = (begin, elapsed, index, cycles, granularity, len(looks), queue.taken)
            self.runs.append(run)
            self.looks += looks
            queue.taken += cycles
            self.now += elapsed
            queue.due = self.now + queue.delay
        self.turns.append(self.now - start)
