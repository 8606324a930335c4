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
from collections.abc import Generator, Iterable
from contextlib import ExitStack, nullcontext
from time import perf_counter

from tunables.measure.batches import Batch, Setting, checked_settings
from tunables.measure.cleanup import held_back, tidy
from tunables.measure.limits import LONGEST_S, MOST_REPEATS
from tunables.measure.write_ahead_log import RECORD, Closed, WriteAheadLog
from tunables.plain.arguments import number, whole


class _Stopped(Exception):
    """The measurement is over before the batch is."""


class _World:
    """What all clients of one setting share."""

    def __init__(self, stack: ExitStack, setting, threads, commits):
        self.setting, self.commits = setting, commits
        self.black_hole = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        self.black_hole.bind(("127.0.0.1", 0))  # and never read from
        # Readable once the measurement ends, so that nobody sits out a time-out.
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


def _guarded(world, *arguments):
    """Run a client; an error, which would be lost in a thread, goes to whoever collects."""
    try:
        _client(world, *arguments)
    except (_Stopped, Closed):
        pass
    except Exception as error:
        world.done.put(error)


def _measure(setting, clients, threads, commits, emulated_work_s, emulated_think_s, seed):
    with ExitStack() as stack:
        world = _World(stack, setting, threads, commits)
        running: list[threading.Thread] = []
        try:
            with held_back():
                for client in range(clients):
                    sock = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
                    sock.connect(world.black_hole.getsockname())
                    generator = random.Random(seed * clients + client)
                    arguments = (world, sock, emulated_work_s, emulated_think_s, generator)
                    thread = threading.Thread(target=_guarded, args=arguments)
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
            with held_back():
                world.end()
                for thread in running:
                    thread.join()


def _run(settings, **arguments):
    with tidy():
        for index, setting in enumerate(settings):
            for finished_s, response_s in _measure(setting, **arguments):
                yield Batch(index, finished_s, response_s)


def run(
    settings: Iterable[Setting],
    clients=50,
    threads=0,
    commits=2,
    emulated_work_s=0.0,
    emulated_think_s=0.0,
    seed=0,
) -> Generator[Batch, None, None]:
    """Yield every Batch as it ends, one setting after the other.

    Clients start together and share the setting's batches. A batch makes its lease query, then
    `commits` transactions; with `threads` above 0 it first takes one of so many threads.
    What a transaction works and a client thinks is emulated: sleeps, exponential around
    emulated_work_s / commits and emulated_think_s. Time-outs, waits and flushes are real.

    Raises ValueError for no settings, a negative delay, a time-out that is not above 0, counts
    that are not whole (clients 1 to 200), or negative times.
    """
    return _run(
        checked_settings(settings),
        clients=whole("clients", clients, at_least=1, at_most=200),
        threads=whole("threads", threads, at_most=200),
        commits=whole("commits", commits, at_most=MOST_REPEATS),
        emulated_work_s=number("emulated_work_s", emulated_work_s, 0, at_most=LONGEST_S),
        emulated_think_s=number("emulated_think_s", emulated_think_s, 0, at_most=LONGEST_S),
        seed=whole("seed", seed),
    )
