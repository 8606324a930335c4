"""Lab 1 on a real PostgreSQL where it is installed, and the sentence where it is not."""

import os
import signal
import time

import pytest

from tests.lab.interrupted import (
    after_first_line,
    assert_nothing_is_left,
    processes_that_name,
    public_folder,
)
from tunables.lab import postgres, postgres_server
from tunables.lab.child import _end, child, run
from tunables.lab.postgres import flush_time_s, missing, sweep
from tunables.lab.postgres_server import NotInstalled, find_programs, running_server

needs_postgres = pytest.mark.skipif(missing() != "", reason=missing())


@pytest.fixture
def folder(monkeypatch):
    """A temporary directory for everything that the server makes."""
    with public_folder() as path:
        monkeypatch.setattr("tempfile.tempdir", str(path))
        yield path


@pytest.fixture
def nowhere(monkeypatch, tmp_path):
    """A machine without PostgreSQL; return a folder to install one in."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(postgres_server, "_PLACES", (str(tmp_path / "postgresql/*/bin"),))
    return tmp_path


def install(folder, *programs):
    folder.mkdir(parents=True)
    for program in programs:
        (folder / program).write_text("#!/bin/sh\n")
        (folder / program).chmod(0o755)


def test_where_it_is_missing_a_sentence_names_the_package(nowhere):
    assert "Install the package postgresql (on Debian and Ubuntu: sudo apt install" in missing()
    with pytest.raises(NotInstalled, match="initdb, postgres, pgbench, psql, pg_test_fsync"):
        sweep([0.001])
    with pytest.raises(NotInstalled):
        flush_time_s()


def test_programs_off_the_path_are_found_the_newest_first(nowhere):
    for version in ("9.6", "15", "14"):
        install(nowhere / "postgresql" / version / "bin", *postgres_server.PROGRAMS)
    install(nowhere / "postgresql" / "17" / "bin", "initdb", "postgres")  # a part is missing
    assert find_programs() == nowhere / "postgresql" / "15" / "bin"


def test_programs_on_the_path_come_first(nowhere):
    install(nowhere / "bin", *postgres_server.PROGRAMS)
    install(nowhere / "postgresql" / "15" / "bin", *postgres_server.PROGRAMS)
    assert find_programs() == nowhere / "bin"


def test_a_program_that_fails_is_quoted():
    with pytest.raises(RuntimeError, match="sh failed: no such thing"):
        run(["/bin/sh", "-c", "echo no such thing >&2; exit 3"])
    with pytest.raises(RuntimeError, match="sh failed: no message"):
        run(["/bin/sh", "-c", "exit 3"])


def test_a_program_that_does_not_listen_is_ended_with_its_children(tmp_path):
    """A deaf shell and its child go when the block is left."""
    marker = tmp_path / "marker"
    script = f"trap '' INT QUIT; sleep 600 & touch {marker}; sleep 600; wait"
    with child(["/bin/sh", "-c", script]) as process:
        while not marker.exists():
            time.sleep(0.01)
        _end(process, patience_s=0.1)
        assert process.returncode == -signal.SIGKILL
    assert processes_that_name(marker) == []


def test_a_report_without_its_line_is_refused():
    with pytest.raises(RuntimeError, match="pgbench's report has no line that matches"):
        postgres._read_report(r"tps = ([\d.]+)", "nothing")


@needs_postgres
def test_a_delay_gathers_commits(folder):
    """16 committers: without a delay they cannot all share a flush, with one they nearly do."""
    before, delayed, after = sweep([0.02], committers=16, seconds=1)
    assert [point.delay_s for point in (before, delayed, after)] == [0, 0.02, 0]
    assert delayed.commits_per_flush > 1.3 * max(before.commits_per_flush, after.commits_per_flush)
    assert 1 <= before.commits_per_flush <= 16
    assert delayed.commits_per_flush <= 16
    assert delayed.commits_per_s <= 16 / 0.02  # N / (D + F) with F above 0
    assert all(point.flush_s > 0 == point.emulated_flush_s for point in (before, delayed, after))
    assert list(folder.iterdir()) == []


@needs_postgres
def test_every_commit_that_is_counted_left_its_row(folder):
    with running_server(**postgres._SETTINGS) as server:
        server.query("CREATE TABLE commits (at timestamptz)")
        (server.folder / "commit.sql").write_text("INSERT INTO commits VALUES (now());\n")
        point = postgres._measure(server, 0.001, 2, 1)
        assert server.query("SELECT count(*) FROM commits") == [str(point.commits)]
        assert server.query("SHOW commit_siblings") == ["1"]
    assert list(folder.iterdir()) == []


@needs_postgres
def test_a_server_that_does_not_start_says_why_and_leaves_nothing(folder):
    with pytest.raises(RuntimeError, match=r'did not start: .*"shared_buffers": "lots"'):
        running_server(shared_buffers="lots").__enter__()
    assert list(folder.iterdir()) == []
    assert processes_that_name(folder) == []


@needs_postgres
def test_flush_time(folder):
    assert 0 < flush_time_s() < 1
    assert list(folder.iterdir()) == []


@needs_postgres
def test_closing_half_way_leaves_nothing(folder):
    points = sweep([0.001], committers=2, seconds=1)
    assert list(folder.iterdir()) == []  # nothing is made before the first point
    next(points)
    assert len(processes_that_name(folder)) > 0 or not os.path.exists("/proc")
    points.close()
    assert list(folder.iterdir()) == []
    assert processes_that_name(folder) == []


LONG_SWEEP = """
from tunables.lab.postgres import sweep
print("begins", flush=True)
for point in sweep([0.001] * 50, committers=4, seconds=1):
    print(point, flush=True)
"""


def within_initdb(folder, process):
    after_first_line(folder, process)
    while not list(folder.glob("tunables-pg-*/data/base")):
        time.sleep(0.01)


def within_the_second_point(folder, process):
    after_first_line(folder, process)
    after_first_line(folder, process)
    time.sleep(0.4)


FLUSH_TIME = """
from tunables.lab.postgres import flush_time_s
print("begins", flush=True)
flush_time_s()
"""


def within_the_flushes(folder, process):
    after_first_line(folder, process)
    while not list(folder.glob("tunables-pg-*/file")):
        time.sleep(0.01)


@needs_postgres
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_signal_as_flushes_are_timed_leaves_nothing(number):
    assert_nothing_is_left(FLUSH_TIME, number, within_the_flushes)


@needs_postgres
@pytest.mark.parametrize("ready", [within_initdb, within_the_second_point])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_signal_half_way_leaves_nothing(number, ready):
    assert_nothing_is_left(LONG_SWEEP, number, ready)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"delays_s": []}, "delays_s"),
        ({"delays_s": [0.001, 0.2]}, r"delays_s\[1\] = 0.2: .* at most 0.1"),
        ({"delays_s": [-0.001]}, r"delays_s\[0\] = -0.001"),
        ({"delays_s": [0.001], "committers": 91}, "committers = 91"),
        ({"delays_s": [0.001], "committers": 0}, "committers = 0"),
        ({"delays_s": [0.001], "seconds": 0.5}, "seconds = 0.5"),
    ],
)
def test_bad_input_is_refused_at_the_call(arguments, message):
    with pytest.raises(ValueError, match=message):
        sweep(**arguments)
