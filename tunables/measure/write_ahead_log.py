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

from tunables.measure.cleanup import guarded_folder, held_back, tidy
from tunables.measure.group_commit import Point, bracketed, point
from tunables.measure.limits import LONGEST_S
from tunables.plain.arguments import number, whole

_flush_to_device = getattr(os, "fdatasync", os.fsync)  # macOS and Windows have no fdatasync
RECORD = b"x" * 200


class Closed(Exception):
    """The log was closed before the commit was durable."""


class WriteAheadLog:
    """Commits that share flushes. The first that finds no flush under way leads one.

    A leader waits max_delay_s for company, writes all records that stand in the buffer, and
    flushes. emulated_flush_s is an added sleep, for devices too fast to show the effect.

    Every commit draws a ticket, and a flush covers the tickets drawn before it took the buffer.
    Who comes while it is under way is not covered and must wait for the next: to acknowledge
    everyone who waits when a flush ends would be a durability bug.
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
                    raise Closed
                if self._leading:
                    self._changed.wait()
                else:
                    self._lead()
        return ticket

    def _lead(self):
        """Wait for company and flush, without holding back who arrives meanwhile."""
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
    except Closed:
        pass
    except Exception as error:  # which would be lost in a thread
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
            with held_back():
                for thread in threads:
                    thread.start()
            began = perf_counter()
            start.set()
            with suppress(TimeoutError):  # as it should be: nobody has failed
                failed.result(seconds)
            measured = sum(counts), perf_counter() - began, log.flushes, log.flushing_s
        finally:
            with held_back():
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
    flush beside the real one; the points carry it, so that nobody takes it for the device.

    Raises ValueError for no delays or negative ones, fewer than one or more than 200
    committers, or seconds that are not above 0.
    """
    order = bracketed(delays_s)
    committers = whole("committers", committers, at_least=1, at_most=200)
    seconds = number("seconds", seconds, above=0, at_most=LONGEST_S)
    emulated_flush_s = number("emulated_flush_s", emulated_flush_s, 0, at_most=LONGEST_S)
    return _sweep(order, committers, seconds, emulated_flush_s)
