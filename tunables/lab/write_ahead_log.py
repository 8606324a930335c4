"""A write-ahead log with group commit: threads, a file, and the device's own flush.

Lab 1 falls back on it where there is no PostgreSQL; lab 2's batches commit to it.
"""

import os
import tempfile
import threading
from collections.abc import Generator, Iterable
from concurrent.futures import Future
from contextlib import suppress
from time import perf_counter, sleep
from typing import NamedTuple

from tunables.base.arguments import integer, number, numbers
from tunables.lab.cleanup import guarded_folder, hold_back_signals, tidy
from tunables.lab.machine import LONGEST_S


class Point(NamedTuple):
    """Committers that commit again at once, for some seconds at one delay.

    flush_s is the mean time of the flushes of this very run, in which emulated_flush_s is an
    added sleep and not the device (0 where the device is all).
    """

    delay_s: float
    committers: int
    commits: int
    seconds: float
    commits_per_s: float
    commits_per_flush: float
    flush_s: float
    emulated_flush_s: float


def point(delay_s, committers, commits, seconds, flushes, flushing_s, emulated_flush_s=0.0):
    """Return the Point of a run; flushing_s is the total time of its flushes."""
    if commits == 0 or flushes == 0:
        raise RuntimeError(
            f"{commits} commits and {flushes} flushes in {seconds:.3g} s are "
            "too few: measure for longer"
        )
    return Point(
        delay_s,
        committers,
        commits,
        seconds,
        commits / seconds,
        commits / flushes,
        flushing_s / flushes,
        emulated_flush_s,
    )


def bracket(delays_s: Iterable[float]) -> list[float]:
    """Return the delays with a 0 before, between and after them.

    A device may be fast for a while and slow later: each point has a baseline beside it.
    Raises ValueError for no delay, or one that is negative.

    >>> bracket([0.001, 0.005])
    [0.0, 0.001, 0.0, 0.005, 0.0]
    """
    order = [0.0]
    for delay_s in numbers("delays_s", delays_s, at_least=0, at_most=LONGEST_S):
        order += [delay_s, 0.0]
    return order


_flush_to_device = getattr(os, "fdatasync", os.fsync)  # macOS and Windows have no fdatasync
RECORD = b"x" * 200


class LogClosed(Exception):
    """The log was closed before the commit was durable."""


class WriteAheadLog:
    """Commits that share flushes. The first that finds no flush under way leads one.

    A leader waits max_delay_s for company, writes all records in the buffer, and
    flushes. emulated_flush_s is an added sleep, for devices too fast to show the effect.

    Every commit draws a ticket, and a flush covers the tickets drawn before it took the buffer.
    A commit that comes during a flush is not covered and must wait for the next: to acknowledge
    every waiting commit when a flush ends would be a durability bug.
    """

    def __init__(self, file, max_delay_s=0.0, emulated_flush_s=0.0):
        self.file = file
        self.max_delay_s = max_delay_s
        self.emulated_flush_s = emulated_flush_s
        self.flushes = 0
        self.flushing_s = 0.0
        self._buffer: list[bytes] = []
        self._drawn = 0  # tickets
        self._durable = 0  # the last ticket that is on the device
        self._leading = False
        self._changed = threading.Condition()
        self._closing = threading.Event()

    def commit(self, record: bytes) -> int:
        """Return the record's ticket once it is on the device; raises Closed if it cannot be."""
        with self._changed:
            self._buffer.append(record)
            self._drawn += 1
            ticket = self._drawn
            while self._durable < ticket:
                if self._closing.is_set():
                    raise LogClosed
                if self._leading:
                    self._changed.wait()
                else:
                    self._lead()
        return ticket

    def _lead(self):
        """Wait for more commits and flush, without blocking those that arrive meanwhile."""
        self._leading = True
        self._changed.release()
        try:
            if self.max_delay_s > 0:
                self._closing.wait(self.max_delay_s)
            last = self._flush()
        except BaseException:
            self._closing.set()  # these records are lost: nothing after them may be acknowledged
            raise
        finally:
            self._changed.acquire()
            self._leading = False
            self._changed.notify_all()
        self._durable = last

    def _flush(self) -> int:
        """Write and flush the buffer; return the last ticket that this made durable."""
        with self._changed:
            records, self._buffer = self._buffer, []
            last = self._drawn
        self.file.write(b"".join(records))
        self.file.flush()  # to the operating system, which may still lose it
        start = perf_counter()
        _flush_to_device(self.file.fileno())
        if self.emulated_flush_s > 0:
            sleep(self.emulated_flush_s)
        self.flushing_s += perf_counter() - start
        self.flushes += 1
        return last

    def close(self):
        """Let every commit that waits, or comes later, raise Closed."""
        self._closing.set()
        with self._changed:
            self._changed.notify_all()


def _committer(log, start, counts, index, failed):
    start.wait()
    try:
        while True:
            log.commit(RECORD)
            counts[index] += 1
    except LogClosed:
        pass
    except Exception as error:  # it would be lost in a thread
        failed.set_exception(error)


def _measure(folder, delay_s, committers, seconds, emulated_flush_s) -> Point:
    with tempfile.TemporaryFile(dir=folder) as file:
        log = WriteAheadLog(file, delay_s, emulated_flush_s)
        counts = [0] * committers
        start = threading.Event()
        failed: Future = Future()
        threads = [
            threading.Thread(target=_committer, args=(log, start, counts, index, failed))
            for index in range(committers)
        ]
        try:
            with hold_back_signals():
                for thread in threads:
                    thread.start()
            began = perf_counter()
            start.set()
            with suppress(TimeoutError):  # the normal case: no committer has failed
                failed.result(seconds)
            measured = sum(counts), perf_counter() - began, log.flushes, log.flushing_s
        finally:
            with hold_back_signals():
                log.close()
                start.set()
                for thread in threads:
                    if thread.ident is not None:
                        thread.join()
        return point(delay_s, committers, *measured, emulated_flush_s)


def _sweep(order, committers, seconds, emulated_flush_s):
    with tidy() as stack:
        folder = stack.enter_context(guarded_folder("tunables-log-")).path
        for delay_s in order:
            yield _measure(folder, delay_s, committers, seconds, emulated_flush_s)


def sweep(
    delays_s: Iterable[float], committers=16, seconds=1.0, emulated_flush_s=0.0
) -> Generator[Point, None, None]:
    """Yield a Point of the write-ahead log for each delay, with one at 0 before and after it.

    These are 2 n + 1 points for n delays, of `seconds` each. emulated_flush_s is slept in every
    flush beside the real one; the points carry it, so that it is not mistaken for the device.

    Raises ValueError for no delays or negative ones, fewer than one or more than 200
    committers, or seconds that are not above 0.
    """
    order = bracket(delays_s)
    committers = integer("committers", committers, at_least=1, at_most=200)
    seconds = number("seconds", seconds, above=0, at_most=LONGEST_S)
    emulated_flush_s = number("emulated_flush_s", emulated_flush_s, 0, at_most=LONGEST_S)
    return _sweep(order, committers, seconds, emulated_flush_s)
