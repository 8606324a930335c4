"""Processes killed from outside: PostgreSQL while it is measured, and a lab with its guard."""

import ctypes
import os
import random
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.lab.interrupted import (
    LIMIT_S,
    after_first_line,
    left_behind,
    processes_that_name,
    public_folder,
    start_program,
    those_that_name,
)
from tunables.lab import guard
from tunables.lab.cleanup import guarded_folder
from tunables.lab.postgres import missing

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks processes up as on Linux")
needs_postgres = pytest.mark.skipif(missing() != "", reason=missing())
OLD_S = 3600
SWEEP = """
from tunables.lab.postgres import sweep
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
    with start_program(SWEEP, folder) as process:
        after_first_line(folder, process)
        os.kill(victim_of(folder), signal.SIGKILL)
        _, errors = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 1, errors
    assert left_behind(folder, process) == []
    return errors.strip().splitlines()[-1]


@needs_postgres
def test_a_killed_server_is_reported_and_its_shared_memory_released():
    with public_folder() as folder:
        said = last_line(folder, lambda folder: servers_processes(folder)[0])
    assert "PostgreSQL was killed (by SIGKILL)" in said
    assert said.endswith("Run the cell again.")


@needs_postgres
@pytest.mark.long
def test_a_killed_process_of_the_server_is_reported():
    with public_folder() as folder:
        said = last_line(folder, lambda folder: clients_of(folder)[0])
    assert "PostgreSQL failed while it was being measured" in said
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
from tunables.lab.cleanup import guarded_folder
with guarded_folder("tunables-log-") as folder:
    (folder.path / "file").write_text("data")
    print("ready", flush=True)
    signal.pause()
"""


def guard_of(folder):
    """Return the guard's process; Linux shows its arguments a moment after the start."""
    give_up = time.monotonic() + LIMIT_S
    while time.monotonic() < give_up:
        for number, words in those_that_name(folder):
            if b"guard.py" in words:
                return number
    raise AssertionError("the folder has no guard")


def kill_with_its_guard(program, folder):
    """Kill a lab and its guard once it has printed a line; return the process that was the lab."""
    with start_program(program, folder) as process:
        after_first_line(folder, process)
        for number in (guard_of(folder), process.pid):
            os.kill(number, signal.SIGKILL)
    return process


def records_of(folder):
    """Return where the labs of who runs this note the folders that they made in a folder."""
    return folder / f"tunables-{os.geteuid()}"


def sweep_as_an_hour_later(folder, monkeypatch):
    """Run a lab when the folders that are there have been so for an hour."""
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    for path in [*folder.iterdir(), *records_of(folder).glob("*")]:
        os.utime(path, (time.time() - OLD_S,) * 2, follow_symlinks=False)
    with guarded_folder("tunables-log-"):
        pass


def test_the_next_lab_removes_what_one_left_that_was_killed_with_its_guard(monkeypatch):
    with public_folder() as folder:
        process = kill_with_its_guard(WITH_ITS_GUARD, folder)
        assert [path.name for path in folder.glob("tunables-log-*/*")] == ["file"]
        sweep_as_an_hour_later(folder, monkeypatch)
        assert left_behind(folder, process) == []


def test_the_next_lab_leaves_those_that_run_and_what_is_no_labs_alone(monkeypatch):
    with public_folder() as folder:
        for name in ("tunables-work", "tunables-log-0123", "other"):
            (folder / name).mkdir()
        with start_program(WITH_ITS_GUARD, folder) as process:
            after_first_line(folder, process)
            before = sorted(folder.iterdir())
            assert len(before) == 5
            sweep_as_an_hour_later(folder, monkeypatch)
            assert sorted(folder.iterdir()) == before
            assert len(list(folder.glob("*/file"))) == 1


NAME = "tunables-pg-0123456789abcdef"


def plant_folder(folder):
    """Return a folder that is named like a lab's, which no lab has made."""
    path = folder / NAME
    (path / "data").mkdir(parents=True)
    return path


def test_a_folder_that_no_lab_has_made_is_left_alone_whatever_its_name(monkeypatch):
    with public_folder() as folder:
        (plant_folder(folder) / "data" / "file").write_text("not a lab's")
        sweep_as_an_hour_later(folder, monkeypatch)
        assert (folder / NAME / "data" / "file").exists()


def put_on_record(made, places_on=0):
    """Write a record of a folder, or of one with another inode, among those of who runs this."""
    found = made.lstat()
    records_of(made.parent).mkdir(mode=0o700)
    record = records_of(made.parent) / made.name
    record.write_text(f"{found.st_dev} {found.st_ino + places_on}")


def test_a_folder_on_record_is_removed(monkeypatch):
    with public_folder() as folder:
        put_on_record(plant_folder(folder))
        sweep_as_an_hour_later(folder, monkeypatch)
        assert list(folder.iterdir()) == []


def test_a_folder_that_took_the_name_of_a_labs_is_left_alone(monkeypatch):
    with public_folder() as folder:
        put_on_record(plant_folder(folder), places_on=1)
        sweep_as_an_hour_later(folder, monkeypatch)
        assert [path.name for path in folder.iterdir()] == [NAME]


@pytest.mark.parametrize("mode", [0o755, 0o777, 0o720])
def test_records_that_others_may_read_or_write_are_not_trusted(monkeypatch, mode):
    with public_folder() as folder:
        put_on_record(plant_folder(folder))
        records_of(folder).chmod(mode)
        sweep_as_an_hour_later(folder, monkeypatch)
        assert (folder / NAME).exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="gives a folder to another user")
def test_records_of_another_user_are_not_trusted(monkeypatch):
    with public_folder() as folder:
        put_on_record(plant_folder(folder))
        os.chown(records_of(folder), 65534, -1)
        sweep_as_an_hour_later(folder, monkeypatch)
        assert (folder / NAME).exists()


def test_records_behind_a_link_are_not_trusted(monkeypatch):
    with public_folder() as folder:
        put_on_record(plant_folder(folder))
        records_of(folder).rename(folder / "elsewhere")
        records_of(folder).symlink_to(folder / "elsewhere")
        sweep_as_an_hour_later(folder, monkeypatch)
        assert (folder / NAME).exists()


@pytest.mark.timeout(30)
@pytest.mark.parametrize("place", ["beside the records", "among the records"])
def test_a_pipe_with_a_labs_name_keeps_no_lab_waiting(monkeypatch, place):
    with public_folder() as folder:
        records_of(folder).mkdir(mode=0o700)
        os.mkfifo((folder if place == "beside the records" else records_of(folder)) / NAME)
        sweep_as_an_hour_later(folder, monkeypatch)


def own_segment(libc):
    """Return key and number of some shared memory that this process makes."""
    number = libc.shmget(0, 4096, 0o1600)  # IPC_PRIVATE, IPC_CREAT
    assert number >= 0
    rows = [line.split() for line in Path("/proc/sysvipc/shm").read_text().splitlines()[1:]]
    return next((int(row[0]), number) for row in rows if int(row[1]) == number)


def is_there(segment):
    rows = Path("/proc/sysvipc/shm").read_text().splitlines()[1:]
    return segment in {int(row.split()[1]) for row in rows}


@pytest.mark.skipif(not Path("/proc/sysvipc/shm").exists(), reason="lists no shared memory")
@pytest.mark.parametrize("whose", ["its process", "another process", "another user", "a link"])
def test_only_the_shared_memory_that_the_server_made_is_removed(tmp_path, whose):
    libc = ctypes.CDLL(None)
    key, segment = own_segment(libc)
    try:
        process = os.getpid() + (whose == "another process")
        (tmp_path / "data").mkdir()
        pid_file = tmp_path / "data" / "postmaster.pid"
        pid_file.write_text("\n".join([str(process), *"12345", f"{key} {segment}", "ready"]))
        if whose == "another user":
            if os.geteuid() != 0:
                pytest.skip("gives a file to another user")
            os.chown(pid_file, 65534, -1)
        if whose == "a link":
            elsewhere = tmp_path.parent / f"{tmp_path.name}-elsewhere"
            (tmp_path / "data").rename(elsewhere)
            (tmp_path / "data").symlink_to(elsewhere)
        guard._release_memory(tmp_path)
        assert is_there(segment) == (whose != "its process")
    finally:
        libc.shmctl(segment, 0, None)


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
