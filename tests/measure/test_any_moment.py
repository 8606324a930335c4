"""Labs that are interrupted or killed at random moments, by seed, and two labs at once."""

import itertools
import os
import random
import signal
import time

import pytest

from tests.measure.interrupted import (
    LIMIT_S,
    after_first_line,
    left_behind,
    public_folder,
    started,
)
from tests.measure.refusals import MEASUREMENTS, OF_POSTGRESQL
from tunables.measure.postgres import missing

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals as POSIX has them")
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
STARTING = [name for name in MEASUREMENTS if name != "chase"]  # which starts nothing


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
        with started(AGAIN_AND_AGAIN.format(MEASUREMENTS[name]), folder) as process:
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
        started(IN_A_KERNEL.format(MEASUREMENTS[name]), folder) as process,
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
        with started(programs[0], folder) as one, started(programs[1], folder) as other:
            for process in (one, other):
                _, errors = process.communicate(timeout=LIMIT_S)
                assert process.returncode == 0, errors
        assert left_behind(folder, one) == []
