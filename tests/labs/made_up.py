"""Measurements that no machine made: what a lab's cells are given in a test of their words."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager

import pytest

from tests.chapters.notebooks import ROOT, cells
from tunables.lab import (
    black_hole,
    event_loop,
    leaves,
    logical_replication,
    postgres,
    sqlite_replica,
    user_port,
    verdict,
    write_ahead_log,
)
from tunables.lab.black_hole import Batch
from tunables.lab.event_loop import Observation
from tunables.lab.logical_replication import InsertRun, ReplicationRun
from tunables.lab.user_port import PortMeasurement
from tunables.lab.verdict import Load
from tunables.lab.write_ahead_log import bracket, point

BUSY = Load(processors=2, seconds=10.0, others=1.5)


def run_cells(name: str) -> dict:
    """Run a lab's cells of code, one after the other; return the names that they have made."""
    names: dict = {}
    for cell in cells(next((ROOT / "labs").glob(f"{name}-*.ipynb")), "code"):
        exec(cell["source"], names)
    return names


@contextmanager
def watch_nothing() -> Generator[Load, None, None]:
    yield BUSY


def commits(delays_s, committers=16, **_) -> Iterator:
    """Half as many commits as the law has, three a flush, whatever the delay."""
    for delay_s in bracket(delays_s):
        flush_s = 0.006
        rate = committers / (delay_s + flush_s) / 2
        yield point(delay_s, committers, int(rate), 1.0, int(rate / 3), rate / 3 * flush_s)


def batches(settings, clients, threads=0, **_) -> Iterator[Batch]:
    """Batches that take twice as long as their timeouts and their flushes, and wait in a pool."""
    for index, setting in enumerate(settings):
        attempts_s = (setting.retries + 1) * setting.timeout_s
        response_s = 2 * (attempts_s + 2 * setting.max_delay_s) * (2 if threads else 1)
        for done in range(setting.batches):
            yield Batch(index, (1 + done // clients) * 2 * response_s, response_s)


def answers(cases, **_) -> Iterator[PortMeasurement]:
    """Ports whose users all wait for the same 60 ms; where large ones are, for nothing."""
    for port, classes in cases:
        yield PortMeasurement(port, classes, [[0.06] if users.think_s else [] for users in classes])


def streams(
    rtts_s, window_bytes=65_536, codecs=("raw", "zlib-1"), applies=sqlite_replica.APPLIES, **_
) -> Iterator[sqlite_replica.ReplicationMeasurement]:
    """Streams as slow as half a window a round trip, which compression hardly helps."""
    for rtt_s in rtts_s:
        for codec in codecs:
            record_bytes = 200.0 if codec == "raw" else 190.0
            rate = 0.5 * 65_536 / max(rtt_s, 0.001) / record_bytes
            for apply in applies:
                yield sqlite_replica.ReplicationMeasurement(
                    rtt_s, window_bytes, codec, apply, 100, 1.0, rate, record_bytes
                )


def rows(rtts_s, window_bytes, _seconds) -> Iterator[ReplicationRun]:
    """A database that comes to half of its window."""
    for rtt_s in rtts_s:
        yield ReplicationRun(rtt_s, window_bytes, 100, 1.0, 0.5 * window_bytes / rtt_s / 180, 180.0)


def statements(rtts_s) -> Iterator[InsertRun]:
    """SQL that gains ten times from a thousand rows a statement."""
    for rtt_s in rtts_s:
        for count in (1, 1000):
            yield InsertRun(rtt_s, 65_536, count, count, 1.0, 5.0 if count == 1 else 50.0)


def requests(stalls, _setting, _delay_s=0.0) -> Iterator[leaves.Answer]:
    """Requests that all take a second, though nobody asks twice."""
    for _ in stalls:
        yield leaves.Answer(1.0, 0)


def drains(settings, items=300_000, repeats=2, **_) -> Iterator[Observation]:
    """Slices as long as asked for, and timers that are 100 ms late whatever the slice."""
    for _repeat in range(repeats):
        for setting in settings:
            slice_s = 1.01 * (setting.quantum_s or 1.0)
            count = 1 if setting.quantum_s is None else 2
            cycles = [8192 * 30, items - 8192 * 30] if count == 2 else [items]
            yield Observation(setting, 1.0, [0.1] * 9, [slice_s] * count, cycles, [1] * count)


@pytest.fixture
def busy(monkeypatch):
    """A machine on which each measurement of the labs misses its law, and which tells why."""
    monkeypatch.setattr(verdict, "watch_load", watch_nothing)
    monkeypatch.setattr(postgres, "missing", lambda: "")
    monkeypatch.setattr(postgres, "flush_time_s", lambda: 0.006)
    for system in (postgres, write_ahead_log):
        monkeypatch.setattr(system, "sweep", commits)
    monkeypatch.setattr(black_hole, "run", batches)
    monkeypatch.setattr(leaves, "run", requests)
    monkeypatch.setattr(user_port, "sweep", answers)
    monkeypatch.setattr(
        user_port, "measure", lambda port, classes, **_: next(answers([(port, classes)]))
    )
    monkeypatch.setattr(sqlite_replica, "sweep", streams)
    monkeypatch.setattr(logical_replication, "sweep", rows)
    monkeypatch.setattr(logical_replication, "remote", statements)
    monkeypatch.setattr(event_loop, "measure_event_loop", drains)
