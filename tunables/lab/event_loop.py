"""A real event loop, asyncio's, that drains a work queue in slices while timers fall due."""

import asyncio
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import NamedTuple

from tunables.base.arguments import choice, integer, number
from tunables.lab.child import run_in_thread
from tunables.lab.machine import LONGEST_S, MOST_COUNTED, MOST_REPEATS
from tunables.lab.trouble import explain_trouble

Growth = Callable[[int, int], int]
ORDERS = ("call_later", "call_soon", "awaiting")


def keep(_cycles: int, granularity: int) -> int:
    """The growth rule that changes nothing."""
    return granularity


class LoopSetting(NamedTuple):
    """How a queue is drained. quantum_s None: in one piece.

    `order` says how a slice asks for the next: by call_later(0), which puts it behind the
    timers that fell due meanwhile, or by call_soon, which puts it before them. "awaiting" is
    call_soon with timers that wake a waiting task, which costs one more turn.
    """

    label: str
    quantum_s: float | None
    granularity: int = 1
    growth: Growth = keep
    order: str = "call_later"


@dataclass
class Observation:
    """Times in seconds. Lateness: of each timer that fell due before the queue was empty;
    slices, cycles and granularity (after the run): one entry per run."""

    setting: LoopSetting
    drain_s: float = 0.0
    lateness_s: list[float] = field(default_factory=list)
    slice_s: list[float] = field(default_factory=list)
    cycles: list[int] = field(default_factory=list)
    granularity: list[int] = field(default_factory=list)


def choose_route(prefix: int) -> int:
    """The work of one item, a few microseconds: the best of 24 made-up paths to a prefix."""
    return min((prefix * 2654435761 >> shift) & 255 for shift in range(24))


class _Queue:
    """The items that wait, and the slice that takes some of them."""

    def __init__(self, items: int, seen: Observation) -> None:
        self.items, self.position = items, 0
        self.granularity = seen.setting.granularity
        self.seen = seen

    def run_slice(self) -> None:
        quantum_s, growth = self.seen.setting.quantum_s, self.seen.setting.growth
        began, first = monotonic(), self.position
        while self.position < self.items:
            stop = min(self.position + self.granularity, self.items)
            for prefix in range(self.position, stop):
                choose_route(prefix)
            is_whole_block = stop - self.position == self.granularity
            self.position = stop
            if is_whole_block and quantum_s is not None and monotonic() - began > quantum_s:
                break
        cycles = self.position - first
        if cycles >= self.granularity:
            grown = growth(cycles, self.granularity)
            self.granularity = integer("growth(cycles, granularity)", grown, at_least=1)
        self.seen.slice_s.append(monotonic() - began)
        self.seen.cycles.append(cycles)
        self.seen.granularity.append(self.granularity)


async def _observe(setting: LoopSetting, items: int, due_s: list[float]) -> Observation:
    seen = Observation(setting)
    queue = _Queue(items, seen)
    loop = asyncio.get_running_loop()
    ask = partial(loop.call_later, 0) if setting.order == "call_later" else loop.call_soon
    drained = loop.create_future()
    start = loop.time()

    def step() -> None:
        if drained.cancelled():
            return
        try:
            queue.run_slice()
        except Exception as error:  # or the loop would log it and wait without end
            drained.set_exception(error)
            return
        if queue.position == items:
            seen.drain_s = loop.time() - start
            drained.set_result(None)
        else:
            ask(step)

    def beat(due: float) -> None:
        if not drained.done() or due < start + seen.drain_s:
            seen.lateness_s.append(loop.time() - due)

    async def awaiting_beat(due: float) -> None:
        await asyncio.sleep(due - loop.time())
        beat(due)

    dues = [start + due for due in due_s]
    waiting: list[asyncio.Task | asyncio.TimerHandle]
    if setting.order == "awaiting":
        waiting = [asyncio.ensure_future(awaiting_beat(due)) for due in dues]
        await asyncio.sleep(0)  # all tasks sleep before the first slice runs
    else:
        waiting = [loop.call_at(due, beat, due) for due in dues]
    loop.call_soon(step)
    try:
        await drained
        await asyncio.sleep(0.001)  # the timers that are late now still run
    finally:
        for timer in waiting:
            timer.cancel()
    return seen


def observe(setting: LoopSetting, items: int, timers: int, span_s: float, seed: int) -> Observation:
    """Drain a queue of real work once, with timers due at random moments of the next span_s.

    Runs in a thread of its own, so that it works inside Jupyter's running loop.
    Raises ValueError for an unknown order or numbers out of range.
    """
    choice("order", setting.order, ORDERS)
    integer("granularity", setting.granularity, at_least=1)
    if setting.quantum_s is not None:
        number("quantum_s", setting.quantum_s, at_least=0)
    items = integer("items", items, at_least=1, at_most=10 * MOST_COUNTED)
    timers = integer("timers", timers, at_least=1, at_most=MOST_COUNTED)
    span_s = number("span_s", span_s, at_least=0, at_most=LONGEST_S)
    rng = random.Random(integer("seed", seed))
    due_s = sorted(rng.uniform(0, span_s) for _ in range(timers))
    with explain_trouble():
        return run_in_thread(_observe, setting, items, due_s)


def lab_settings(growth: Growth, later_growth: Growth) -> list[LoopSetting]:
    """Return what lab 6 compares: quanta, granularities, growth rules and loop orders.

    growth is the published daemon's rule, later_growth the rule of 2010, each a function
    (cycles, granularity) -> granularity.
    """
    return [
        LoopSetting("one piece", None),
        *(LoopSetting(f"{q} ms", q / 1000, growth=growth) for q in (50, 10, 5, 1)),
        LoopSetting("10 ms, granularity 1", 0.010),
        LoopSetting("10 ms, granularity 8192", 0.010, granularity=8192),
        LoopSetting("10 ms, rule of 2010", 0.010, growth=later_growth),
        LoopSetting("10 ms, call_soon", 0.010, growth=growth, order="call_soon"),
        LoopSetting("10 ms, awaiting", 0.010, growth=growth, order="awaiting"),
    ]


def measure_event_loop(
    settings: Iterable[LoopSetting],
    items: int = 300_000,
    timers: int = 1000,
    repeats: int = 2,
    seed: int = 6,
) -> Iterator[Observation]:
    """Observe each setting in turn, all of them `repeats` times; yield each when it is done.

    The timers of a run are spread over the time that draining in one piece took in a first
    run, which is not yielded. With the defaults about 30 s in all.
    Raises ValueError for numbers out of range.
    """
    settings = list(settings)
    repeats = integer("repeats", repeats, at_least=1, at_most=MOST_REPEATS)
    integer("timers", timers, at_least=1, at_most=MOST_COUNTED)
    span_s = observe(LoopSetting("warm-up", None), items, 1, 0.0, seed).drain_s
    for repeat in range(repeats):
        for setting in settings:
            yield observe(setting, items, timers, span_s, seed + repeat)
