"""Slow machines: a lab that is stopped again and again, or that has its processors taken away."""

import os
import signal
import sys
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.lab.interrupted import after_first_line, public_folder, start_program

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc tells what was taken away")
STOPPED_S = 0.8
WATCHED = """
import time
from tunables.lab.verdict import watch_load
with watch_load() as load:
    print("begins", flush=True)
    time.sleep(1)
print(load.stood_s, load.busy, load, flush=True)
"""
LAB = """
import os, sys
from tests.labs.made_up import ROOT, run_cells
os.chdir(ROOT / "labs")
sys.stdout = open({!r}, "w", buffering=1)
run_cells({!r})
"""
LABS = ("01", "02", "03", "04", "05", "06")
LIMIT_S = 400


def stop(process, seconds):
    """Stop the process for some seconds."""
    process.send_signal(signal.SIGSTOP)
    time.sleep(seconds)
    process.send_signal(signal.SIGCONT)


def test_a_lab_that_stood_still_knows_it(tmp_path):
    with start_program(WATCHED, tmp_path) as process:
        after_first_line(tmp_path, process)
        stop(process, STOPPED_S)
        said = process.stdout.readline()
    stood_s, busy, words = said.split(maxsplit=2)
    assert float(stood_s) >= STOPPED_S - 0.2
    assert busy == "True"
    assert f"this lab itself was paused for {float(stood_s):.1f} s" in words


@contextmanager
def hogs(_process, folder):
    """Take the processors away, twice over."""
    with ExitStack() as stack:
        for _ in range(2 * (os.cpu_count() or 1)):
            stack.enter_context(start_program("while True: pass", folder, limit_s=LIMIT_S))
        yield lambda: time.sleep(0.1)


@contextmanager
def stops(process, _folder):
    """Stop the lab, and let it go on, in turn."""

    def turn():
        stop(process, 0.4)
        time.sleep(0.4)

    yield turn


@pytest.mark.long
@pytest.mark.timeout(LIMIT_S + 60)
@pytest.mark.parametrize("slowly", [hogs, stops])
@pytest.mark.parametrize("lab", LABS)
def test_on_a_slow_machine_a_lab_ends_and_blames_no_law(lab, slowly):
    with public_folder() as folder:
        log = Path(folder, "said")
        program = LAB.format(str(log), lab)
        with (
            start_program(program, folder, limit_s=LIMIT_S) as process,
            slowly(process, folder) as turn,
        ):
            while process.poll() is None:
                turn()
            _, errors = process.communicate()
        assert process.returncode == 0, errors[-3000:]
        assert "This machine was not busy" not in log.read_text()
