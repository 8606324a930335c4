import math
import signal
import threading
from time import sleep

import pytest

from tests.lab.interrupted import after_first_line, assert_nothing_is_left, public_folder
from tunables.lab.logical_replication import remote, sweep
from tunables.lab.postgres_server import NotInstalled, find_programs

try:
    find_programs()
except NotInstalled as reason:
    pytestmark = pytest.mark.skip(reason=str(reason))


@pytest.fixture
def folder():
    with public_folder() as folder:
        yield folder


def by_the_window(measured):
    return measured.window_bytes / measured.rtt_s / measured.bytes_per_row


def test_replication_runs_at_one_window_a_round_trip(folder, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    threads = threading.active_count()
    for measured in sweep([0.05, 0.1], 32_768, seconds=1):
        # The window is an upper bound; a busy machine stays below it, by no more than this.
        assert 0.3 < measured.rows_per_s / by_the_window(measured) < 1.2
        assert 150 < measured.bytes_per_row < 250
        assert measured.rows / measured.seconds == pytest.approx(measured.rows_per_s)
    assert list(folder.iterdir()) == []
    assert threading.active_count() == threads


def test_sql_from_far_away_takes_a_round_trip_a_statement(folder, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    one, hundred = remote([0.05], [1, 100], statements=6)
    assert (one.rows, hundred.rows) == (5, 500)
    assert one.rows_per_s <= 1 / 0.05
    assert one.rows_per_s > 0.3 / 0.05
    assert hundred.rows_per_s > 20 * one.rows_per_s
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("name", ["it's", "a b", "a\\b"])
def test_a_folder_whose_name_holds_a_quote_or_a_backslash_is_found(folder, monkeypatch, name):
    odd = folder / name
    odd.mkdir(mode=0o755)
    monkeypatch.setattr("tempfile.tempdir", str(odd))
    (measured,) = sweep([0.02], 32_768, seconds=0.2)
    assert measured.rows_per_s > 0
    assert list(odd.iterdir()) == []


LONG_SWEEP = """
from tunables.lab.logical_replication import sweep
for measured in sweep([0.01] * 10_000, seconds=0.1):
    print("one", flush=True)
"""


def both_servers_run(folder, process):
    while len(list(folder.glob("*/data/postmaster.pid"))) < 2:
        assert process.poll() is None
        sleep(0.01)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("ready", [both_servers_run, after_first_line])
def test_a_signal_half_way_leaves_no_server_socket_or_folder(ready, number):
    assert_nothing_is_left(LONG_SWEEP, number, ready)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sweep([0.1, 0]), r"rtts_s\[1\] = 0: must be a finite number at least 0.001"),
        (lambda: sweep([math.inf]), r"rtts_s\[0\] = inf"),
        (lambda: sweep([0.1], window_bytes=4096), "window_bytes = 4096"),
        (lambda: sweep([0.1], seconds=0), "seconds = 0"),
        (lambda: sweep([0.1], seconds=16), "seconds = 16"),
        (lambda: remote([2]), r"rtts_s\[0\] = 2"),
        (lambda: remote([0.1], [1, 0]), r"rows_per_statement\[1\] = 0"),
        (lambda: remote([0.1], window_bytes=1.5), "window_bytes = 1.5"),
        (lambda: remote([0.1], statements=1), "statements = 1"),
    ],
)
def test_bad_arguments_are_refused_before_anything_starts(call, message):
    with pytest.raises(ValueError, match=message):
        call()
