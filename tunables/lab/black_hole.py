"""The published experiment for real: threads, a UDP socket that never answers, a real log.

Clients run batches as the server's threads would: a lease query to the black hole, which times
out r + 1 times, and then transactions that commit to a write-ahead log, whose leaders wait for
the maximum delay. Seconds are real, and traffic stays on the loopback interface.
"""

import queue
import random
import select
import socket
import tempfile
import threading
from collections.abc import Generator, Iterable, Sequence
from contextlib import ExitStack, nullcontext
from time import perf_counter
from typing import NamedTuple

from tunables.base.arguments import integer, number
from tunables.lab.cleanup import hold_back_signals, tidy
from tunables.lab.machine import LONGEST_S, MOST_COUNTED, MOST_REPEATS
from tunables.lab.write_ahead_log import RECORD, LogClosed, WriteAheadLog


class BatchSetting(NamedTuple):
    """One row of the table: the three tunables, and how many batches the clients share."""

    max_delay_s: float
    timeout_s: float
    retries: int
    batches: int


class Batch(NamedTuple):
    """A finished batch: its setting's index, when it ended since the start, and what it took."""

    setting: int
    finished_s: float
    response_s: float


class Row(NamedTuple):
    """The batches of one setting, counted as the document counts: all by the time of the last."""

    batches: int
    throughput_per_s: float
    response_s: float


def summary(batches: Sequence[Batch], setting=0) -> Row:
    """Return throughput and mean response time of one setting's batches.

    Raises ValueError if there are none.

    >>> summary([Batch(0, 2.0, 1.5), Batch(0, 4.0, 2.5)])
    Row(batches=2, throughput_per_s=0.5, response_s=2.0)
    """
    mine = [batch for batch in batches if batch.setting == setting]
    if not mine:
        raise ValueError(f"setting = {setting!r}: must be a setting with finished batches")
    makespan_s = max(batch.finished_s for batch in mine)
    return Row(
        len(mine), len(mine) / makespan_s, sum(batch.response_s for batch in mine) / len(mine)
    )


def _check_setting(index, setting):
    where = f"settings[{index}]"
    if not isinstance(setting, BatchSetting):
        raise ValueError(f"{where} = {setting!r}: must be a BatchSetting")
    delay_s, timeout_s, retries, batches = setting
    return BatchSetting(
        number(f"{where}.max_delay_s", delay_s, at_least=0, at_most=LONGEST_S),
        number(f"{where}.timeout_s", timeout_s, above=0, at_most=LONGEST_S),
        integer(f"{where}.retries", retries, at_most=MOST_REPEATS),
        integer(f"{where}.batches", batches, at_least=1, at_most=MOST_COUNTED),
    )


def check_settings(settings: Iterable[BatchSetting]) -> list[BatchSetting]:
    """Return the settings; raises ValueError for none, or one that names what is wrong in it."""
    checked = [_check_setting(index, setting) for index, setting in enumerate(settings)]
    if not checked:
        raise ValueError(
            f"settings = {checked}: must be a non-empty sequence of BatchSetting objects"
        )
    return checked


class _Stopped(Exception):
    """The measurement is over before the batch is."""


class _World:
    """What all clients of one setting share."""

    def __init__(self, stack: ExitStack, setting, threads, commits):
        self.setting, self.commits = setting, commits
        self.black_hole = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        self.black_hole.bind(("127.0.0.1", 0))  # and never read from
        # Readable once the measurement ends, so that no client waits out a timeout.
        self.bell, self.ringer = map(stack.enter_context, socket.socketpair())
        self.stop = threading.Event()
        file = stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 (the stack closes it)
        self.log = WriteAheadLog(file, setting.max_delay_s)
        self.pool = threading.BoundedSemaphore(threads) if threads else nullcontext()
        self.done: queue.SimpleQueue = queue.SimpleQueue()
        self.begin = threading.Event()
        self.began = 0.0
        self.left = setting.batches
        self.taking = threading.Lock()

    def end(self):
        self.stop.set()
        self.ringer.send(b"!")
        self.log.close()
        self.begin.set()

    def take(self) -> bool:
        """Take one of the batches that are left; say whether there was one."""
        with self.taking:
            self.left -= 1
            return self.left >= 0

    def sleep(self, seconds):
        if seconds > 0 and self.stop.wait(seconds):
            raise _Stopped


def _lease_query(world, sock):
    """Ask until there is an answer or no retry is left; return whether there was one."""
    for _ in range(world.setting.retries + 1):
        sock.send(b"who has this lease?")
        ready, _, _ = select.select([sock, world.bell], [], [], world.setting.timeout_s)
        if world.bell in ready:
            raise _Stopped
        if sock in ready:
            sock.recv(1)
            return True
    return False


def _client(world, sock, emulated_work_s, emulated_think_s, generator):
    def emulate(mean_s):
        world.sleep(mean_s * generator.expovariate(1.0) if mean_s > 0 else 0)

    world.begin.wait()
    while world.take():
        asked = perf_counter()
        with world.pool:
            _lease_query(world, sock)
            for _ in range(world.commits):
                emulate(emulated_work_s / world.commits)
                world.log.commit(RECORD)
        now = perf_counter()
        world.done.put((now - world.began, now - asked))
        emulate(emulated_think_s)


def _run_client(world, *arguments):
    """Run a client; an error, which would be lost in a thread, goes to whoever collects."""
    try:
        _client(world, *arguments)
    except (_Stopped, LogClosed):
        pass
    except Exception as error:
        world.done.put(error)


def _measure(setting, clients, threads, commits, emulated_work_s, emulated_think_s, seed):
    with ExitStack() as stack:
        world = _World(stack, setting, threads, commits)
        running: list[threading.Thread] = []
        try:
            with hold_back_signals():
                for client in range(clients):
                    sock = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
                    sock.connect(world.black_hole.getsockname())
                    generator = random.Random(seed * clients + client)
                    arguments = (world, sock, emulated_work_s, emulated_think_s, generator)
                    thread = threading.Thread(target=_run_client, args=arguments)
                    thread.start()
                    running.append(thread)
            world.began = perf_counter()
            world.begin.set()
            for _ in range(setting.batches):
                result = world.done.get()
                if isinstance(result, Exception):
                    raise result
                yield result
        finally:
            with hold_back_signals():
                world.end()
                for thread in running:
                    thread.join()


def _run(settings, **arguments):
    with tidy():
        for index, setting in enumerate(settings):
            for finished_s, response_s in _measure(setting, **arguments):
                yield Batch(index, finished_s, response_s)


def run(
    settings: Iterable[BatchSetting],
    clients=50,
    threads=0,
    commits=2,
    emulated_work_s=0.0,
    emulated_think_s=0.0,
    seed=0,
) -> Generator[Batch, None, None]:
    """Yield every Batch as it ends, one setting after the other.

    Clients start together and share the setting's batches. A batch makes its lease query, then
    `commits` transactions; with `threads` above 0 it first takes one of that many threads.
    What a transaction works and a client thinks is emulated: sleeps, exponential around
    emulated_work_s / commits and emulated_think_s. Timeouts, waits and flushes are real.

    Raises ValueError for no settings, a negative delay, a timeout that is not above 0, counts
    that are not whole (clients 1 to 200), or negative times.
    """
    return _run(
        check_settings(settings),
        clients=integer("clients", clients, at_least=1, at_most=200),
        threads=integer("threads", threads, at_most=200),
        commits=integer("commits", commits, at_most=MOST_REPEATS),
        emulated_work_s=number("emulated_work_s", emulated_work_s, 0, at_most=LONGEST_S),
        emulated_think_s=number("emulated_think_s", emulated_think_s, 0, at_most=LONGEST_S),
        seed=integer("seed", seed),
    )
