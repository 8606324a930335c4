"""Whatever ends a block of tidy(), its resources are released and the signals given back."""

import os
import signal
import subprocess
import sys
import threading

import pytest

from tests.measure.interrupted import assert_nothing_is_left
from tunables.measure.cleanup import tidy

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
