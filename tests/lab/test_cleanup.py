"""Whatever ends a block of tidy(), its resources are released and the signals given back."""

import itertools
import os
import random
import signal
import subprocess
import sys
import threading
import time

import pytest

from tests.lab.interrupted import (
    LIMIT_S,
    after_first_line,
    assert_nothing_is_left,
    left_behind,
    processes_that_name,
    public_folder,
    start_program,
)
from tests.lab.refusals import MEASUREMENTS, OF_POSTGRESQL
from tunables.lab.cleanup import guarded_folder, tidy
from tunables.lab.postgres import missing

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals as POSIX has them")


def work(released: list[str], end):
    """Run end() within a block that releases two resources."""
    with tidy() as stack:
        stack.callback(released.append, "first")
        stack.callback(released.append, "second")
        end()


def test_resources_are_released_in_reverse_order_also_after_an_error():
    released: list[str] = []
    with pytest.raises(ZeroDivisionError):
        work(released, lambda: 1 / 0)
    assert released == ["second", "first"]


def test_sigterm_becomes_an_exit_within_and_only_within():
    before = signal.getsignal(signal.SIGTERM)
    released: list[str] = []
    with pytest.raises(SystemExit) as exit_info:
        work(released, lambda: os.kill(os.getpid(), signal.SIGTERM))
    assert exit_info.value.code == 128 + signal.SIGTERM
    assert released == ["second", "first"]
    assert signal.getsignal(signal.SIGTERM) == before


def test_a_handler_of_the_caller_is_left_alone():
    caught = []
    before = signal.signal(signal.SIGTERM, lambda number, frame: caught.append(number))
    try:
        with tidy():
            os.kill(os.getpid(), signal.SIGTERM)
        assert caught == [signal.SIGTERM]
    finally:
        signal.signal(signal.SIGTERM, before)


def test_another_thread_may_use_it():
    released: list[str] = []
    thread = threading.Thread(target=work, args=(released, lambda: None))
    thread.start()
    thread.join()
    assert released == ["second", "first"]


SUSPENDED = """
import sys, tempfile
from tunables.lab.cleanup import tidy

def measurement():
    with tidy() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        while True:
            yield folder

kept = measurement()
print(next(kept), flush=True)
"""


def test_a_generator_that_is_never_closed_is_cleaned_up_at_the_end(tmp_path):
    subprocess.run(
        [sys.executable, "-c", SUSPENDED + "sys.exit(0)"],
        env=os.environ | {"TMPDIR": str(tmp_path)},
        check=True,
        timeout=30,
        capture_output=True,
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_while_the_generator_is_suspended(number):
    assert_nothing_is_left(SUSPENDED + "signal.pause()", number)


def test_a_signal_that_the_parent_ignores_ends_the_program_all_the_same():
    """Under nohup an ignored SIGHUP is inherited; the test above must end there too."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert_nothing_is_left(SUSPENDED + "signal.pause()", signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_program_that_prints_nothing_does_not_keep_its_reader_for_ever(tmp_path):
    with start_program("signal.pause()", tmp_path, limit_s=0.1) as process:
        assert process.stdout.readline() == ""


GUARDED = """
import signal, subprocess
from tunables.lab.child import child
from tunables.lab.cleanup import guarded_folder

signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background ignores it
with guarded_folder("guarded-") as folder:
    (folder.path / "file").write_text("data")
    with child(["sh", "-c", "sleep 600; exit", folder.path], folder):
        print("ready", flush=True)
        signal.pause()
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_what_a_guard_guards_goes_with_the_process_however_it_is_killed(number):
    assert_nothing_is_left(GUARDED, number)


def guards_of(folder):
    """Return the processes that name a folder; Linux shows arguments shortly after the start."""
    give_up = time.monotonic() + 10
    while not (found := processes_that_name(folder)) and time.monotonic() < give_up:
        if not os.path.exists("/proc"):
            break
        time.sleep(0.01)
    return found


def test_a_folder_goes_with_its_guard_and_without():
    for kill in (False, True):
        with guarded_folder("guarded-") as folder:
            assert list(folder.path.iterdir()) == []
            guards = guards_of(folder.path)
            assert len(guards) == 1 or not os.path.exists("/proc")
            if kill:
                folder.guard.kill()
                folder.guard.wait()
            with folder.guarding(1 << 30):
                (folder.path / "file").write_text("data")
        assert not folder.path.exists()
        assert processes_that_name(folder.path) == []


LONGEST_S = 4.0  # most measurements end, and begin again, within this
AGAIN_AND_AGAIN = "print('begins', flush=True)\nwhile True: exec({!r})\n"
# A notebook's kernel lives on when a cell is interrupted, and says here what the cell left in it.
IN_A_KERNEL = """
import gc, os, threading
def seen():
    files = os.listdir("/proc/self/fd") if os.path.exists("/proc") else []
    handlers = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)]
    return threading.active_count(), len(files), handlers, signal.pthread_sigmask(0, [])
before = seen()
print("begins", flush=True)
try:
    while True: exec({!r})
except KeyboardInterrupt:
    pass
gc.collect()
print("\\nleft:", [] if seen() == before else (before, seen()), flush=True)
signal.pause()
"""
NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
SEEDS = range(6)
STARTING = [name for name in MEASUREMENTS if name != "chase"]  # it starts nothing


def cases(numbers, names, *few):
    """Return signals, measurements and seeds; all but a few are long."""
    return [
        pytest.param(*case, marks=() if case in few else pytest.mark.long)
        for case in itertools.product(numbers, names, SEEDS)
    ]


def wait_for_the_moment(name, seed):
    """Return when the moment of this seed has come."""
    if name in OF_POSTGRESQL and missing():
        pytest.skip(missing())
    time.sleep(random.Random(f"{name} {seed}").uniform(0, LONGEST_S))


def comes_to_nothing(folder, process):
    """Wait until nothing is left of the measurement: its guard may have to tidy up."""
    give_up = time.monotonic() + LIMIT_S
    while left_behind(folder, process) and time.monotonic() < give_up:
        time.sleep(0.05)
    assert left_behind(folder, process) == []


@pytest.mark.parametrize(
    ("number", "name", "seed"),
    cases(NUMBERS, MEASUREMENTS, (signal.SIGKILL, "PostgreSQL", 1), (signal.SIGTERM, "SQLite", 5)),
)
def test_whatever_ends_a_lab_at_any_moment_nothing_is_left(number, name, seed):
    with public_folder() as folder:
        with start_program(AGAIN_AND_AGAIN.format(MEASUREMENTS[name]), folder) as process:
            after_first_line(folder, process)
            wait_for_the_moment(name, seed)
            process.send_signal(number)
            process.wait(timeout=LIMIT_S)
            assert process.returncode != 0
        comes_to_nothing(folder, process)


@pytest.mark.parametrize(
    ("number", "name", "seed"), cases([signal.SIGINT], STARTING, (signal.SIGINT, "replication", 2))
)
def test_an_interrupted_cell_leaves_the_kernel_as_it_was(number, name, seed):
    with (
        public_folder() as folder,
        start_program(IN_A_KERNEL.format(MEASUREMENTS[name]), folder) as process,
    ):
        after_first_line(folder, process)
        wait_for_the_moment(name, seed)
        process.send_signal(number)
        told = next(line for line in process.stdout if line.startswith("left:"))
        assert told == "left: []\n"
        assert left_behind(folder, process) == []


@pytest.mark.long
@pytest.mark.parametrize("second", MEASUREMENTS)
@pytest.mark.skipif(missing() != "", reason=missing())
def test_two_labs_at_once_measure_side_by_side(second):
    with public_folder() as folder:
        programs = [MEASUREMENTS[name] for name in ("PostgreSQL", second)]
        with start_program(programs[0], folder) as one, start_program(programs[1], folder) as other:
            for process in (one, other):
                _, errors = process.communicate(timeout=LIMIT_S)
                assert process.returncode == 0, errors
        assert left_behind(folder, one) == []
