"""The labs' measurements where a system lacks what POSIX, or Linux alone, has."""

import asyncio
import importlib.util
import os
import signal
from collections.abc import Callable
from contextlib import closing
from types import SimpleNamespace
from typing import Any

import pytest

from tunables.lab import (
    black_hole,
    blob_store,
    frr,
    postgres_server,
    sqlite_cache,
    sqlite_replica,
    user_port,
    write_ahead_log,
)
from tunables.lab.black_hole import BatchSetting
from tunables.lab.event_loop import LoopSetting as Slicing
from tunables.lab.event_loop import measure_event_loop

# Names that Python has on other systems than Windows only.
POSIX = {
    os: ("fork", "killpg", "fdatasync", "geteuid", "chown", "posix_fadvise"),
    signal: ("SIGHUP", "SIGQUIT", "SIGKILL", "pthread_sigmask"),
    asyncio: ("open_unix_connection", "start_unix_server"),
}
USERS = (user_port.Users(1, 18_000, 0.01),)
MEASUREMENTS: dict[str, Callable[[], Any]] = {
    "lab 1": lambda: write_ahead_log.sweep([0.001], committers=2, seconds=0.05),
    "lab 2": lambda: black_hole.run([BatchSetting(0.001, 0.01, 0, 4)], clients=2),
    "lab 3": lambda: sqlite_cache.sweep([10], rows=20, scans=1),
    "lab 4": lambda: user_port.sweep([(user_port.Port(), USERS)], duration_s=0.2, warmup_s=0.0),
    "lab 5": lambda: sqlite_replica.sweep([0.001], 16_384, ["raw"], ["executemany"], seconds=0.1),
    "lab 7": lambda: blob_store.sweep([4096], [1000], 100_000, repeats=1, cold=True),
    "lab 6": lambda: measure_event_loop([Slicing("5 ms", 0.005)], 2000, timers=5, repeats=1),
}


@pytest.fixture
def without_posix(monkeypatch):
    for module, names in POSIX.items():
        for name in names:
            monkeypatch.delattr(module, name, raising=False)


@pytest.mark.usefixtures("without_posix")
@pytest.mark.parametrize("lab", MEASUREMENTS)
def test_a_lab_measures_without_what_windows_lacks(lab):
    with closing(MEASUREMENTS[lab]()) as results:
        assert next(results)


@pytest.mark.usefixtures("without_posix")
def test_a_flush_is_complete_where_fdatasync_is_missing():
    spec = importlib.util.find_spec(write_ahead_log.__name__)
    assert spec
    assert spec.loader
    anew = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(anew)
    assert anew._flush_to_device is os.fsync


def test_on_windows_postgresql_is_refused_in_a_sentence(monkeypatch):
    monkeypatch.setattr(postgres_server, "os", SimpleNamespace(name="nt"))
    with pytest.raises(
        postgres_server.NotInstalled,
        match=r"Python on Windows does not support\. Run the lab in WSL",
    ):
        postgres_server.find_programs()


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_the_daemon_needs_linux(monkeypatch, system):
    monkeypatch.setattr("sys.platform", system)
    because = "needs Linux, because it creates its own network namespace"
    with pytest.raises(frr.Unavailable, match=because):
        frr.require_frr()
