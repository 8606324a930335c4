"""Whatever ends a block of tidy(), its resources are released and the signals given back."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from tests.measure.interrupted import assert_nothing_is_left, processes_that_name, started
from tunables.measure.cleanup import guarded_folder, tidy

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
from tunables.measure.cleanup import tidy

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
    with started("signal.pause()", tmp_path, limit_s=0.1) as process:
        assert process.stdout.readline() == ""


GUARDED = """
import signal, subprocess
from tunables.measure.child import child
from tunables.measure.cleanup import guarded_folder

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
    """Return the processes that name a folder; Linux shows their words a moment after the start."""
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
