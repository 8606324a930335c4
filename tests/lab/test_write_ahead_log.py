"""The write-ahead log: durability first, then how many commits share a flush."""

import os
import signal
import threading
import time
from contextlib import suppress

import pytest

from tests.lab.interrupted import assert_nothing_is_left
from tunables.lab import write_ahead_log
from tunables.lab.write_ahead_log import LogClosed, WriteAheadLog, bracket, point, sweep

RECORD = b"record.\n"


class Acknowledging(WriteAheadLog):
    """The durability bug: a flush acknowledges every commit that waits when it ends."""

    def _flush(self):
        super()._flush()
        return self._drawn


@pytest.fixture
def device(monkeypatch):
    """Slow down the device, and note how many bytes of the file each flush made durable."""
    durable = [0]

    def flush(number):
        covered = os.fstat(number).st_size  # what is written when the flush begins
        time.sleep(0.005)
        durable[0] = covered

    monkeypatch.setattr(write_ahead_log, "_flush_to_device", flush)
    return durable


def commits_before_durable(log_class, device, path, delay_s):
    """Commit from 8 threads; return how many were acknowledged before they were durable."""
    early = []

    def work(log):
        for _ in range(15):
            ticket = log.commit(RECORD)
            early.append(ticket * len(RECORD) > device[0])

    with path.open("wb") as file:
        log = log_class(file, delay_s)
        threads = [threading.Thread(target=work, args=(log,)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(early) == 120
    return sum(early)


@pytest.mark.parametrize("delay_s", [0.0, 0.002])
def test_no_commit_is_acknowledged_before_it_is_durable(device, tmp_path, delay_s):
    assert commits_before_durable(WriteAheadLog, device, tmp_path / "log", delay_s) == 0
    assert (tmp_path / "log").read_bytes() == RECORD * 120  # each once, none torn


def test_the_test_above_catches_the_durability_bug(device, tmp_path):
    assert commits_before_durable(Acknowledging, device, tmp_path / "log", 0.0) > 0


def test_tickets_follow_the_order_of_the_file(tmp_path):
    with (tmp_path / "log").open("wb") as file:
        log = WriteAheadLog(file)
        assert [log.commit(b"a"), log.commit(b"b"), log.commit(b"c")] == [1, 2, 3]
    assert (tmp_path / "log").read_bytes() == b"abc"


def test_after_a_failed_flush_nothing_is_acknowledged(monkeypatch, tmp_path):
    def fail(number):
        raise OSError("no device")

    with (tmp_path / "log").open("wb") as file:
        log = WriteAheadLog(file)
        log.commit(RECORD)
        monkeypatch.setattr(write_ahead_log, "_flush_to_device", fail)
        with pytest.raises(OSError, match="no device"):
            log.commit(RECORD)
        monkeypatch.undo()
        with pytest.raises(LogClosed):
            log.commit(RECORD)


def test_close_wakes_the_leader_and_the_waiting_commits(tmp_path):
    outcomes = []

    def work(log):
        with suppress(LogClosed):
            outcomes.append(log.commit(RECORD))

    with (tmp_path / "log").open("wb") as file:
        log = WriteAheadLog(file, max_delay_s=600)
        threads = [threading.Thread(target=work, args=(log,)) for _ in range(3)]
        for thread in threads:
            thread.start()
        log.close()
        for thread in threads:
            thread.join(timeout=30)
        assert not any(thread.is_alive() for thread in threads)
    assert (tmp_path / "log").read_bytes() >= RECORD * len(outcomes)


def test_two_cohorts_without_a_delay_and_one_with():
    """N/2 commits per flush at D = 0, N at D > 0; in counts, whatever the machine's speed."""
    before, delayed, after = sweep([0.02], committers=8, seconds=0.5, emulated_flush_s=0.02)
    for baseline in (before, after):
        assert 3 < baseline.commits_per_flush < 6.5
    assert 6.5 < delayed.commits_per_flush <= 8
    assert [p.delay_s for p in (before, delayed, after)] == [0, 0.02, 0]
    assert all(p.emulated_flush_s == 0.02 <= p.flush_s for p in (before, delayed, after))


def test_closing_half_way_leaves_no_file_and_no_thread(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    threads = threading.active_count()
    points = sweep([0.001] * 5, committers=4, seconds=0.05)
    assert list(tmp_path.iterdir()) == []
    next(points)
    assert len(list(tmp_path.glob("tunables-log-*"))) == 1
    points.close()
    assert list(tmp_path.iterdir()) == []
    assert threading.active_count() == threads


LONG_SWEEP = """
from tunables.lab.write_ahead_log import sweep
for point in sweep([0.001] * 500, committers=8, seconds=0.2):
    print(point, flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals as POSIX has them")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_signal_half_way_leaves_nothing(number):
    assert_nothing_is_left(LONG_SWEEP, number)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"delays_s": []}, "delays_s"),
        ({"delays_s": [-1]}, r"delays_s\[0\] = -1"),
        ({"delays_s": [0.1], "committers": 0}, "committers = 0"),
        ({"delays_s": [0.1], "committers": 201}, "committers = 201"),
        ({"delays_s": [0.1], "seconds": 0}, "seconds = 0"),
        ({"delays_s": [0.1], "emulated_flush_s": -1}, "emulated_flush_s = -1"),
    ],
)
def test_bad_input_is_refused_at_the_call(arguments, message):
    with pytest.raises(ValueError, match=message):
        sweep(**arguments)


def test_point_counts():
    measured = point(0.001, 16, 1000, 2.0, 100, 0.5, emulated_flush_s=0.004)
    assert measured.commits_per_s == 500
    assert measured.commits_per_flush == 10
    assert measured.flush_s == 0.005
    assert measured.emulated_flush_s == 0.004


@pytest.mark.parametrize(("commits", "flushes"), [(0, 5), (5, 0)])
def test_a_run_without_commits_or_flushes_is_no_point(commits, flushes):
    with pytest.raises(RuntimeError, match="too few: measure for longer"):
        point(0.0, 1, commits, 0.01, flushes, 0.0)


def test_every_delay_has_a_baseline_on_both_sides():
    order = bracket([0.001, 0.005, 0.025])
    assert order == [0, 0.001, 0, 0.005, 0, 0.025, 0]


@pytest.mark.parametrize(
    ("delays_s", "message"),
    [
        ([], r"delays_s = \[\]: must be a non-empty"),
        ([0.001, -0.001], r"delays_s\[1\] = -0.001"),
        ([float("nan")], r"delays_s\[0\] = nan"),
        ("0.001", "delays_s = '0.001'"),
    ],
)
def test_bad_delays(delays_s, message):
    with pytest.raises(ValueError, match=message):
        bracket(delays_s)
