"""What is killed from outside: PostgreSQL as it is measured, and a lab with its guard."""

import os
import random
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.measure.interrupted import (
    LIMIT_S,
    after_first_line,
    left_behind,
    processes_that_name,
    public_folder,
    started,
    those_that_name,
)
from tunables.measure.cleanup import guarded_folder
from tunables.measure.postgres import missing

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks processes up as on Linux")
needs_postgres = pytest.mark.skipif(missing() != "", reason=missing())
OLD_S = 3600
SWEEP = """
from tunables.measure.postgres import sweep
for point in sweep([0.001] * 50, committers=4, seconds=1):
    print(point, flush=True)
"""


def servers_processes(folder):
    """Return the postmaster in the folder, and the processes of its clients."""
    (path,) = folder.glob("tunables-pg-*/data/postmaster.pid")
    master = int(path.read_text().splitlines()[0])
    children = Path(f"/proc/{master}/task/{master}/children").read_text().split()
    clients = []
    for number in map(int, children):
        with suppress(OSError):  # it has just ended
            if b"[local]" in Path(f"/proc/{number}/cmdline").read_bytes():
                clients.append(number)
    return master, clients


def clients_of(folder):
    """Return the processes of clients as soon as there are some."""
    give_up = time.monotonic() + LIMIT_S
    while time.monotonic() < give_up:
        if clients := servers_processes(folder)[1]:
            return clients
    raise AssertionError("nobody is connected to the server")


def last_line(folder, victim_of):
    """Kill what victim_of finds once a point is measured; return what the lab then says."""
    with started(SWEEP, folder) as process:
        after_first_line(folder, process)
        os.kill(victim_of(folder), signal.SIGKILL)
        _, errors = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 1, errors
    assert left_behind(folder, process) == []
    return errors.strip().splitlines()[-1]


@needs_postgres
def test_a_server_that_is_killed_is_told_and_its_shared_memory_released():
    with public_folder() as folder:
        said = last_line(folder, lambda folder: servers_processes(folder)[0])
    assert "PostgreSQL was killed (by SIGKILL)" in said
    assert said.endswith("Run the cell again.")


@needs_postgres
@pytest.mark.long
def test_a_process_of_the_server_that_is_killed_is_told():
    with public_folder() as folder:
        said = last_line(folder, lambda folder: clients_of(folder)[0])
    assert "PostgreSQL failed as it was measured" in said
    assert "terminated by signal 9" in said
    assert said.endswith("Run the cell again.")


@needs_postgres
@pytest.mark.long
@pytest.mark.parametrize("seed", range(12))
def test_a_server_that_is_killed_at_any_moment(seed):
    def later(folder):
        end = time.monotonic() + random.Random(seed).uniform(0, 2.5)
        while time.monotonic() < end:
            time.sleep(0.01)
        return servers_processes(folder)[0]

    with public_folder() as folder:
        assert "PostgreSQL was killed (by SIGKILL)" in last_line(folder, later)


WITH_ITS_GUARD = """
import signal
from tunables.measure.cleanup import guarded_folder
with guarded_folder("tunables-log-") as folder:
    (folder.path / "file").write_text("data")
    print("ready", flush=True)
    signal.pause()
"""


def guard_of(folder):
    """Return the guard's process; Linux shows its words a moment after the start."""
    give_up = time.monotonic() + LIMIT_S
    while time.monotonic() < give_up:
        for number, words in those_that_name(folder):
            if b"guard.py" in words:
                return number
    raise AssertionError("the folder has no guard")


def kill_with_its_guard(program, folder):
    """Kill a lab and its guard once it has printed a line; return the process that was the lab."""
    with started(program, folder) as process:
        after_first_line(folder, process)
        for number in (guard_of(folder), process.pid):
            os.kill(number, signal.SIGKILL)
    return process


def sweep_as_an_hour_later(folder, monkeypatch):
    """Run a lab when the folders that are there have been so for an hour."""
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    for path in folder.iterdir():
        os.utime(path, (time.time() - OLD_S,) * 2)
    with guarded_folder("tunables-log-"):
        pass


def test_the_next_lab_removes_what_one_left_that_was_killed_with_its_guard(monkeypatch):
    with public_folder() as folder:
        process = kill_with_its_guard(WITH_ITS_GUARD, folder)
        assert [path.name for path in folder.glob("*/*")] == ["file"]
        sweep_as_an_hour_later(folder, monkeypatch)
        assert left_behind(folder, process) == []


def test_the_next_lab_leaves_those_that_run_and_what_is_no_labs_alone(monkeypatch):
    with public_folder() as folder:
        for name in ("tunables-work", "tunables-log-0123", "other"):
            (folder / name).mkdir()
        with started(WITH_ITS_GUARD, folder) as process:
            after_first_line(folder, process)
            before = sorted(folder.iterdir())
            assert len(before) == 4
            sweep_as_an_hour_later(folder, monkeypatch)
            assert sorted(folder.iterdir()) == before
            assert len(list(folder.glob("*/file"))) == 1


@needs_postgres
@pytest.mark.long
def test_a_server_without_its_lab_and_its_guard_ends_once_its_folder_is_swept(monkeypatch):
    with public_folder() as folder:
        process = kill_with_its_guard(SWEEP, folder)
        assert processes_that_name(folder) != []
        sweep_as_an_hour_later(folder, monkeypatch)
        assert list(folder.iterdir()) == []
        give_up = time.monotonic() + LIMIT_S
        while left_behind(folder, process) and time.monotonic() < give_up:
            time.sleep(0.1)
        assert left_behind(folder, process) == []
