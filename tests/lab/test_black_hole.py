"""The published experiment in small: real timeouts, real flushes, a fraction of a second."""

import os
import signal
import threading
import time
from typing import Any

import pytest

from tests.lab.interrupted import assert_nothing_is_left
from tunables.lab import black_hole, write_ahead_log
from tunables.lab.black_hole import Batch, BatchSetting, run, summary

QUICK = BatchSetting(max_delay_s=0.01, timeout_s=0.03, retries=1, batches=20)


def quick(**changes: Any) -> BatchSetting:
    return QUICK._replace(**changes)


def test_every_batch_waits_for_all_its_time_outs_and_flushes():
    """Lower bounds that no machine can undercut: (r + 1) T and, alone at the flusher, 2 D."""
    batches = list(run([QUICK, quick(retries=3, batches=5)], clients=1))
    assert [batch.setting for batch in batches] == [0] * 20 + [1] * 5
    assert min(batch.response_s for batch in batches[:20]) >= 2 * 0.03 + 2 * 0.01 - 0.001
    assert min(batch.response_s for batch in batches[20:]) >= 4 * 0.03 + 2 * 0.01 - 0.001
    assert batches[19].finished_s >= sum(batch.response_s for batch in batches[:20]) - 1e-9


def test_clients_share_the_batches_and_wait_side_by_side():
    batches = list(run([quick(timeout_s=0.2, batches=12)], clients=6))
    assert len(batches) == 12
    busy_s = sum(batch.response_s for batch in batches)
    assert busy_s > 3 * max(batch.finished_s for batch in batches)  # six at a time, not one


def test_a_pool_limits_how_many_batches_run_at_once():
    """Each holds a thread for at least 0.06 s: 8 batches on 2 threads take at least 0.24 s."""
    batches = list(run([quick(batches=8)], clients=8, threads=2))
    assert max(batch.finished_s for batch in batches) >= 4 * 0.06 - 0.001


def test_batches_share_flushes(monkeypatch):
    flushes = []
    flush = write_ahead_log._flush_to_device

    def count_flush(number):
        flushes.append(number)
        flush(number)

    monkeypatch.setattr(write_ahead_log, "_flush_to_device", count_flush)
    list(run([quick(max_delay_s=0.2, batches=10)], clients=10))
    assert 2 <= len(flushes) < 10  # 20 commits, ten of them at about the same time


def test_a_hole_that_answers_ends_the_query(monkeypatch):
    """The timeouts come from the silence: an answer, here to the first datagram, ends them."""

    class Answering(black_hole._World):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            threading.Thread(target=self.answer).start()

        def answer(self):
            _, client = self.black_hole.recvfrom(100)
            self.black_hole.sendto(b"here", client)

    monkeypatch.setattr(black_hole, "_World", Answering)
    setting = BatchSetting(max_delay_s=0, timeout_s=30, retries=3, batches=1)
    (batch,) = run([setting], clients=1)
    assert batch.response_s < 30


def test_an_error_in_a_client_reaches_the_caller(monkeypatch):
    def fail(world, sock):
        raise OSError("no network")

    monkeypatch.setattr(black_hole, "_lease_query", fail)
    with pytest.raises(OSError, match="no network"):
        list(run([QUICK], clients=3))


def test_seeds_draw_the_emulated_work():
    setting = BatchSetting(max_delay_s=0, timeout_s=0.001, retries=0, batches=1)
    times = [
        next(iter(run([setting], clients=1, emulated_work_s=0.2, seed=seed))).response_s
        for seed in (1, 2, 3)
    ]
    assert max(times) > 1.2 * min(times)


def test_summary_counts_as_the_document_does():
    batches = [Batch(0, 2.0, 2.0), Batch(0, 4.0, 3.0), Batch(1, 1.0, 1.0)]
    assert summary(batches) == (2, 0.5, 2.5)
    assert summary(batches, 1) == (1, 1.0, 1.0)
    with pytest.raises(ValueError, match="setting = 2: must be a setting with finished batches"):
        summary(batches, 2)


def test_closing_half_way_ends_all_threads_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    threads = threading.active_count()
    results = run([QUICK, BatchSetting(60, 60, 3, 50)], clients=20, threads=10)
    for _ in range(20):
        next(results)  # the next batch would take minutes
    start = time.monotonic()
    results.close()
    assert threading.active_count() == threads
    assert time.monotonic() - start < 30  # not a timeout of 60 s
    assert list(tmp_path.iterdir()) == []


LONG_RUN = """
from tunables.lab.black_hole import BatchSetting
from tunables.lab.black_hole import run
settings = [BatchSetting(0.01, 0.05, 1, 20), BatchSetting(60, 60, 3, 50)]
for batch in run(settings, clients=20, threads=10):
    print(batch, flush=True)
"""


def within_the_second_setting(folder, process):
    """Return while clients sit in a timeout of a minute."""
    for _ in range(20):
        assert process.stdout.readline() != ""
    time.sleep(0.2)


@pytest.mark.skipif(os.name == "nt", reason="signals as POSIX has them")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_signal_half_way_leaves_nothing(number):
    assert_nothing_is_left(LONG_RUN, number, within_the_second_setting)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"settings": [quick(max_delay_s=-1)]}, r"settings\[0\].max_delay_s = -1"),
        ({"settings": [QUICK, quick(timeout_s=0)]}, r"settings\[1\].timeout_s = 0"),
        ({"settings": [quick(retries=0.5)]}, r"settings\[0\].retries = 0.5"),
        ({"settings": [quick(batches=0)]}, r"settings\[0\].batches = 0"),
        ({"settings": [(1, 2)]}, r"settings\[0\] = \(1, 2\)"),
        ({"settings": []}, r"settings = \[\]"),
        ({"settings": [QUICK], "clients": 0}, "clients = 0"),
        ({"settings": [QUICK], "clients": 201}, "clients = 201"),
        ({"settings": [QUICK], "threads": -1}, "threads = -1"),
        ({"settings": [QUICK], "commits": 1.5}, "commits = 1.5"),
        ({"settings": [QUICK], "emulated_work_s": -1}, "emulated_work_s = -1"),
        ({"settings": [QUICK], "emulated_think_s": float("nan")}, "emulated_think_s = nan"),
        ({"settings": [QUICK], "seed": -1}, "seed = -1"),
    ],
)
def test_bad_input_is_refused_at_the_call(arguments, message):
    with pytest.raises(ValueError, match=message):
        run(**arguments)
